//! How a probe was taken, from whatever came.

use crate::client::{RawHttpReply, Reply};
use crate::model::probe::Taken;
use crate::protocol::json;
use crate::protocol::message::{Body, Frame, frame};
use crate::protocol::sse::{Event, EventDecoder};

/// How a request was taken; `text` is what is kept of the reply.
pub(super) fn of_reply(reply: &Reply, text: Option<&str>, over_http: bool) -> Taken {
    match reply {
        Reply::Result(_) => Taken::Result,
        Reply::Error { code, .. } => Taken::Error(*code),
        Reply::Timeout => Taken::Silence,
        Reply::Closed => Taken::Closed,
        Reply::HttpRefused { .. } => Taken::HttpOnly,
        Reply::Broken => match of_text(text.unwrap_or_default()) {
            Some(taken) => taken,
            None if over_http => Taken::HttpOnly,
            None => Taken::Broken,
        },
    }
}

/// How a text says that a request was taken; `None` for one that is no response. Of
/// a batch its first response counts.
pub(super) fn of_text(text: &str) -> Option<Taken> {
    if text.trim_start().starts_with('[') {
        let (first, _) = json::first_elements(text, 1)?;
        return of_frame(frame(first.first()?.get()));
    }
    of_frame(frame(text))
}

fn of_frame(frame: Frame) -> Option<Taken> {
    let Frame::Response { body, .. } = frame else {
        return None;
    };
    Some(match body {
        Body::Result(_) => Taken::Result,
        Body::Error { code, .. } => Taken::Error(code),
        Body::Broken(_) => Taken::Broken,
    })
}

/// How an HTTP request was taken.
pub(super) fn of_http(reply: &RawHttpReply, in_time: bool) -> Taken {
    if reply.status.is_none() {
        return if in_time {
            Taken::Closed
        } else {
            Taken::Silence
        };
    }
    let taken = if reply.media == "text/event-stream" {
        let mut decoder = EventDecoder::default();
        let events = decoder.push(reply.body.as_bytes());
        events.into_iter().find_map(|event| match event {
            Event::Whole { data, .. } => of_text(&String::from_utf8_lossy(&data)),
            Event::TooLong => None,
        })
    } else {
        of_text(&reply.body)
    };
    taken.unwrap_or(Taken::HttpOnly)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_say_how_a_request_was_taken() {
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
        for (text, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
                Some(Taken::Result),
            ),
            (error, Some(Taken::Error(-32700))),
            (
                r#"[{"jsonrpc":"2.0","id":1,"result":{}},7]"#,
                Some(Taken::Result),
            ),
            (r#"{"jsonrpc":"2.0","id":1}"#, Some(Taken::Broken)),
            (r#"{"jsonrpc":"2.0","method":"a"}"#, None),
            ("[]", None),
            ("<html>", None),
            ("", None),
        ] {
            assert_eq!(of_text(text), expected, "{text}");
        }
        let http = |status, media: &str, body: String| RawHttpReply {
            status,
            media: media.to_owned(),
            body,
            ..RawHttpReply::default()
        };
        let events = format!(": hello\n\ndata: {error}\n\n");
        for (reply, in_time, expected) in [
            (
                http(Some(200), "text/event-stream", events),
                true,
                Taken::Error(-32700),
            ),
            (
                http(Some(400), "application/json", error.to_owned()),
                true,
                Taken::Error(-32700),
            ),
            (http(Some(405), "", String::new()), true, Taken::HttpOnly),
            (http(None, "", String::new()), true, Taken::Closed),
            (http(None, "", String::new()), false, Taken::Silence),
        ] {
            assert_eq!(of_http(&reply, in_time), expected);
        }
    }
}
