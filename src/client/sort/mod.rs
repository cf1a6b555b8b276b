//! What an incoming message is to the request in flight: its reply, a request of
//! the server, or something to write down.

mod noise;
mod reply;

use serde_json::value::RawValue;

use super::connect::discover::DISCOVER;
use super::exchange::Settled;
use super::link::Link;
use super::{Connection, Reply};
use crate::model::probe::EnvelopeKind;
use crate::protocol::envelope::{self, Joined};
use crate::protocol::message::{self, Decoded, Frame, Outer};

/// What a server does that sends our own requests back.
pub(super) const ECHOES: &str = "echoes what it is sent";

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How much of a message is looked at for being quoted, in bytes.
const MARKED_BYTES: usize = 128 * 1024;

/// How ids of ours begin that are strings, raw.
pub(super) const OWN_TEXT_ID: &str = "\"mcprobe";

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
}
