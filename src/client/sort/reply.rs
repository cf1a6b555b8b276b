//! A response, held against the request in flight by its id.

use serde_json::value::RawValue;

use super::super::exchange::Settled;
use super::super::link::Link;
use super::super::{Connection, Reply};
use super::{Asked, OWN_TEXT_ID, Origin, Sorted};
use crate::model::probe::EnvelopeKind;
use crate::protocol::message::{self, Body, Decoded};
use crate::protocol::{json, jsonrpc};

impl Connection {
    pub(super) fn sort_response(
        &mut self,
        flight: Option<(Asked<'_>, &str)>,
        their_id: Option<&RawValue>,
        body: Body,
        decoded: Decoded,
    ) -> Sorted {
        let their_id = their_id.map_or("null", RawValue::get);
        if let Body::Error { code, .. } = body {
            self.ledger.error_code(code);
        }
        let Some((Asked { id, method, origin }, during)) = flight else {
            if self.is_foreign(their_id) {
                self.ledger.fault(EnvelopeKind::IdEcho, &decoded.text, None);
            }
            return self.stray(their_id);
        };
        let match_ = match id {
            Some(id) => IdMatch::of(id, their_id),
            None if self.was_given_up(their_id) => IdMatch::Other,
            None => IdMatch::Same,
        };
        let may_be_orphan = self.given_up.is_empty();
        let breaks = match match_ {
            IdMatch::Same => false,
            IdMatch::OtherType => true,
            IdMatch::None => !self.may_be_without_id(origin, &body),
            IdMatch::Other => self.is_foreign(their_id),
        };
        if breaks {
            self.ledger
                .fault(EnvelopeKind::IdEcho, &decoded.text, Some(during));
        }
        if let (Body::Result(result), IdMatch::Same | IdMatch::OtherType) = (&body, match_) {
            self.ledger.result(method, result);
        }
        let settled = Settled::from_body(body, decoded);
        match match_ {
            IdMatch::Same if method == "initialize" && says_nothing(&settled.reply) => {
                Sorted::Orphan(settled)
            }
            IdMatch::Same => Sorted::Ours(settled),
            IdMatch::OtherType => {
                if !std::mem::replace(&mut self.odd_ids, true) {
                    self.ledger.note(format!(
                        "replies carry the request's id in another type: {} came back as {their_id}",
                        id.unwrap_or_default()
                    ));
                }
                Sorted::Ours(settled)
            }
            IdMatch::None => match settled.reply {
                // Over HTTP the pairing is the connection's.
                Reply::Error { .. } if matches!(self.link, Link::Http { .. }) => {
                    Sorted::Ours(settled)
                }
                // What could not be read has no id to give back.
                Reply::Error {
                    code: jsonrpc::PARSE_ERROR | jsonrpc::INVALID_REQUEST,
                    ..
                } if may_be_orphan => Sorted::Orphan(settled),
                Reply::Error { .. } if origin == Origin::Raw && may_be_orphan => {
                    Sorted::Orphan(settled)
                }
                _ => {
                    self.ledger.stray_reply();
                    Sorted::Other
                }
            },
            IdMatch::Other => self.stray(their_id),
        }
    }

    /// Whether a reply without an id is in order: an error to what could not be read,
    /// or to what HTTP turned away unread.
    fn may_be_without_id(&self, origin: Origin, body: &Body) -> bool {
        let Body::Error { code, .. } = body else {
            return false;
        };
        origin == Origin::Raw
            || matches!(*code, jsonrpc::PARSE_ERROR | jsonrpc::INVALID_REQUEST)
            || self.link.head().is_some_and(|head| !head.is_success())
    }

    /// Whether an id is none that we ever gave.
    fn is_foreign(&self, their_id: &str) -> bool {
        let is_ours = match their_id.parse() {
            Ok(number) => (1..=self.last_id).contains(&number) || self.given_up.contains(&number),
            Err(_) => their_id == "null" || their_id.starts_with(OWN_TEXT_ID),
        };
        !is_ours
    }

    fn was_given_up(&self, their_id: &str) -> bool {
        their_id.parse().is_ok_and(|id| self.given_up.contains(&id))
    }

    /// A reply to nothing in flight; to a request that was given up, perhaps.
    fn stray(&mut self, their_id: &str) -> Sorted {
        if let Ok(late) = their_id.parse() {
            self.given_up.remove(&late);
        }
        self.ledger.stray_reply();
        Sorted::Other
    }
}

impl Settled {
    fn from_body(body: Body, decoded: Decoded) -> Self {
        let (reply, failure) = match body {
            Body::Result(raw) => (Reply::Result(raw), None),
            Body::Error {
                code,
                message,
                data,
            } => (
                Reply::Error {
                    code,
                    message,
                    data,
                },
                None,
            ),
            Body::Broken(why) => (Reply::Broken, Some(format!("in the reply {why}"))),
        };
        Self {
            reply,
            text: Some(decoded.text),
            invalid_utf8_at: decoded.invalid_utf8_at,
            failure,
        }
    }
}

/// Whether a reply to `initialize` holds nothing that belongs there. It may well
/// have been on its way before the request was.
fn says_nothing(reply: &Reply) -> bool {
    let Reply::Result(raw) = reply else {
        return false;
    };
    let expected = ["protocolVersion", "capabilities", "serverInfo"];
    json::pick(raw.get(), expected).is_none_or(|found| found.iter().all(Option::is_none))
}

/// How an id that came back is related to the one sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdMatch {
    Same,
    OtherType,
    None,
    Other,
}

impl IdMatch {
    fn of(ours: &str, theirs: &str) -> Self {
        let (our_text, their_text) = (message::string(ours), message::string(theirs));
        if theirs == ours || (our_text.is_some() && our_text == their_text) {
            Self::Same
        } else if theirs == "null" {
            Self::None
        } else if their_text.is_some_and(|text| text == ours)
            || our_text.is_some_and(|text| text == theirs)
            || theirs.strip_suffix(".0") == Some(ours)
        {
            Self::OtherType
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_compared_with_their_type() {
        for (theirs, expected) in [
            ("7", IdMatch::Same),
            ("\"7\"", IdMatch::OtherType),
            ("7.0", IdMatch::OtherType),
            ("null", IdMatch::None),
            ("8", IdMatch::Other),
            ("\"x\"", IdMatch::Other),
            ("[7]", IdMatch::Other),
        ] {
            assert_eq!(IdMatch::of("7", theirs), expected, "{theirs}");
        }
        for (theirs, expected) in [
            (r#""a""#, IdMatch::Same),
            (r#""\u0061""#, IdMatch::Same),
            ("a", IdMatch::OtherType),
            (r#""b""#, IdMatch::Other),
        ] {
            assert_eq!(IdMatch::of(r#""a""#, theirs), expected, "{theirs}");
        }
    }
}
