//! A server reached by Streamable HTTP: each message of ours is a POST, and what
//! the server has to say comes in the reply's body.
//!
//! Source: MCP "Transports", 2025-03-26 to 2025-11-25.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Method, Response};
use url::Url;

use super::Incoming;
use crate::model::secret::Secret;
use crate::model::wire::Redirect;

mod body;
mod dial;
pub(crate) mod document;
mod head;
pub(crate) mod raw;
pub(crate) mod sse;

use body::{Body, EventStream};
pub(crate) use dial::{client as outgoing, describe, is_private, is_private_ip};
use head::head;
pub(crate) use head::{Head, retry_after};

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
const LAST_EVENT: &str = "last-event-id";

/// How many redirects in a row are followed.
const MAX_REDIRECTS: usize = 5;

/// How much of an address is quoted, in characters.
const SHOWN: usize = 200;

/// How often one broken stream is taken up again.
const MAX_RESUMPTIONS: usize = 3;

/// How long a server may take to open the stream of its own messages.
const LISTEN: Duration = Duration::from_secs(2);

/// How long the DELETE at the end may take.
const DELETE: Duration = Duration::from_secs(2);

/// An address that is spoken to, and the state that the protocol asks for.
#[derive(Debug)]
pub(crate) struct HttpTransport {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    body: Option<Body>,
    resumptions: usize,
    /// Where the reply being read is taken up again; a stream that was taken up may
    /// itself end before it says.
    resumption: Option<(String, Duration)>,
    redirects: Vec<Redirect>,
    /// The stream that a GET opened, on which the server may ask what belongs to no
    /// request of ours.
    listener: Option<EventStream>,
}

/// Why there is no reply at all; a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HttpFault {
    /// No connection.
    Unreachable(String),
    /// The server points elsewhere, with this status.
    Redirected { status: u16, why: String },
    /// The connection broke before a reply came.
    Lost(String),
}

impl HttpTransport {
    /// A transport for an address; nothing is sent yet. The error is a sentence.
    pub(crate) fn new(url: &Url, headers: &[(String, Secret)]) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!(
                "`{}` addresses cannot be audited; use http or https",
                url.scheme()
            ));
        }
        Ok(Self {
            client: dial::client(url)?,
            headers: dial::headers(headers)?,
            url: url.clone(),
            session: None,
            version: None,
            body: None,
            resumptions: 0,
            resumption: None,
            redirects: Vec::new(),
            listener: None,
        })
    }

    /// Another transport for the same address, in no session.
    pub(crate) fn sibling(&self) -> Self {
        Self {
            client: self.client.clone(),
            headers: self.headers.clone(),
            url: self.url.clone(),
            session: None,
            version: None,
            body: None,
            resumptions: 0,
            resumption: None,
            redirects: Vec::new(),
            listener: None,
        }
    }

    /// The address that is spoken to.
    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    /// Whether headers of the user's go with each request.
    pub(crate) fn has_credentials(&self) -> bool {
        self.headers.values().any(HeaderValue::is_sensitive)
    }

    /// Forgets session and revision: the next message is an `initialize`.
    pub(crate) fn reset(&mut self) {
        self.session = None;
        self.version = None;
        self.body = None;
        self.listener = None;
    }

    /// Listens to what the server says of its own accord, where it offers that.
    pub(crate) async fn listen(&mut self) {
        let opened = self
            .build(Method::GET)
            .header(ACCEPT, "text/event-stream")
            .send();
        let Ok(Ok(response)) = tokio::time::timeout(LISTEN, opened).await else {
            return;
        };
        let head = head(&response);
        if head.is_stream() {
            self.listener = Some(EventStream::new(response));
        }
    }

    /// The revision that later requests name.
    pub(crate) fn set_version(&mut self, version: &str) {
        self.version = HeaderValue::from_str(version).ok();
    }

    /// Whether the server gave us a session.
    pub(crate) const fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// The id of that session.
    pub(crate) fn session_id(&self) -> Option<&[u8]> {
        self.session.as_ref().map(HeaderValue::as_bytes)
    }

    /// Redirects that were met since the last call.
    pub(crate) fn take_redirects(&mut self) -> Vec<Redirect> {
        std::mem::take(&mut self.redirects)
    }

    /// Sends a request with these headers besides the usual ones; its reply is then
    /// read by [`HttpTransport::next`].
    pub(crate) async fn post(
        &mut self,
        message: &str,
        headers: &[(String, String)],
    ) -> Result<Head, HttpFault> {
        self.body = None;
        self.resumptions = 0;
        self.resumption = None;
        let response = self.send(message, headers).await?;
        if let Some(session) = response.headers().get(SESSION)
            && self.session.is_none()
        {
            self.session = Some(session.clone());
        }
        let head = head(&response);
        self.body = Some(if head.is_stream() {
            Body::events(response)
        } else {
            Body::single(response)
        });
        Ok(head)
    }

    /// Sends a notification or an answer, beside the reply being read.
    pub(crate) async fn post_aside(
        &mut self,
        message: &str,
        headers: &[(String, String)],
    ) -> Result<Head, HttpFault> {
        let mut response = self.send(message, headers).await?;
        let head = head(&response);
        // An empty body is read so that the connection can be used again; a
        // long one is not worth it, and a stream may never say anything.
        if head.media != "text/event-stream" {
            let _ = response.chunk().await;
        }
        Ok(head)
    }

    /// The next message of the reply. A broken stream is taken up again where the
    /// server said how.
    pub(crate) async fn next(&mut self) -> Incoming {
        loop {
            let Some(body) = &mut self.body else {
                return Incoming::Ended("there is no reply to read".to_owned());
            };
            let incoming = match &mut self.listener {
                None => body.next().await,
                Some(listener) => tokio::select! {
                    biased;
                    incoming = body.next() => incoming,
                    heard = listener.next_message() => {
                        if matches!(heard, Incoming::Ended(_)) {
                            self.listener = None;
                            continue;
                        }
                        return heard;
                    }
                },
            };
            let Incoming::Ended(why) = incoming else {
                return incoming;
            };
            if let Some(resumption) = body.resumption() {
                self.resumption = Some(resumption);
            }
            let Some((last_event, wait)) = self
                .resumption
                .clone()
                .filter(|_| self.resumptions < MAX_RESUMPTIONS)
            else {
                return Incoming::Ended(why);
            };
            self.resumptions += 1;
            tokio::time::sleep(wait).await;
            match self.resume(&last_event).await {
                Ok(body) => self.body = Some(body),
                Err(refusal) => {
                    return Incoming::Ended(format!("{why}; taking it up again gave {refusal}"));
                }
            }
        }
    }

    /// Gives up the reply being read; closes its stream.
    pub(crate) fn abandon(&mut self) {
        self.body = None;
    }

    /// Ends the session. A server may refuse that (405).
    pub(crate) async fn end(mut self) {
        self.body = None;
        self.listener = None;
        if self.session.is_none() {
            return;
        }
        let delete = self.build(Method::DELETE).send();
        let _ = tokio::time::timeout(DELETE, delete).await;
    }

    async fn send(
        &mut self,
        message: &str,
        headers: &[(String, String)],
    ) -> Result<Response, HttpFault> {
        let mut status = 0;
        for _ in 0..MAX_REDIRECTS {
            let response = self
                .build(Method::POST)
                .headers(said(headers))
                .body(message.to_owned())
                .send()
                .await
                .map_err(|error| fault(&error))?;
            if !response.status().is_redirection() {
                return Ok(response);
            }
            status = response.status().as_u16();
            self.follow(&response)?;
        }
        Err(HttpFault::Redirected {
            status,
            why: format!("it redirects more than {MAX_REDIRECTS} times"),
        })
    }

    /// Only a redirect that keeps the method, to where our headers may go.
    fn follow(&mut self, response: &Response) -> Result<(), HttpFault> {
        self.follow_where(response, |status| matches!(status, 307 | 308))
    }

    fn follow_where(
        &mut self,
        response: &Response,
        keeps_the_method: impl Fn(u16) -> bool,
    ) -> Result<(), HttpFault> {
        let status = response.status().as_u16();
        let to = response
            .headers()
            .get(LOCATION)
            .and_then(|location| location.to_str().ok())
            .and_then(|location| self.url.join(location).ok());
        let followed = keeps_the_method(status)
            && to
                .as_ref()
                .is_some_and(|to| to.origin() == self.url.origin());
        self.redirects.push(Redirect {
            status,
            from: shown(&self.url),
            to: to.as_ref().map(shown),
            followed,
        });
        let Some(to) = to else {
            return Err(HttpFault::Redirected {
                status,
                why: format!("it answers with a redirect (HTTP {status}) that leads nowhere"),
            });
        };
        if !followed {
            return Err(HttpFault::Redirected {
                status,
                why: format!(
                    "it redirects (HTTP {status}) to {}, which is not followed; audit that address instead",
                    shown(&to)
                ),
            });
        }
        self.url = to;
        Ok(())
    }

    async fn resume(&self, last_event: &str) -> Result<Body, String> {
        let response = self
            .build(Method::GET)
            .header(ACCEPT, "text/event-stream")
            .header(LAST_EVENT, last_event)
            .send()
            .await
            .map_err(|error| describe(&error))?;
        let head = head(&response);
        if head.is_stream() {
            Ok(Body::events(response))
        } else {
            Err(head.describe())
        }
    }

    fn build(&self, method: Method) -> reqwest::RequestBuilder {
        let mut headers = self.headers.clone();
        if method != Method::POST {
            headers.remove(CONTENT_TYPE);
            headers.remove(ACCEPT);
        }
        if let Some(session) = &self.session {
            headers.insert(SESSION, session.clone());
        }
        if let Some(version) = &self.version {
            headers.insert(VERSION, version.clone());
        }
        self.client
            .request(method, self.url.clone())
            .headers(headers)
    }
}

/// Headers that the protocol adds to one message; what no header can hold is left
/// out.
fn said(headers: &[(String, String)]) -> HeaderMap {
    headers
        .iter()
        .filter_map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value).ok()?))
        })
        .collect()
}

/// An address without what may be secret (user, query, fragment), cut at
/// [`SHOWN`] characters.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    let text = url.as_str();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn fault(error: &reqwest::Error) -> HttpFault {
    let why = describe(error);
    if error.is_connect() {
        HttpFault::Unreachable(why)
    } else {
        HttpFault::Lost(why)
    }
}
