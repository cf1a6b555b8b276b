//! What an incoming message is to the request in flight: its reply, a request of
//! the server, or something to write down.

use std::time::Duration;

use serde_json::value::RawValue;

use super::connect::discover::DISCOVER;
use super::exchange::Settled;
use super::link::Link;
use super::{Connection, Reply};
use crate::model::probe::EnvelopeKind;
use crate::protocol::envelope::{self, Joined};
use crate::protocol::json;
use crate::protocol::jsonrpc;
use crate::protocol::message::{self, Body, Decoded, Frame, NotMessage, Outer};
use crate::transport::http::Head;

/// What a server does that sends our own requests back.
pub(super) const ECHOES: &str = "echoes what it is sent";

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How much of a message is looked at for being quoted, in bytes.
const MARKED_BYTES: usize = 128 * 1024;

/// How ids of ours begin that are strings, raw.
pub(super) const OWN_TEXT_ID: &str = "\"mcprobe";

/// How much of a body that is no message is quoted, in characters.
const QUOTED: usize = 200;

/// What one incoming message is to the request in flight.
pub(super) enum Sorted {
    Ours(Settled),
    /// Taken for the reply unless a better one comes soon: an error without an id, an
    /// echo, or a guess at the id of `initialize`.
    Orphan(Settled),
    /// A request of the server, to be answered.
    Asks(Question),
    Other,
}

/// What was seen of a process's standard output as a stream.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Whether its byte order mark was written down.
    marked: bool,
    /// Lines that are no messages and may make one together.
    joined: Joined,
}

/// The request in flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The id as it was sent, raw JSON; absent where the text that was sent has
    /// none that a reply could carry.
    pub(super) id: Option<&'a str>,
    /// Empty where the text that was sent names none.
    pub(super) method: &'a str,
    pub(super) origin: Origin,
}

/// Who made the text of the request in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The client: it is a proper request.
    Composed,
    /// The caller: it may break every rule, and so may the reply.
    Raw,
}

/// A request of the server.
#[derive(Debug)]
pub(super) struct Question {
    /// Its id as sent, raw JSON.
    pub(super) id: Box<RawValue>,
    pub(super) method: String,
    /// The whole message.
    pub(super) text: String,
}

impl Asked<'_> {
    /// Whether a request that came in is this one. `ping` may be one of the
    /// server's own; all else that we ask only a client asks.
    fn is_echoed(self, id: &RawValue, method: &str) -> bool {
        method != "ping" && method == self.method && self.id == Some(id.get())
    }

    /// Whether what was sent may well be answered by something that is no message.
    fn is_of_any_shape(self) -> bool {
        self.origin == Origin::Raw && self.id.is_none()
    }

    /// Whether a text that is no JSON is the reply all the same, as a programming
    /// language prints it: `{'jsonrpc': '2.0', 'id': 7, 'result': …}`. A request that
    /// a server prints on its way has a method.
    fn is_told_by(self, text: &str) -> bool {
        is_printed_value(text)
            && text.contains("jsonrpc")
            && ["result", "error"].iter().any(|word| text.contains(word))
            && self.id.is_some_and(|id| text.contains(id))
            && !text.contains("method")
    }
}

impl Connection {
    /// Tells what a message is, and writes down what is not the reply and what breaks
    /// the rules of an envelope. `flight` is the request in flight and its text; with
    /// none no message is a reply.
    pub(super) fn sort(&mut self, flight: Option<(Asked<'_>, &str)>, bytes: Vec<u8>) -> Sorted {
        let (asked, during) = flight.unzip();
        let decoded = Decoded::new(self.without_mark(bytes, during));
        let (frame, outer) = message::read(&decoded.text);
        self.look_at_envelope(&decoded, (&frame, &outer), during);
        let in_handshake = asked.is_some_and(|asked| asked.method == "initialize");
        match frame {
            Frame::Response { id: their_id, body } => {
                self.sort_response(flight, their_id.as_deref(), body, decoded)
            }
            Frame::Request { id, method }
                if asked.is_some_and(|asked| asked.is_echoed(&id, &method)) =>
            {
                self.ledger.note(format!("the server {ECHOES}"));
                // Behind a terminal a real server may still answer.
                let is_first = matches!(method.as_str(), "initialize" | DISCOVER);
                if !is_first && matches!(self.link, Link::Stdio(_)) {
                    return Sorted::Other;
                }
                Sorted::Orphan(Settled {
                    text: Some(decoded.text),
                    invalid_utf8_at: decoded.invalid_utf8_at,
                    ..Settled::without_reply(
                        Reply::Broken,
                        format!("it {ECHOES}; it does not speak MCP"),
                    )
                })
            }
            Frame::Request { id, method } => {
                if in_handshake {
                    self.ledger.before_initialized(&method);
                }
                self.ledger.server_request(&method);
                Sorted::Asks(Question {
                    id,
                    method,
                    text: decoded.text,
                })
            }
            Frame::Notification { method } => {
                if in_handshake {
                    self.ledger.before_initialized(&method);
                }
                if method == "notifications/progress" {
                    self.ledger.progressed(&decoded.text);
                }
                self.ledger.notification(&method);
                Sorted::Other
            }
            Frame::NotMessage(why) => self.sort_noise(asked, why, decoded),
        }
    }

    /// A body should have no byte order mark, and some have. Over stdio only the
    /// stream may begin with one, which its reader takes off.
    fn without_mark(&mut self, mut bytes: Vec<u8>, during: Option<&str>) -> Vec<u8> {
        let (note, text) = match &self.link {
            Link::Http { .. } if bytes.starts_with(BYTE_ORDER_MARK) => {
                bytes.drain(..BYTE_ORDER_MARK.len());
                ("an HTTP body begins with a UTF-8 byte order mark", &bytes)
            }
            Link::Stdio(transport) if transport.had_byte_order_mark() && !self.output.marked => {
                self.output.marked = true;
                (
                    "standard output begins with a UTF-8 byte order mark",
                    &bytes,
                )
            }
            _ => return bytes,
        };
        self.ledger.note(note);
        let head = &text[..text.len().min(MARKED_BYTES)];
        let text = String::from_utf8_lossy(head).into_owned();
        self.ledger
            .fault(EnvelopeKind::ByteOrderMark, &text, during);
        bytes
    }

    /// Writes down what a strict reader would have stumbled over.
    fn look_at_envelope(
        &mut self,
        decoded: &Decoded,
        (frame, outer): (&Frame, &Outer),
        during: Option<&str>,
    ) {
        let text = decoded.text.as_str();
        if decoded.invalid_utf8_at.is_some() {
            self.ledger.invalid_utf8();
            self.ledger.fault(EnvelopeKind::NotUtf8, text, during);
        }
        let is_stdio = matches!(self.link, Link::Stdio(_));
        for kind in envelope::breaches(text, frame, outer) {
            let counts = match kind {
                // What is no message over HTTP is the reply of something else.
                EnvelopeKind::JsonNoise | EnvelopeKind::HeaderFraming => is_stdio,
                EnvelopeKind::Batch => during.is_none_or(|asked| !asked.starts_with('[')),
                _ => true,
            };
            if counts {
                self.ledger.fault(kind, text, during);
            }
        }
        if !is_stdio {
            return;
        }
        if !matches!(frame, Frame::NotMessage(_)) {
            self.output.joined.forget();
        } else if let Some(whole) = self.output.joined.push(text) {
            self.ledger.fault(EnvelopeKind::SplitLines, &whole, during);
        }
    }

    fn sort_response(
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

    fn sort_noise(
        &mut self,
        asked: Option<Asked<'_>>,
        why: NotMessage,
        decoded: Decoded,
    ) -> Sorted {
        let single_body = matches!(&self.link, Link::Http { head: Some(head), .. }
            if !head.is_stream());
        if single_body {
            let answered = self.link.head().map(Head::describe).unwrap_or_default();
            let failure = match why {
                NotMessage::Blank => format!("answered with {answered} and an empty body"),
                _ => format!(
                    "answered with {answered}, and the body {}: {}",
                    why.reason(),
                    self.ledger
                        .clean_and_cut(decoded.text.trim(), QUOTED)
                        .replace(char::is_control, " ")
                ),
            };
            return Sorted::Ours(Settled {
                text: Some(decoded.text),
                invalid_utf8_at: decoded.invalid_utf8_at,
                ..Settled::without_reply(Reply::Broken, failure)
            });
        }
        match why {
            NotMessage::Blank => {
                self.ledger.note("there are blank lines between messages");
                Sorted::Other
            }
            // A batch may be answered by one.
            NotMessage::NotObject
                if asked.is_some_and(Asked::is_of_any_shape)
                    && decoded.text.trim_start().starts_with('[') =>
            {
                Sorted::Ours(Settled::broken(why, decoded))
            }
            NotMessage::BrokenMessage => Sorted::Ours(Settled::broken(why, decoded)),
            NotMessage::NotJson if asked.is_some_and(|asked| asked.is_told_by(&decoded.text)) => {
                Sorted::Orphan(Settled::broken(why, decoded))
            }
            NotMessage::NotJson | NotMessage::NotObject | NotMessage::NoKind => {
                self.ledger.noise(&decoded.text);
                let may_be_reply = why == NotMessage::NotJson && is_printed_value(&decoded.text);
                if may_be_reply && self.unread.is_none() {
                    self.unread = Some(decoded);
                }
                Sorted::Other
            }
        }
    }

    /// The value that was printed during a call and that nothing came after: it was
    /// meant as the answer.
    pub(super) fn unread_reply(&mut self, asked: Asked<'_>, after: Duration) -> Option<Settled> {
        let unread = self.unread.take()?;
        if asked.method != "tools/call" || self.is_over() {
            return None;
        }
        let failure = format!(
            "the reply {}, and nothing came after it within {:.1} s",
            NotMessage::NotJson.reason(),
            after.as_secs_f64()
        );
        Some(Settled {
            text: Some(unread.text),
            invalid_utf8_at: unread.invalid_utf8_at,
            ..Settled::without_reply(Reply::Broken, failure)
        })
    }

    /// What was taken for the reply until the reply came.
    pub(super) fn was_no_reply(&mut self, orphan: &Settled) {
        let text = orphan.text.as_deref().unwrap_or_default();
        match message::frame(text) {
            Frame::NotMessage(_) => self.ledger.noise(text),
            Frame::Response { .. } | Frame::Request { .. } | Frame::Notification { .. } => {
                self.ledger.stray_reply();
            }
        }
    }
}

/// Whether a text is a value as a programming language prints it, or its first
/// line, rather than a sentence or a line of a log.
fn is_printed_value(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{')
        || text.starts_with("map[")
        || text.starts_with('[') && text.ends_with(']') && text.contains(['\'', '"'])
}

impl Settled {
    fn broken(why: NotMessage, decoded: Decoded) -> Self {
        Self {
            text: Some(decoded.text),
            invalid_utf8_at: decoded.invalid_utf8_at,
            ..Self::without_reply(Reply::Broken, format!("the reply {}", why.reason()))
        }
    }

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
    fn printed_replies_are_told_from_printed_lines() {
        let asked = Asked {
            id: Some("7"),
            method: "tools/call",
            origin: Origin::Composed,
        };
        for reply in [
            "{'jsonrpc': '2.0', 'id': 7, 'result': {'content': [], 'isError': False}}",
            "{\"jsonrpc\"=>\"2.0\", \"id\"=>7, \"error\"=>{}}",
            "map[id:7 jsonrpc:2.0 result:map[content:[]]]",
        ] {
            assert!(asked.is_told_by(reply), "{reply}");
        }
        for line in [
            "{'jsonrpc': '2.0', 'id': 7, 'method': 'tools/call', 'params': {'result': 1}}",
            "{'jsonrpc': '2.0', 'id': 8, 'result': {}}",
            "INFO sending jsonrpc result 7",
            "[jsonrpc] 7",
            "",
        ] {
            assert!(!asked.is_told_by(line), "{line}");
        }
    }

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
