//! Either transport behind one face.

use std::time::Duration;

use super::ConnectSettings;
use crate::model::evidence::ProbeState;
use crate::model::target::Target;
use crate::transport::Incoming;
use crate::transport::http::{Head, HttpFault, HttpTransport, shown};
use crate::transport::stdio::{Ending, StdioTransport};

/// What carries the messages of a connection.
#[derive(Debug)]
pub(super) enum Link {
    Stdio(Box<StdioTransport>),
    Http {
        transport: Box<HttpTransport>,
        /// `false` once a connection was refused or lost.
        open: bool,
        /// The head of the reply being read.
        head: Option<Head>,
    },
    /// Ended, or not started again.
    Gone,
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
                    open: true,
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
    pub(super) async fn send(&mut self, message: &str) -> Result<(), HttpFault> {
        match self {
            Self::Stdio(transport) => transport.send(message).await,
            Self::Http {
                transport,
                open,
                head,
            } => {
                *head = None;
                match transport.post(message).await {
                    Ok(found) => {
                        *open = true;
                        *head = Some(found);
                    }
                    Err(fault) => {
                        *open &= matches!(fault, HttpFault::Redirected { .. });
                        return Err(fault);
                    }
                }
            }
            Self::Gone => {}
        }
        Ok(())
    }

    /// What comes next in reply.
    pub(super) async fn next(&mut self) -> Incoming {
        match self {
            Self::Stdio(transport) => transport.next().await,
            Self::Http { transport, .. } => transport.next().await,
            Self::Gone => Incoming::Ended("the connection is closed".to_owned()),
        }
    }

    /// What came since the last reply. Over HTTP nothing comes without a request.
    pub(super) fn arrived(&mut self) -> Vec<Incoming> {
        match self {
            Self::Stdio(transport) => transport.arrived(),
            Self::Http { .. } | Self::Gone => Vec::new(),
        }
    }

    /// Sends a notification; over HTTP, how it was taken.
    pub(super) async fn notify(&mut self, message: &str) -> Option<Result<Head, HttpFault>> {
        match self {
            Self::Stdio(transport) => {
                transport.send(message).await;
                None
            }
            Self::Http { transport, .. } => Some(transport.post_aside(message).await),
            Self::Gone => None,
        }
    }

    /// Answers a request of the server.
    pub(super) async fn answer(&mut self, message: &str) {
        match self {
            Self::Stdio(transport) => {
                let _ = transport.try_send(message);
            }
            Self::Http { transport, .. } => {
                let _ = transport.post_aside(message).await;
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
            Self::Http { open, .. } => *open,
            Self::Gone => false,
        }
    }

    /// The head of the HTTP reply being read.
    pub(super) const fn head(&self) -> Option<&Head> {
        match self {
            Self::Http { head, .. } => head.as_ref(),
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
            Self::Gone => None,
        }
    }
}

/// What was remarkable about an end, in a sentence.
pub(super) fn ending(ending: Ending) -> Option<String> {
    match ending {
        Ending::Earlier | Ending::EndOfInput => None,
        Ending::Term(eof) => Some(format!(
            "the server did not exit within {:.1} s after its standard input was closed; SIGTERM ended it",
            eof.as_secs_f64()
        )),
        Ending::Kill(eof, term) => Some(format!(
            "the server did not exit within {:.1} s after its standard input was closed, nor within {:.1} s after SIGTERM; SIGKILL ended it",
            eof.as_secs_f64(),
            term.as_secs_f64()
        )),
    }
}
