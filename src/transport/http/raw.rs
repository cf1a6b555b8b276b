//! One HTTP request as a caller wants it, and its reply, bounded.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response};
use tokio::time::{Instant, timeout_at};

use super::dial::{self, describe};
use super::{HttpTransport, head};
use crate::protocol::sse::EventDecoder;
use crate::transport::from_now;

/// How much of a body is read, in bytes.
const READ: usize = 64 * 1024;

/// How many headers of a reply are kept.
const MAX_HEADERS: usize = 100;

/// How long a stream is listened to that nothing was asked of.
const LISTEN: Duration = Duration::from_secs(1);

/// An HTTP request to the target's address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawHttp {
    /// `GET`, `POST`, …
    pub method: String,
    /// What differs from the connection's own headers: `Some` sets one (also `Host`
    /// and `Origin`), `None` leaves it out (`mcp-session-id`, `accept`, …).
    pub headers: Vec<(String, Option<String>)>,
    /// The body, as it is.
    pub body: Option<String>,
}

/// What came of a [`RawHttp`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawHttpReply {
    /// HTTP status; `None` when there was no reply.
    pub status: Option<u16>,
    /// The headers, names in lower case, values cleaned and up to 4 KiB. Of several
    /// with one name, the values joined by `, `.
    pub headers: BTreeMap<String, String>,
    /// The media type in lower case, without parameters; empty when absent.
    pub media: String,
    /// The body as text, cleaned, up to 64 KiB. An event stream is read to its first
    /// event with data, and a stream that a GET opened for a second at most. Decoded
    /// where it was compressed, unless the request set `Accept-Encoding`.
    pub body: String,
    /// Why there is no reply, or why the body is not whole; a sentence.
    pub failure: Option<String>,
    /// From sending to the end of the body, or to giving up.
    pub latency: Duration,
}

impl HttpTransport {
    /// Sends a request to the address that is spoken to. No redirect is followed and
    /// the transport's state stays as it is.
    /// `said` are the headers that the protocol adds for this body.
    pub(crate) async fn raw(
        &self,
        request: &RawHttp,
        said: &[(String, String)],
        by: Instant,
    ) -> RawHttpReply {
        let began = Instant::now();
        let mut reply = match timeout_at(by, self.raw_head(request, said)).await {
            Ok(Ok(response)) => read(response, request, by).await,
            Ok(Err(failure)) => without_reply(failure),
            Err(_) => without_reply(format!(
                "no reply within {:.1} s",
                began.elapsed().as_secs_f64()
            )),
        };
        reply.latency = began.elapsed();
        reply
    }

    async fn raw_head(
        &self,
        request: &RawHttp,
        said: &[(String, String)],
    ) -> Result<Response, String> {
        let method = Method::from_bytes(request.method.as_bytes())
            .map_err(|_| format!("`{}` is no HTTP method", request.method))?;
        let mut sent = self.build(method).headers(super::said(said));
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        let mut sent = sent.build().map_err(|error| describe(&error))?;
        for (name, value) in &request.headers {
            let bad = || format!("`{name}` cannot be sent as a header");
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            match value {
                Some(value) => {
                    let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| bad())?;
                    sent.headers_mut().insert(name, value);
                }
                None => {
                    sent.headers_mut().remove(name);
                }
            }
        }
        // Whoever asks for an encoding wants to see what it gets.
        let asks_for_encoding = request
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"));
        let client = if asks_for_encoding {
            dial::undecoding_client(&self.url)?
        } else {
            self.client.clone()
        };
        client.execute(sent).await.map_err(|error| describe(&error))
    }
}

fn without_reply(failure: String) -> RawHttpReply {
    RawHttpReply {
        failure: Some(failure),
        ..RawHttpReply::default()
    }
}

async fn read(mut response: Response, request: &RawHttp, by: Instant) -> RawHttpReply {
    let head = head(&response);
    let streams = head.media == "text/event-stream";
    let by = if streams && request.method == "GET" {
        by.min(from_now(LISTEN))
    } else {
        by
    };
    let mut body = Vec::new();
    let mut decoder = EventDecoder::default();
    let failure = loop {
        match timeout_at(by, response.chunk()).await {
            Ok(Ok(Some(bytes))) => {
                let room = READ - body.len();
                body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                if bytes.len() > room {
                    break Some(format!("the body is longer than {} KiB", READ >> 10));
                }
                if streams && !decoder.push(&bytes).is_empty() {
                    break None;
                }
            }
            Ok(Ok(None)) => break None,
            Ok(Err(error)) => break Some(format!("the body broke off: {}", describe(&error))),
            Err(_) if streams => break None,
            Err(_) => break Some("the body did not end in time".to_owned()),
        }
    };
    RawHttpReply {
        status: Some(head.status),
        headers: headers(response.headers()),
        media: head.media,
        body: String::from_utf8_lossy(&body).into_owned(),
        failure,
        latency: Duration::ZERO,
    }
}

fn headers(all: &HeaderMap) -> BTreeMap<String, String> {
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in all.iter().take(MAX_HEADERS) {
        let value = String::from_utf8_lossy(value.as_bytes());
        kept.entry(name.as_str().to_owned())
            .and_modify(|known| {
                known.push_str(", ");
                known.push_str(&value);
            })
            .or_insert_with(|| value.into_owned());
    }
    kept
}
