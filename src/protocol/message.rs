//! What one message of a server is.
//!
//! Bytes are made text first, with the place of the first byte that is not
//! UTF-8. Only the envelope is parsed; ids, parameters and results stay raw, so
//! that nothing inside them can lose the message.

use serde_json::value::RawValue;

use super::json;

/// Bytes of a server as a message.
#[derive(Debug)]
pub struct Decoded {
    /// The text; U+FFFD in place of what is not UTF-8.
    pub text: String,
    /// Offset of the first byte that is not UTF-8.
    pub invalid_utf8_at: Option<usize>,
}

/// What a text is.
#[derive(Debug)]
pub enum Frame {
    /// An answer to a request.
    Response {
        /// Its id as sent; `None` when absent.
        id: Option<Box<RawValue>>,
        /// What it says.
        body: Body,
    },
    /// A request of the server.
    Request {
        /// Its id as sent: any JSON but `null`.
        id: Box<RawValue>,
        /// Its method.
        method: String,
    },
    /// A notification of the server.
    Notification {
        /// Its method.
        method: String,
    },
    /// Not a message.
    NotMessage(NotMessage),
}

/// What a response says.
#[derive(Debug)]
pub enum Body {
    /// `result`, raw.
    Result(Box<RawValue>),
    /// `error`.
    Error {
        /// `code`; 0 when it is no integer.
        code: i64,
        /// `message`; empty when it is no string.
        message: String,
        /// `data`, raw.
        data: Option<Box<RawValue>>,
    },
    /// Neither, or an `error` that is no object; why.
    Broken(&'static str),
}

/// Why a text is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotMessage {
    /// Nothing but white space.
    Blank,
    /// No JSON.
    NotJson,
    /// Begins as a message does and cannot be parsed (a bare NaN, a cut text).
    BrokenMessage,
    /// JSON, but no object.
    NotObject,
    /// An object that is none of a request, a notification and a reply.
    NoKind,
}

impl NotMessage {
    /// The reason, to stand after "the line".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Blank => "is blank",
            Self::NotJson => "is no JSON",
            Self::BrokenMessage => "begins as a JSON-RPC message and is no valid JSON",
            Self::NotObject => "is JSON but no object",
            Self::NoKind => "is an object and no JSON-RPC message",
        }
    }
}

impl Decoded {
    /// Makes bytes text. Total.
    pub fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self {
                text,
                invalid_utf8_at: None,
            },
            Err(error) => Self {
                invalid_utf8_at: Some(error.utf8_error().valid_up_to()),
                text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            },
        }
    }

    /// Reads the envelope. Total.
    pub fn frame(&self) -> Frame {
        frame(&self.text)
    }
}

/// What of an envelope a [`Frame`] does not tell: for whoever holds a message to the
/// rules.
#[derive(Debug, Default)]
pub struct Outer {
    /// `jsonrpc`, raw.
    pub version: Option<Box<RawValue>>,
    /// Whether there is a `result`, of whatever value.
    pub has_result: bool,
    /// `error`, raw.
    pub error: Option<Box<RawValue>>,
}

/// Reads the envelope of a text. Total.
pub fn frame(text: &str) -> Frame {
    read(text).0
}

/// The same, with what only the rules of an envelope ask for. The text is read once:
/// it may be a list of many megabytes.
pub fn read(text: &str) -> (Frame, Outer) {
    // The last of several equal keys holds, as in nearly every parser.
    let names = ["id", "method", "result", "error", "jsonrpc"];
    let Some([id, method, result, error, version]) = json::pick(text, names) else {
        return (Frame::NotMessage(no_object(text)), Outer::default());
    };
    let outer = Outer {
        version,
        has_result: result.is_some(),
        error,
    };
    let frame = of_members(id, method, result, &outer);
    (frame, outer)
}

fn of_members(
    id: Option<Box<RawValue>>,
    method: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    outer: &Outer,
) -> Frame {
    let is_rpc = outer.version.is_some();
    if let Some(method) = method.and_then(|raw| string(raw.get())) {
        return match id.filter(|id| id.get() != "null") {
            Some(id) => Frame::Request { id, method },
            // A log line in JSON may name the method that it is about.
            None if !is_rpc && !method.starts_with("notifications/") => {
                Frame::NotMessage(NotMessage::NoKind)
            }
            None => Frame::Notification { method },
        };
    }
    // A log line may well be an object with an `error`: a response has an id or
    // says that it is JSON-RPC.
    if !is_rpc && id.is_none() {
        return Frame::NotMessage(NotMessage::NoKind);
    }
    let body = match (result, &outer.error) {
        (_, Some(error)) if error.get() != "null" => read_error(error),
        (Some(result), _) => Body::Result(result),
        (None, Some(_)) => Body::Broken("`error` is null and there is no `result`"),
        (None, None) if id.is_some() && is_rpc => {
            Body::Broken("there is neither `result` nor `error`")
        }
        (None, None) => return Frame::NotMessage(NotMessage::NoKind),
    };
    Frame::Response { id, body }
}

fn no_object(text: &str) -> NotMessage {
    let trimmed = text.trim_start();
    if trimmed.is_empty() {
        NotMessage::Blank
    } else if trimmed.starts_with('{') {
        if trimmed.contains("\"jsonrpc\"") {
            NotMessage::BrokenMessage
        } else {
            NotMessage::NotJson
        }
    } else if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        NotMessage::NotObject
    } else {
        NotMessage::NotJson
    }
}

fn read_error(raw: &RawValue) -> Body {
    let Some([code, message, data]) = json::pick(raw.get(), ["code", "message", "data"]) else {
        return Body::Broken("`error` is no object");
    };
    Body::Error {
        code: code.and_then(|raw| raw.get().parse().ok()).unwrap_or(0),
        message: message
            .and_then(|raw| string(raw.get()))
            .unwrap_or_default(),
        data,
    }
}

/// A raw JSON text as a string, where it is one.
pub fn string(raw: &str) -> Option<String> {
    if !raw.starts_with('"') {
        return None;
    }
    json::read(raw).value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn picture(text: &str) -> String {
        match frame(text) {
            Frame::Response { id, body } => {
                let id = id.map_or_else(|| "-".to_owned(), |id| id.get().to_owned());
                match body {
                    Body::Result(raw) => format!("{id} result {}", raw.get().len()),
                    Body::Error {
                        code,
                        message,
                        data,
                    } => format!("{id} error {code} {message} {}", data.is_some()),
                    Body::Broken(why) => format!("{id} broken: {why}"),
                }
            }
            Frame::Request { id, method } => format!("request {} {method}", id.get()),
            Frame::Notification { method } => format!("notification {method}"),
            Frame::NotMessage(why) => format!("{why:?}"),
        }
    }

    #[test]
    fn messages_are_told_apart() {
        let seen: Vec<String> = [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"id":"1","jsonrpc":"2.0","error":{"code":-32601,"message":"no","data":[1]}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":[1e999],"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"a\ud800"}"#,
            r#"{"jsonrpc":"2.0","id":3}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":"bad"}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":null,"error":null}"#,
            r#"{"level":"error","error":"disk"}"#,
            r#"{"level":"info","msg":"request","method":"tools/list"}"#,
            r#"{"method":"notifications/message","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#,
            "{oops",
            "[1,2]",
            "ready",
            "  ",
        ]
        .into_iter()
        .map(picture)
        .collect();
        insta::assert_snapshot!(seen.join("\n"), @r#"
        1 result 2
        "1" error -32601 no true
        null error -32700 x false
        request [1e999] ping
        notification a�
        3 broken: there is neither `result` nor `error`
        3 broken: `error` is no object
        3 result 4
        NoKind
        NoKind
        notification notifications/message
        BrokenMessage
        NotJson
        NotObject
        NotJson
        Blank
        "#);
    }

    #[test]
    fn nothing_inside_a_result_loses_the_message() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        for inner in ["\"\\ud800\"", "1e999", "18446744073709551616", &deep] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":5,"result":{inner}}}"#);
            assert_eq!(picture(&text), format!("5 result {}", inner.len()));
        }
    }

    #[test]
    fn the_first_bad_byte_is_remembered() {
        let mut bytes = br#"{"jsonrpc":"2.0","id":5,"result":"#.to_vec();
        bytes.extend_from_slice(b"\"\xB0\xA1\"}");
        let decoded = Decoded::new(bytes);
        assert_eq!(decoded.invalid_utf8_at, Some(34));
        assert!(matches!(decoded.frame(), Frame::Response { .. }));
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Decoded::new(bytes).frame();
        }

        #[test]
        fn any_brackets_are_something(text in "[\\[\\]{}\":,a1 \\\\]{0,60}") {
            let _ = frame(&text);
        }
    }
}
