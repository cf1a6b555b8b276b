//! Every transport behind one face.

use std::time::Duration;

use super::ConnectSettings;
use crate::model::contact::Carrier;
use crate::model::evidence::ProbeState;
use crate::model::target::Target;
use crate::model::wire::Ending;
use crate::transport::Incoming;
use crate::transport::http::sse::SseTransport;
use crate::transport::http::{Head, HttpFault, HttpTransport, shown};
use crate::transport::stdio::StdioTransport;

/// What carries the messages of a connection.
#[derive(Debug)]
pub(super) enum Link {
    Stdio(Box<StdioTransport>),
    Http {
        transport: Box<HttpTransport>,
        presence: Presence,
        /// The head of the reply being read.
        head: Option<Head>,
    },
    /// HTTP with SSE.
    Sse(Box<SseTransport>),
    /// Ended, or not started again.
    Gone,
}

/// Whether somebody is at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// As far as is known.
    There,
    /// The last connection broke.
    Lost,
    /// The last one was not even made.
    Unreachable,
}

/// A message of ours, and what HTTP says besides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outgoing<'a> {
    pub(super) text: &'a str,
    pub(super) headers: &'a [(String, String)],
}

impl Link {
    /// Starts or prepares what the target needs; the error is a sentence.
    pub(super) async fn open(settings: &ConnectSettings) -> Result<Self, (ProbeState, String)> {
        match &settings.target {
            Target::Command(command) => {
                let starting = StdioTransport::start(command, &settings.spawner);
                // Only a guard that is none can make this wait.
                match tokio::time::timeout(settings.startup_timeout, starting).await {
                    Ok(Ok(transport)) => Ok(Self::Stdio(Box::new(transport))),
                    Ok(Err(error)) => Err((ProbeState::SpawnError, error.to_string())),
                    Err(_) => Err((
                        ProbeState::SpawnError,
                        "the server could not be started in time".to_owned(),
                    )),
                }
            }
            Target::Url(url) => match HttpTransport::new(url, &settings.headers) {
                Ok(transport) => Ok(Self::Http {
                    transport: Box::new(transport),
                    presence: Presence::There,
                    head: None,
                }),
                Err(message) => Err((
                    ProbeState::Unreachable,
                    format!("{} cannot be reached: {message}", shown(url)),
                )),
            },
        }
    }

    /// Sends a request. Over stdio the faults show up in [`Link::next`].
    pub(super) async fn send(&mut self, message: Outgoing<'_>) -> Result<(), HttpFault> {
        match self {
            Self::Stdio(transport) => transport.send(message.text).await,
            Self::Sse(transport) => transport.post(message.text, message.headers),
            Self::Http {
                transport,
                presence,
                head,
            } => {
                *head = None;
                match transport.post(message.text, message.headers).await {
                    Ok(found) => {
                        *presence = Presence::There;
                        *head = Some(found);
                    }
                    Err(fault) => {
                        match fault {
                            HttpFault::Redirected { .. } => {}
                            HttpFault::Lost(_) => *presence = Presence::Lost,
                            HttpFault::Unreachable(_) => *presence = Presence::Unreachable,
                        }
                        return Err(fault);
                    }
                }
            }
            Self::Gone => {}
        }
        Ok(())
    }

    /// Sends a text as it is, over stdio.
    pub(super) async fn send_text(&mut self, text: &str) {
        if let Self::Stdio(transport) = self {
            transport.send(text).await;
        }
    }

    /// What carries the messages to this target.
    pub(super) const fn carrier(&self, target: &Target) -> Carrier {
        match (self, target) {
            (Self::Sse(_), _) => Carrier::Sse,
            (Self::Stdio(_), _) | (Self::Gone, Target::Command(_)) => Carrier::Stdio,
            (Self::Http { .. }, _) | (Self::Gone, Target::Url(_)) => Carrier::StreamableHttp,
        }
    }

    /// What comes next in reply.
    pub(super) async fn next(&mut self) -> Incoming {
        match self {
            Self::Stdio(transport) => transport.next().await,
            Self::Http { transport, .. } => transport.next().await,
            Self::Sse(transport) => transport.next().await,
            Self::Gone => Incoming::Ended("the connection is closed".to_owned()),
        }
    }

    /// What came since the last reply. Over HTTP nothing comes without a request.
    pub(super) async fn arrived(&mut self) -> Vec<Incoming> {
        match self {
            Self::Stdio(transport) => transport.arrived(),
            Self::Sse(transport) => transport.arrived().await,
            Self::Http { .. } | Self::Gone => Vec::new(),
        }
    }

    /// Sends a notification; over HTTP, how it was taken.
    pub(super) async fn notify(
        &mut self,
        message: Outgoing<'_>,
    ) -> Option<Result<Head, HttpFault>> {
        match self {
            Self::Stdio(transport) => {
                transport.send(message.text).await;
                None
            }
            Self::Sse(transport) => {
                transport.post_aside(message.text, message.headers);
                None
            }
            Self::Http { transport, .. } => {
                Some(transport.post_aside(message.text, message.headers).await)
            }
            Self::Gone => None,
        }
    }

    /// Answers a request of the server.
    pub(super) async fn answer(&mut self, message: &str) {
        match self {
            Self::Stdio(transport) => {
                let _ = transport.try_send(message);
            }
            Self::Sse(transport) => transport.post_aside(message, &[]),
            Self::Http { transport, .. } => {
                let _ = transport.post_aside(message, &[]).await;
            }
            Self::Gone => {}
        }
    }

    /// Gives up the reply being waited for.
    pub(super) fn abandon(&mut self) {
        if let Self::Http { transport, .. } = self {
            transport.abandon();
        }
    }

    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Stdio(transport) => transport.is_open(),
            Self::Http { presence, .. } => *presence == Presence::There,
            Self::Sse(transport) => transport.is_open(),
            Self::Gone => false,
        }
    }

    /// Whether nobody was at the address when something was sent last.
    pub(super) const fn is_unreachable(&self) -> bool {
        matches!(
            self,
            Self::Http {
                presence: Presence::Unreachable,
                ..
            }
        )
    }

    /// The head of the HTTP reply being read.
    pub(super) const fn head(&self) -> Option<&Head> {
        match self {
            Self::Http { head, .. } => head.as_ref(),
            Self::Stdio(_) | Self::Sse(_) | Self::Gone => None,
        }
    }

    /// Remembers the head of a reply that was read beside.
    pub(super) fn set_head(&mut self, found: Head) {
        if let Self::Http { head, .. } = self {
            *head = Some(found);
        }
    }

    /// The revision that later messages over HTTP name.
    pub(super) fn set_version(&mut self, version: &str) {
        match self {
            Self::Http { transport, .. } => transport.set_version(version),
            Self::Sse(transport) => transport.set_version(version),
            Self::Stdio(_) | Self::Gone => {}
        }
    }

    /// Listens over Streamable HTTP to what the server says of its own accord.
    pub(super) async fn listen(&mut self) {
        if let Self::Http { transport, .. } = self {
            transport.listen().await;
        }
    }

    /// Forgets session and revision: what comes next is a first message.
    pub(super) fn reset(&mut self) {
        if let Self::Http { transport, .. } = self {
            transport.reset();
        }
    }

    /// The HTTP transport by which single requests are made.
    pub(super) fn http(&self) -> Option<&HttpTransport> {
        match self {
            Self::Http { transport, .. } => Some(transport),
            Self::Sse(transport) => Some(transport.http()),
            Self::Stdio(_) | Self::Gone => None,
        }
    }

    /// Ends it; what it took to end a process.
    /// The waits shrink as soon as `hurry` is over.
    pub(super) async fn end(
        self,
        limit: Duration,
        hurry: impl Future<Output = ()> + Send,
    ) -> Option<Ending> {
        match self {
            Self::Stdio(transport) => Some(transport.end(limit, hurry).await),
            Self::Http { transport, .. } => {
                // Two seconds at most, hurry or not.
                transport.end().await;
                None
            }
            Self::Sse(_) | Self::Gone => None,
        }
    }
}
