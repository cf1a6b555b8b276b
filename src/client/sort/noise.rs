//! What is no message: a broken reply, a reply as a programming language prints it, or
//! noise.

use std::time::Duration;

use super::super::exchange::Settled;
use super::super::link::Link;
use super::super::{Connection, Reply};
use super::{Asked, Origin, Sorted};
use crate::protocol::message::{self, Decoded, Frame, NotMessage};
use crate::transport::http::Head;

/// How much of a body that is no message is quoted, in characters.
const QUOTED: usize = 200;

impl Asked<'_> {
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
    pub(super) fn sort_noise(
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
    pub(in crate::client) fn unread_reply(
        &mut self,
        asked: Asked<'_>,
        after: Duration,
    ) -> Option<Settled> {
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
    pub(in crate::client) fn was_no_reply(&mut self, orphan: &Settled) {
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
}
