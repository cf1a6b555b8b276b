//! The way to a server: which era it speaks, over which transport.
//!
//! `server/discover` is asked first. A server that knows it is modern; every other
//! answer, and silence, leads to the `initialize` handshake, over HTTP from there to
//! HTTP with SSE. Each step is written down as an [`Attempt`].
//!
//! Source: MCP 2026-07-28, "Versioning: Compatibility", and "Transports" of every
//! revision.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::exchange::{GiveUp, MAX_RATE_WAITS};
use super::ledger::Ledger;
use super::link::Link;
use super::sort::Output;
use super::{ConnectSettings, Connection, Discovered, Exchanged};
use crate::model::contact::{Attempt, Carrier, Era, EraChoice, Reach};
use crate::model::evidence::{Failure, ProbeState};
use crate::model::target::Target;
use crate::protocol::revision::{OFFERED, Revision};
use crate::transport::from_now;
use discover::Discovery;

mod auth;
pub(super) mod discover;
mod explain;
mod initialize;
mod over_http;

/// How much of what came is kept with an attempt, in bytes.
const KEPT_HEAD: usize = 200;

/// How many attempts are kept.
const MAX_ATTEMPTS: usize = 50;

/// No limit of its own.
const UNLIMITED: Duration = Duration::MAX;

/// How often a server may say that it is not ready yet (HTTP 503).
const MAX_COLD_STARTS: usize = 3;

/// How long a server that is not heard is asked in another framing.
const FRAMED: Duration = Duration::from_secs(1);

/// How a server may be reached, and how the client behaves.
#[derive(Debug, Clone)]
pub struct Approach {
    /// What the user forces.
    pub reach: Reach,
    /// How long a server may take for the first probe of its era; a third of the
    /// start-up limit at most. Also the wait for an `endpoint` event.
    pub probe_limit: Duration,
    /// The way that led to the server before; then nothing is probed.
    pub way: Option<Way>,
}

impl Default for Approach {
    fn default() -> Self {
        Self {
            reach: Reach::default(),
            probe_limit: Duration::from_secs(10),
            way: None,
        }
    }
}

/// A way that led to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The era that is spoken.
    pub era: Era,
    /// What carries the messages.
    pub carrier: Carrier,
    /// The revision that was offered, or that requests name.
    pub revision: Revision,
}

/// Why there is no connection: the state, and what to show for it.
pub(super) type Unreached = (ProbeState, Failure);

/// A first message that was not taken as hoped.
#[derive(Debug)]
pub(super) struct Refusal {
    /// Which method it was.
    method: &'static str,
    exchanged: Exchanged,
    /// From the first sending to the refusal.
    waited: Duration,
    /// Whether the run's own end came first.
    is_over: bool,
}

impl Connection {
    /// Finds the way to the server and goes it.
    pub(super) async fn reach(&mut self) -> Result<(), Unreached> {
        let reached = self.find_way().await;
        if let Err((ProbeState::Unauthorized, _)) = &reached {
            self.read_auth_metadata().await;
        }
        reached?;
        let way = self.way_gone();
        self.contact.era = Some(way.era);
        self.contact.carrier = Some(way.carrier);
        self.settings.approach.way = Some(way);
        Ok(())
    }

    async fn find_way(&mut self) -> Result<(), Unreached> {
        let by = self.settings.startup_deadline();
        if let Some(way) = self.settings.approach.way.clone() {
            return self.go(&way, by).await;
        }
        match self.settings.target {
            Target::Command(_) => self.reach_process(by).await,
            Target::Url(_) => self.reach_address(by).await,
        }
    }

    /// The way that is known, without looking for another.
    pub(super) async fn go(&mut self, way: &Way, by: Instant) -> Result<(), Unreached> {
        if way.carrier == Carrier::Sse && !matches!(self.link, Link::Sse(_)) {
            self.open_stream(by)
                .await
                .map_err(|no_stream| self.explain_stream(no_stream))?;
        }
        let gone = match way.era {
            Era::Legacy => self.initialize(&way.revision, by).await,
            // One that is modern without `server/discover` is not asked again.
            Era::Modern if self.discovered == Discovered::Nothing => {
                self.speak(Era::Modern, &way.revision);
                return Ok(());
            }
            Era::Modern => match self.discover(&way.revision, UNLIMITED, by).await {
                Discovery::Modern => Ok(()),
                Discovery::Legacy(refusal, _)
                | Discovery::NoReply(refusal)
                | Discovery::Refused(refusal) => Err(refusal),
            },
        };
        gone.map_err(|refusal| self.explain(*refusal))
    }

    /// Over stdio. One that stays silent or ends may have been put off by a first
    /// message that it does not know: then a fresh process gets `initialize`.
    async fn reach_process(&mut self, by: Instant) -> Result<(), Unreached> {
        let refusal = match self.settings.approach.reach.era {
            EraChoice::Only(Era::Legacy) => {
                let legacy = self.legacy(&self.offer(), by).await;
                return self.or_framed(legacy).await;
            }
            EraChoice::Only(Era::Modern) => {
                let revision = self.spoken();
                match self.discover(&revision, UNLIMITED, by).await {
                    Discovery::Modern => return Ok(()),
                    Discovery::Legacy(refusal, _)
                    | Discovery::NoReply(refusal)
                    | Discovery::Refused(refusal) => {
                        return Err(self.explain(*refusal));
                    }
                }
            }
            EraChoice::Both => match self.discover(&self.spoken(), self.probe_limit(), by).await {
                Discovery::Modern => return Ok(()),
                Discovery::Legacy(_, offer) => {
                    let legacy = self.legacy(&offer, by).await;
                    return self.or_framed(legacy).await;
                }
                Discovery::Refused(refusal) => return Err(self.explain(*refusal)),
                Discovery::NoReply(refusal) => refusal,
            },
        };
        if self.is_over() || self.speaks_in_frames().await {
            return Err(self.explain(*refusal));
        }
        self.fresh_process().await?;
        let by = self.settings.startup_deadline();
        let legacy = self.legacy(&OFFERED, by).await;
        self.or_framed(legacy).await
    }

    /// Explains a failed handshake; one that was met by silence may be framed.
    async fn or_framed(&mut self, legacy: Result<(), Box<Refusal>>) -> Result<(), Unreached> {
        let Err(refusal) = legacy else {
            return Ok(());
        };
        if refusal.is_silence() {
            self.speaks_in_frames().await;
        }
        Err(self.explain(*refusal))
    }

    /// A process in place of the one that the probe put off, as if it had been the
    /// first: what went wrong there is not the server's fault.
    async fn fresh_process(&mut self) -> Result<(), Unreached> {
        self.replace_process().await?;
        self.ledger = Ledger::new(self.settings.redactor.clone());
        self.last_id = 0;
        self.odd_ids = false;
        Ok(())
    }

    /// Ends the process and starts another.
    pub(super) async fn replace_process(&mut self) -> Result<(), Unreached> {
        // It crashed or hangs: it gets no long farewell.
        let old = std::mem::replace(&mut self.link, Link::Gone);
        old.end(Duration::from_millis(600), std::future::pending())
            .await;
        self.given_up.clear();
        self.output = Output::default();
        self.link = Link::open(&self.settings)
            .await
            .map_err(|(state, message)| (state, self.settings.bare_failure(&message)))?;
        Ok(())
    }

    /// Whether a process that runs and says nothing speaks once it is asked in the
    /// framing of editor protocols, which the stdio transport does not allow.
    async fn speaks_in_frames(&mut self) -> bool {
        if self.ledger.saw_frames() {
            return true;
        }
        if !matches!(self.link, Link::Stdio(_)) || !self.link.is_open() || self.is_over() {
            return false;
        }
        let asked = self.initialize_request(&OFFERED);
        // The empty line ends what the server may take for a header until now.
        let framed = format!("\r\n\r\nContent-Length: {}\r\n\r\n{asked}", asked.len());
        let answered = timeout(FRAMED, async {
            self.link.send_text(&framed).await;
            while self.link.is_open() && !self.ledger.saw_frames() {
                self.write_down_next().await;
            }
        });
        let _ = answered.await;
        self.ledger.saw_frames()
    }

    /// Sends a first message again while the server asks to wait for it; each answer
    /// is waited for no longer than `each`.
    pub(super) async fn patient_exchange(
        &mut self,
        method: &'static str,
        params: Option<&str>,
        each: Duration,
        by: Instant,
    ) -> Box<Refusal> {
        let began = Instant::now();
        let mut waits = 0;
        loop {
            let until = from_now(each).min(by);
            let exchanged = self.exchange(method, params, until, GiveUp::Silent).await;
            let wait = self
                .told_to_wait(&exchanged)
                .filter(|wait| waits < MAX_RATE_WAITS && !wait.is_zero() && from_now(*wait) < by);
            let refusal = Box::new(Refusal {
                method,
                exchanged,
                waited: began.elapsed(),
                is_over: self.is_over(),
            });
            let Some(wait) = wait else {
                return refusal;
            };
            self.attempted(&refusal, "told to wait");
            waits += 1;
            tokio::time::sleep(wait).await;
        }
    }

    /// How long the server wants us to wait: a rate limit that says so, or a start
    /// that is not over.
    fn told_to_wait(&self, exchanged: &Exchanged) -> Option<Duration> {
        let head = self.link.head()?;
        match exchanged.exchange.http_status? {
            429 => head.retry_after,
            503 if self.cold_starts() < MAX_COLD_STARTS => {
                Some(head.retry_after.unwrap_or(Duration::from_secs(1)))
            }
            _ => None,
        }
    }

    fn cold_starts(&self) -> usize {
        let attempts = self.contact.attempts.iter();
        attempts
            .filter(|attempt| attempt.status == Some(503))
            .count()
    }

    /// Writes an attempt down; `outcome` is a sentence.
    fn attempted(&mut self, refusal: &Refusal, outcome: impl Into<String>) {
        let exchange = &refusal.exchanged.exchange;
        let head = exchange.reply.as_deref().filter(|reply| !reply.is_empty());
        let attempt = Attempt {
            what: refusal.method.to_owned(),
            status: exchange.http_status,
            media: self
                .link
                .head()
                .map(|head| head.media.clone())
                .filter(|media| !media.is_empty() && exchange.http_status.is_some()),
            head: head.map(|reply| reply[..reply.floor_char_boundary(KEPT_HEAD)].to_owned()),
            outcome: outcome.into(),
            ms: millis(refusal.exchanged.latency),
        };
        self.note_attempt(attempt);
    }

    /// Once the way is known, what is tried later is no part of it.
    fn note_attempt(&mut self, attempt: Attempt) {
        if self.contact.era.is_none() && self.contact.attempts.len() < MAX_ATTEMPTS {
            let outcome = self.ledger.clean_and_cut(&attempt.outcome, KEPT_HEAD);
            self.contact.attempts.push(Attempt { outcome, ..attempt });
        }
    }

    /// From now on this era is spoken.
    fn speak(&mut self, era: Era, revision: &Revision) {
        self.era = era;
        self.revision = revision.clone();
        self.link.reset();
        if era == Era::Modern {
            self.link.set_version(revision.as_str());
        }
    }

    /// The modern revision that requests name.
    fn spoken(&self) -> Revision {
        let asked = self.settings.approach.reach.revision.clone();
        asked
            .filter(Revision::is_modern)
            .unwrap_or(crate::protocol::revision::MODERN)
    }

    /// The legacy revision that is offered.
    fn offer(&self) -> Revision {
        let asked = self.settings.approach.reach.revision.clone();
        asked.filter(Revision::is_legacy).unwrap_or(OFFERED)
    }

    fn probe_limit(&self) -> Duration {
        let share = self.settings.startup_timeout / 3;
        self.settings.approach.probe_limit.min(share)
    }

    fn way_gone(&self) -> Way {
        Way {
            era: self.era,
            carrier: self.link.carrier(&self.settings.target),
            revision: self.revision.clone(),
        }
    }
}

impl Refusal {
    /// Whether there was no reply and the other side is still there.
    fn is_silence(&self) -> bool {
        matches!(self.exchanged.reply, super::Reply::Timeout)
    }
}

impl ConnectSettings {
    /// A failure with these words alone, cleaned.
    pub(super) fn bare_failure(&self, message: &str) -> Failure {
        Failure {
            message: self.redactor.clean(message).into_owned(),
            exit: None,
            stderr_tail: None,
            exchange: None,
        }
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
