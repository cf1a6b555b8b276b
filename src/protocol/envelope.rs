//! The rules of a message's envelope, and how a message breaks them.
//!
//! Reading stays lenient (see [`super::message`]); this only says what a strict
//! reader would have stumbled over. Source: MCP "Overview: Messages" and JSON-RPC
//! 2.0, sections 4 and 5.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::json;
use super::message::{Frame, NotMessage, Outer, frame, string};

/// The most bytes that are joined to see whether lines make one message.
const MAX_JOINED: usize = 64 * 1024;

/// The rules of an envelope that a message can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EnvelopeKind {
    /// `jsonrpc` is not `"2.0"`, or absent.
    JsonrpcVersion,
    /// The id of a reply has another type or value than the request's.
    IdEcho,
    /// A reply with both `result` and `error` (null counts as present), or neither.
    ResultXorError,
    /// `error` without an integer `code` and a string `message`.
    ErrorShape,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A message over several lines of standard output.
    SplitLines,
    /// `Content-Length` framing on standard output.
    HeaderFraming,
    /// A line of standard output that is JSON and no message (a structured log line).
    JsonNoise,
    /// A byte order mark before a message.
    ByteOrderMark,
    /// A batch where the revision has none.
    Batch,
}

/// What is wrong with the envelope of one text, in the order of the kinds. Ids are
/// judged where the request is known. Total.
pub fn breaches(text: &str, frame: &Frame, outer: &Outer) -> Vec<EnvelopeKind> {
    match *frame {
        Frame::NotMessage(why) => of_no_message(text, why, outer),
        Frame::Request { .. } | Frame::Notification { .. } => {
            Vec::from_iter(wrong_version(outer.version.as_deref()))
        }
        Frame::Response { .. } => of_response(outer),
    }
}

fn of_response(outer: &Outer) -> Vec<EnvelopeKind> {
    let mut found = Vec::from_iter(wrong_version(outer.version.as_deref()));
    if outer.has_result == outer.error.is_some() {
        found.push(EnvelopeKind::ResultXorError);
    }
    // Whoever writes `"error": null` beside a result means that there is none.
    let error = outer.error.as_deref();
    let error = error.filter(|error| error.get() != "null" || !outer.has_result);
    if error.is_some_and(|error| !is_error(error)) {
        found.push(EnvelopeKind::ErrorShape);
    }
    found
}

fn of_no_message(text: &str, why: NotMessage, outer: &Outer) -> Vec<EnvelopeKind> {
    match why {
        NotMessage::NoKind => match outer.version {
            Some(_) => vec![EnvelopeKind::ResultXorError],
            None => vec![EnvelopeKind::JsonNoise],
        },
        NotMessage::NotObject if is_batch(text) => vec![EnvelopeKind::Batch],
        NotMessage::NotJson if is_length_header(text) => vec![EnvelopeKind::HeaderFraming],
        NotMessage::Blank
        | NotMessage::NotJson
        | NotMessage::BrokenMessage
        | NotMessage::NotObject => Vec::new(),
    }
}

fn wrong_version(version: Option<&RawValue>) -> Option<EnvelopeKind> {
    let right = version.and_then(|raw| string(raw.get())).as_deref() == Some("2.0");
    (!right).then_some(EnvelopeKind::JsonrpcVersion)
}

fn is_error(raw: &RawValue) -> bool {
    let Some([code, message]) = json::pick(raw.get(), ["code", "message"]) else {
        return false;
    };
    code.is_some_and(|code| is_integer(code.get()))
        && message.is_some_and(|message| message.get().starts_with('"'))
}

/// `-32601.0` is the same number, but no reader of integers takes it.
fn is_integer(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an array holds messages.
fn is_batch(text: &str) -> bool {
    let first = json::first_elements(text, 1).and_then(|(first, _)| first.into_iter().next());
    first.is_some_and(|first| {
        json::pick(first.get(), ["jsonrpc"]).is_some_and(|[version]| version.is_some())
    })
}

/// Whether a line is a `Content-Length` header.
fn is_length_header(line: &str) -> bool {
    let Some((name, value)) = line.split_once(':') else {
        return false;
    };
    let value = value.trim();
    name.trim().eq_ignore_ascii_case("content-length")
        && !value.is_empty()
        && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Lines that are no messages, joined as long as they may become one.
#[derive(Debug, Default)]
pub struct Joined {
    /// The lines so far; empty when there is no beginning.
    lines: String,
    /// Brackets that are open at its end.
    open: usize,
    in_string: bool,
}

impl Joined {
    /// Takes the next line that is no message; gives the message that it completes.
    /// Linear: a text is parsed when its brackets close, and then forgotten.
    pub fn push(&mut self, line: &str) -> Option<String> {
        if self.lines.is_empty() && !line.trim_start().starts_with('{') {
            return None;
        }
        if self.lines.len() + line.len() > MAX_JOINED {
            self.forget();
            return None;
        }
        let several = !self.lines.is_empty();
        if several {
            self.lines.push('\n');
        }
        self.lines.push_str(line);
        self.count(line);
        if self.open > 0 {
            return None;
        }
        let text = std::mem::take(&mut self.lines);
        self.forget();
        // A break inside of a string is no JSON, and yet one message over two lines.
        let is_message = |text: &str| !matches!(frame(text), Frame::NotMessage(_));
        let whole = several && (is_message(&text) || is_message(&text.replace('\n', "\\n")));
        whole.then_some(text)
    }

    /// A message came: what was begun before it is no message.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    fn count(&mut self, line: &str) {
        let mut escaped = false;
        for byte in line.bytes() {
            if self.in_string {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.open += 1,
                b'}' | b']' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::read;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_rule_has_its_breach() {
        use EnvelopeKind::{
            Batch, ErrorShape, HeaderFraming, JsonNoise, JsonrpcVersion, ResultXorError,
        };
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, vec![]),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}"#,
                vec![],
            ),
            (r#"{"jsonrpc":"2.0","method":"a"}"#, vec![]),
            (r#"{"id":1,"result":{}}"#, vec![JsonrpcVersion]),
            (
                r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
                vec![JsonrpcVersion],
            ),
            (
                r#"{"jsonrpc":2.0,"id":1,"method":"a"}"#,
                vec![JsonrpcVersion],
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
                vec![ResultXorError],
            ),
            (r#"{"jsonrpc":"2.0","id":1}"#, vec![ResultXorError]),
            (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, vec![ErrorShape]),
            (r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, vec![ErrorShape]),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":"-1","message":"x"}}"#,
                vec![ErrorShape],
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"x"}}"#,
                vec![ErrorShape],
            ),
            (
                r#"{"id":1,"result":1,"error":{"code":1}}"#,
                vec![JsonrpcVersion, ResultXorError, ErrorShape],
            ),
            (r#"{"level":"info","msg":"up"}"#, vec![JsonNoise]),
            (r#"{"jsonrpc":"2.0"}"#, vec![ResultXorError]),
            (r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, vec![Batch]),
            ("[1]", vec![]),
            ("42", vec![]),
            ("content-length: 52", vec![HeaderFraming]),
            ("Content-Length: many", vec![]),
            ("ready", vec![]),
            ("", vec![]),
        ] {
            let (frame, outer) = read(text);
            assert_eq!(breaches(text, &frame, &outer), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_make_one_message_are_found() {
        let push = |lines: &[&str]| {
            let mut joined = Joined::default();
            lines
                .iter()
                .filter_map(|line| joined.push(line))
                .collect::<Vec<_>>()
        };
        let pretty = [
            "{",
            r#"  "jsonrpc": "2.0","#,
            r#"  "id": 1,"#,
            r#"  "result": {}"#,
            "}",
        ];
        assert_eq!(push(&pretty), [pretty.join("\n")]);
        let broken = [r#"{"jsonrpc":"2.0","id":1,"result":{"text":"a"#, r#"b"}}"#];
        assert_eq!(push(&broken), [broken.join("\n")]);
        // A log line over several lines is none, and neither is what goes before.
        assert!(push(&["{", "\"a\": 1", "}"]).is_empty());
        assert_eq!(
            push(&[
                "{oops}",
                "hello",
                "{",
                "\"jsonrpc\":\"2.0\",\"method\":\"a\"}"
            ])
            .len(),
            1
        );
        assert!(push(&[&"{".repeat(MAX_JOINED), "}"]).is_empty());
    }

    proptest! {
        #[test]
        fn any_lines_are_survived(lines in proptest::collection::vec("[{}\\[\\]\":,a1\\\\]{0,20}", 0..20)) {
            let mut joined = Joined::default();
            for line in &lines {
                let (frame, outer) = read(line);
                let _ = breaches(line, &frame, &outer);
                let _ = joined.push(line);
                prop_assert!(joined.lines.len() <= MAX_JOINED + 1);
            }
        }
    }
}
