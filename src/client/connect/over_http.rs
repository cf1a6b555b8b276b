//! The way to an address: Streamable HTTP of either era, and HTTP with SSE.

use tokio::time::{Instant, timeout_at};

use super::super::link::Link;
use super::super::{Connection, Reply};
use super::discover::Discovery;
use super::{Refusal, UNLIMITED, Unreached, millis};
use crate::model::contact::{Attempt, Carrier, Era, EraChoice, SseEndpoint};
use crate::protocol::jsonrpc::METHOD_NOT_FOUND;
use crate::protocol::revision::OFFERED;
use crate::transport::from_now;
use crate::transport::http::sse::{NoStream, SseTransport};
use crate::transport::http::{Head, HttpFault, shown};

/// How much of an `endpoint` event is kept, in bytes.
const KEPT_ENDPOINT: usize = 2 * 1024;

/// What the GET of HTTP with SSE is called.
const GET: &str = "GET (endpoint event)";

/// Why there is no stream to speak over.
#[derive(Debug)]
pub(super) enum NoOlder {
    /// Whatever is there does not speak HTTP with SSE; what came instead.
    Absent(String),
    /// The GET was turned away with this head.
    TurnedAway(Head),
    /// It does, and names an address that is not used; why.
    Foreign(String),
}

impl Connection {
    /// Over HTTP.
    pub(super) async fn reach_address(&mut self, by: Instant) -> Result<(), Unreached> {
        if self.settings.approach.reach.carrier == Some(Carrier::Sse) {
            self.open_stream(by)
                .await
                .map_err(|no_stream| self.explain_stream(no_stream))?;
            let legacy = self.legacy(&self.offer(), by).await;
            return legacy.map_err(|refusal| self.explain(*refusal));
        }
        match self.settings.approach.reach.era {
            EraChoice::Only(Era::Legacy) => self.handshake_or_older(by).await,
            EraChoice::Only(Era::Modern) => {
                match self.discover(&self.spoken(), UNLIMITED, by).await {
                    Discovery::Modern => Ok(()),
                    Discovery::Legacy(refusal, _)
                    | Discovery::NoReply(refusal)
                    | Discovery::Refused(refusal) => Err(self.explain(*refusal)),
                }
            }
            EraChoice::Both => match self.discover(&self.spoken(), self.probe_limit(), by).await {
                Discovery::Modern => Ok(()),
                Discovery::Refused(refusal) => Err(self.explain(*refusal)),
                Discovery::NoReply(refusal) if self.is_over() => Err(self.explain(*refusal)),
                Discovery::Legacy(_, offer) if offer != OFFERED => {
                    let legacy = self.legacy(&offer, by).await;
                    legacy.map_err(|refusal| self.explain(*refusal))
                }
                Discovery::Legacy(..) | Discovery::NoReply(_) => self.handshake_or_older(by).await,
            },
        }
    }

    /// The handshake over Streamable HTTP, else over HTTP with SSE, else a modern
    /// request without any handshake.
    async fn handshake_or_older(&mut self, by: Instant) -> Result<(), Unreached> {
        let Err(refusal) = self.legacy(&self.offer(), by).await else {
            return Ok(());
        };
        let may_be_modern =
            refusal.says_no_such_method() && self.settings.approach.reach.era == EraChoice::Both;
        let may_be_older =
            refusal.permits_older() && self.settings.approach.reach.carrier.is_none();
        let unreached = self.explain(*refusal);
        let older = if may_be_older {
            self.open_stream(by).await
        } else {
            Err(NoOlder::Absent("it was not asked for".to_owned()))
        };
        match older {
            Ok(()) => {
                let legacy = self.legacy(&self.offer(), by).await;
                legacy.map_err(|refusal| self.explain(*refusal))
            }
            Err(foreign @ NoOlder::Foreign(_)) => Err(self.explain_stream(foreign)),
            Err(NoOlder::Absent(_) | NoOlder::TurnedAway(_)) if may_be_modern => {
                // What it says to that is no better than what it said first.
                self.try_blindly(by).await.map_err(|_| unreached)
            }
            Err(NoOlder::Absent(_) | NoOlder::TurnedAway(_)) => Err(unreached),
        }
    }

    /// Opens the stream of HTTP with SSE at the target's address.
    pub(super) async fn open_stream(&mut self, by: Instant) -> Result<(), NoOlder> {
        let gone = NoOlder::Absent("the connection is closed".to_owned());
        let mut http = match &self.link {
            Link::Http { transport, .. } => transport.sibling(),
            Link::Sse(transport) => transport.reopened(),
            Link::Stdio(_) | Link::Gone => return Err(gone),
        };
        let address = http.url().clone();
        let began = Instant::now();
        let limit = from_now(self.probe_limit()).min(by);
        let opened = timeout_at(limit, SseTransport::open(&mut http)).await;
        for redirect in http.take_redirects() {
            self.ledger.redirected(redirect);
        }
        let mut attempt = Attempt {
            what: GET.to_owned(),
            ms: millis(began.elapsed()),
            ..Attempt::default()
        };
        let result = match opened {
            Ok(Ok((transport, endpoint))) => {
                self.contact.endpoint = Some(SseEndpoint {
                    given: self.keep_endpoint(&endpoint.given),
                    resolved: endpoint.resolved.as_ref().map(shown),
                    refused: None,
                });
                attempt.status = Some(200);
                attempt.media = Some("text/event-stream".to_owned());
                // Without its query: that is where a session stands.
                attempt.head = endpoint.resolved.as_ref().map(shown);
                "a stream of HTTP with SSE".clone_into(&mut attempt.outcome);
                self.link = Link::Sse(Box::new(transport));
                Ok(())
            }
            Ok(Err(NoStream::Foreign(endpoint))) => {
                let why = endpoint.refusal(&address);
                self.contact.endpoint = Some(SseEndpoint {
                    given: self.keep_endpoint(&endpoint.given),
                    resolved: endpoint.resolved.as_ref().map(shown),
                    refused: Some(self.ledger.clean(&why)),
                });
                attempt.status = Some(200);
                attempt.media = Some("text/event-stream".to_owned());
                attempt.outcome.clone_from(&why);
                Err(NoOlder::Foreign(why))
            }
            Ok(Err(NoStream::NoEndpoint(head, why))) => {
                attempt.status = Some(head.status);
                attempt.media = Some(head.media);
                attempt.outcome = format!("no `endpoint` event: {why}");
                Err(NoOlder::Absent(attempt.outcome.clone()))
            }
            Ok(Err(NoStream::Answered(head))) => {
                attempt.status = Some(head.status);
                attempt.media = Some(head.media.clone()).filter(|media| !media.is_empty());
                "no event stream".clone_into(&mut attempt.outcome);
                Err(NoOlder::TurnedAway(head))
            }
            Ok(Err(NoStream::Fault(fault))) => {
                attempt.outcome = match fault {
                    HttpFault::Redirected { status, why } => {
                        attempt.status = Some(status);
                        why
                    }
                    HttpFault::Unreachable(why) | HttpFault::Lost(why) => why,
                };
                Err(NoOlder::Absent(attempt.outcome.clone()))
            }
            Err(_) => {
                "no `endpoint` event in time".clone_into(&mut attempt.outcome);
                Err(NoOlder::Absent(attempt.outcome.clone()))
            }
        };
        self.note_attempt(attempt);
        result
    }

    fn keep_endpoint(&self, given: &str) -> String {
        use crate::model::secret::Torn;
        self.ledger
            .clean_and_bound(given, KEPT_ENDPOINT, Torn::Nowhere)
    }
}

impl Refusal {
    /// Whether this answer to `initialize` may be that of a server of HTTP with SSE.
    fn permits_older(&self) -> bool {
        let status = self.exchanged.exchange.http_status;
        match self.exchanged.reply {
            Reply::Error { .. } | Reply::Broken | Reply::HttpRefused { .. } => {
                matches!(status, Some(400..=599))
                    && !matches!(status, Some(401 | 403 | 407 | 429 | 451))
                    || matches!(self.exchanged.reply, Reply::Broken)
            }
            Reply::Result(_) | Reply::Timeout | Reply::Closed => false,
        }
    }

    fn says_no_such_method(&self) -> bool {
        self.exchanged.exchange.http_status == Some(404)
            || matches!(self.exchanged.reply, Reply::Error { code, .. } if code == METHOD_NOT_FOUND)
    }
}
