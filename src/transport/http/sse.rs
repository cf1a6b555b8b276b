//! A server reached by HTTP with SSE: one GET stream brings everything that the
//! server says, and each message of ours is a POST to the address that its first
//! event names.
//!
//! Source: MCP "Transports", 2024-11-05.

use reqwest::header::ACCEPT;
use reqwest::{Method, Response};
use tokio::task::JoinSet;
use url::Url;

use super::body::EventStream;
use super::{Head, HttpFault, HttpTransport, MAX_REDIRECTS, fault, head, said, shown};
use crate::protocol::sse::Event;
use crate::transport::Incoming;

/// How much of the `endpoint` event's data is looked at, in bytes.
const MAX_ENDPOINT: usize = 2 * 1024;

/// How much of the body of a refusal is read, in bytes.
const KEPT_REFUSAL: usize = 64 * 1024;

/// How many events may come before it.
const MAX_EVENTS_BEFORE: usize = 20;

/// An open stream and where messages go.
#[derive(Debug)]
pub(crate) struct SseTransport {
    /// Speaks to the address that the `endpoint` event named.
    http: HttpTransport,
    /// The address of the stream.
    stream_url: Url,
    stream: EventStream,
    /// Messages on their way; an aborted set ends them.
    posts: JoinSet<Posted>,
    open: bool,
}

/// How a message was taken: the head, and for a refusal what was said.
type Posted = (Part, Result<(Head, Vec<u8>), HttpFault>);

/// What a message of ours is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A request: whoever waits for its reply has to know that it was refused.
    Request,
    /// A notification or an answer.
    Aside,
}

/// What the `endpoint` event named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// Its data as sent.
    pub(crate) given: String,
    /// The address it comes to; absent when it is none.
    pub(crate) resolved: Option<Url>,
}

/// Why there is no stream to speak over.
#[derive(Debug)]
pub(crate) enum NoStream {
    /// No connection, or a redirect that is not followed.
    Fault(HttpFault),
    /// The reply is no event stream.
    Answered(Head),
    /// The stream ended, or went on without an `endpoint` event; a sentence.
    NoEndpoint(Head, String),
    /// The event names another origin, or no address at all.
    Foreign(Endpoint),
}

impl SseTransport {
    /// Opens the stream at the transport's address and waits for the `endpoint`
    /// event, for ever if need be.
    pub(crate) async fn open(http: &mut HttpTransport) -> Result<(Self, Endpoint), NoStream> {
        http.reset();
        let (head, mut stream) = http.open_stream().await?;
        let endpoint = match endpoint(&mut stream, http.url()).await {
            Ok(endpoint) => endpoint,
            Err(why) => return Err(NoStream::NoEndpoint(head, why)),
        };
        let stream_url = http.url().clone();
        let mut messages = http.sibling();
        match &endpoint.resolved {
            Some(url) if url.origin() == stream_url.origin() => messages.url = url.clone(),
            _ => return Err(NoStream::Foreign(endpoint)),
        }
        let transport = Self {
            http: messages,
            stream_url,
            stream,
            posts: JoinSet::new(),
            open: true,
        };
        Ok((transport, endpoint))
    }

    /// The transport that speaks to the address of the messages.
    pub(crate) const fn http(&self) -> &HttpTransport {
        &self.http
    }

    /// A transport for the address of the stream, to open it again.
    pub(crate) fn reopened(&self) -> HttpTransport {
        let mut http = self.http.sibling();
        http.url = self.stream_url.clone();
        http
    }

    pub(crate) fn set_version(&mut self, version: &str) {
        self.http.set_version(version);
    }

    /// Sends a request. How it was taken is told by [`SseTransport::next`] when it
    /// was refused.
    pub(crate) fn post(&mut self, message: &str, headers: &[(String, String)]) {
        self.send(Part::Request, message, headers);
    }

    /// Sends a notification or an answer.
    pub(crate) fn post_aside(&mut self, message: &str, headers: &[(String, String)]) {
        self.send(Part::Aside, message, headers);
    }

    /// A server may answer on the stream before it answers the POST, so the POST is
    /// not waited for.
    fn send(&mut self, part: Part, message: &str, headers: &[(String, String)]) {
        let sending = self
            .http
            .build(Method::POST)
            .headers(said(headers))
            .body(message.to_owned())
            .send();
        self.posts.spawn(async move {
            let taken = async {
                let response = sending.await.map_err(|error| fault(&error))?;
                let head = head(&response);
                let text = if head.is_success() {
                    Vec::new()
                } else {
                    beginning(response).await
                };
                Ok((head, text))
            };
            (part, taken.await)
        });
    }

    /// The next message of the stream. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Incoming {
        loop {
            tokio::select! {
                biased;
                incoming = self.stream.next_message() => {
                    self.open &= !matches!(incoming, Incoming::Ended(_));
                    return incoming;
                }
                Some(posted) = self.posts.join_next() => match posted {
                    Ok((Part::Request, Ok((head, text)))) if !head.is_success() => {
                        return Incoming::Refused(head, text);
                    }
                    Ok((Part::Request, Err(fault))) => {
                        let why = match fault {
                            HttpFault::Unreachable(why)
                            | HttpFault::Lost(why)
                            | HttpFault::Redirected { why, .. } => why,
                        };
                        self.open = false;
                        return Incoming::Ended(format!("the message could not be sent: {why}"));
                    }
                    _ => {}
                },
            }
        }
    }

    /// What is here already, without waiting.
    pub(crate) async fn arrived(&mut self) -> Vec<Incoming> {
        let mut all = Vec::new();
        while all.len() < 100 && self.open {
            let now = tokio::time::timeout(std::time::Duration::ZERO, self.next());
            match now.await {
                Ok(Incoming::Refused(..)) => {}
                Ok(Incoming::Ended(_)) | Err(_) => break,
                Ok(incoming) => all.push(incoming),
            }
        }
        all
    }

    pub(crate) const fn is_open(&self) -> bool {
        self.open
    }
}

impl HttpTransport {
    async fn open_stream(&mut self) -> Result<(Head, EventStream), NoStream> {
        let mut status = 0;
        for _ in 0..MAX_REDIRECTS {
            let response = self
                .build(Method::GET)
                .header(ACCEPT, "text/event-stream")
                .send()
                .await
                .map_err(|error| NoStream::Fault(fault(&error)))?;
            if response.status().is_redirection() {
                status = response.status().as_u16();
                // Any redirect keeps a GET.
                self.follow_where(&response, |status| {
                    matches!(status, 301 | 302 | 303 | 307 | 308)
                })
                .map_err(NoStream::Fault)?;
                continue;
            }
            let head = head(&response);
            if !head.is_stream() {
                return Err(NoStream::Answered(head));
            }
            return Ok((head, EventStream::new(response)));
        }
        Err(NoStream::Fault(HttpFault::Redirected {
            status,
            why: format!("it redirects more than {MAX_REDIRECTS} times"),
        }))
    }
}

/// The first `endpoint` event, resolved against the stream's address.
async fn endpoint(stream: &mut EventStream, base: &Url) -> Result<Endpoint, String> {
    for _ in 0..MAX_EVENTS_BEFORE {
        match stream.next().await? {
            Event::Whole { kind, data } if kind == "endpoint" => {
                let data = &data[..data.len().min(MAX_ENDPOINT)];
                let given = String::from_utf8_lossy(data).into_owned();
                let resolved = base
                    .join(given.trim())
                    .ok()
                    .filter(|url| matches!(url.scheme(), "http" | "https"));
                return Ok(Endpoint { given, resolved });
            }
            Event::Whole { .. } | Event::TooLong => {}
        }
    }
    Err(format!(
        "{MAX_EVENTS_BEFORE} events came and none was `endpoint`"
    ))
}

/// The beginning of a body.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < KEPT_REFUSAL
        && let Ok(Some(bytes)) = response.chunk().await
    {
        let room = KEPT_REFUSAL - text.len();
        text.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
    text
}

impl Endpoint {
    /// Why nothing is sent to it, in a sentence.
    pub(crate) fn refusal(&self, stream: &Url) -> String {
        match &self.resolved {
            Some(url) => format!(
                "the `endpoint` event of {} names {}, which is another origin; nothing is sent there",
                shown(stream),
                shown(url)
            ),
            None => format!("the `endpoint` event of {} names no address", shown(stream)),
        }
    }
}
