//! An initialised exchange with a target.
//!
//! The client is our own: an auditor has to see the raw messages, and must not
//! share a parser with what it audits. A broken or hostile server is no error
//! here; it is what an [`Exchanged`] or a [`Gathered`] tells of.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::model::contact::{Answer, Contact, Era};
use crate::model::evidence::{CutShort, Failure, ProbeState, Wire};
use crate::model::fuzz::Exchange;
use crate::model::inventory::{Inventory, ServerInfo};
use crate::model::secret::{Redactor, Secret, Torn};
use crate::model::target::{Target, TransportKind};
use crate::protocol::message::Decoded;
use crate::protocol::param_headers::ParamHeader;
use crate::protocol::revision::{OFFERED, Revision};
use crate::transport::{Spawner, from_now};
use connect::Unreached;
use ledger::Ledger;
use link::Link;
use sort::Output;

mod answers;
mod connect;
mod exchange;
mod gather;
mod ledger;
mod link;
mod modern;
mod notify;
mod other_era;
pub mod probe;
mod raw;
mod sort;

pub use connect::{Approach, Way};
pub use other_era::other_era;
pub use raw::{RawHttp, RawHttpReply};

/// Everything needed to reach a target.
#[derive(Debug, Clone)]
pub struct ConnectSettings {
    /// What is audited.
    pub target: Target,
    /// Extra HTTP headers, already checked.
    pub headers: Vec<(String, Secret)>,
    /// From the start to the reply to `initialize`.
    pub startup_timeout: Duration,
    /// For one request of [`Connection::gather`].
    pub call_timeout: Duration,
    /// The end of the whole run; no wait goes beyond it.
    pub deadline: Instant,
    /// Cleans everything that is kept.
    pub redactor: Redactor,
    /// Who starts a stdio server.
    pub spawner: Spawner,
    /// Which era, transport and revision, and how the server is answered.
    pub approach: Approach,
}

/// Why there is no connection.
#[derive(Debug, Clone)]
pub struct ConnectFailure {
    /// How far it came.
    pub state: ProbeState,
    /// What happened.
    pub failure: Failure,
    /// What was tried.
    pub contact: Contact,
    /// What was seen until then.
    pub wire: Wire,
    /// Whether the run's own end came first.
    pub cut_short: Option<CutShort>,
}

/// A request and what came of it.
#[derive(Debug)]
pub struct Exchanged {
    /// What is kept of it: cleaned, and cut at 16 KiB.
    pub exchange: Exchange,
    /// The reply, whole and not cleaned: to be judged, not to be kept.
    pub reply: Reply,
    /// From sending to the reply, or to giving up.
    pub latency: Duration,
    /// Offset of the first byte of the reply that is not UTF-8.
    pub invalid_utf8_at: Option<usize>,
    /// Of [`Connection::raw`] alone: messages that came before the reply, or in place
    /// of one; cleaned, each cut at 2 KiB, 20 at most.
    pub between: Vec<String>,
}

/// How a request was answered.
#[derive(Debug, Clone)]
pub enum Reply {
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
    /// Nothing within the limit.
    Timeout,
    /// Something that is no JSON-RPC response.
    Broken,
    /// HTTP said no before any MCP was spoken: credentials, a rate limit, a pause or
    /// a redirect that is not followed.
    HttpRefused {
        /// 401, 403, 407, 429, 503 or 3xx.
        status: u16,
    },
    /// The process ended or the transport closed.
    Closed,
}

/// What a server declares, as far as it could be read.
#[derive(Debug)]
pub struct Gathered {
    /// Identity, capabilities, lists.
    pub inventory: Inventory,
    /// Why the tools could not be listed.
    pub failure: Option<(ProbeState, Failure)>,
    /// Whether the run's own end came before that of the lists.
    pub cut_short: Option<CutShort>,
}

/// An initialised exchange with a target.
#[derive(Debug)]
pub struct Connection {
    settings: ConnectSettings,
    link: Link,
    ledger: Ledger,
    identity: Identity,
    contact: Box<Contact>,
    /// The era that is spoken now, and the revision that was offered or that requests
    /// name.
    era: Era,
    revision: Revision,
    discovered: Discovered,
    /// The parameters that calls repeat as headers, by tool.
    param_headers: BTreeMap<String, Vec<ParamHeader>>,
    last_id: u64,
    /// Requests that were given up and not answered since.
    given_up: BTreeSet<u64>,
    /// What was seen of this process's standard output as a stream.
    output: Output,
    /// Whether ids that come back in another type were noted.
    odd_ids: bool,
    /// A printed value that came while the request in flight had no reply.
    unread: Option<Decoded>,
    /// Whether a request was answered since the session was last renewed.
    session_served: bool,
    /// What came before the reply of a raw text; absent when nobody wants to know.
    between: Option<Vec<String>>,
    /// Answers to requests of the server since our last request was sent.
    answers: Vec<(String, Answer)>,
}

/// What `server/discover` may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Discovered {
    /// It was not asked yet, or answered.
    Anything,
    /// The server is modern and does not answer it: it is not asked again.
    Nothing,
}

/// What the server said of itself in the handshake.
#[derive(Debug, Default)]
struct Identity {
    server: ServerInfo,
    protocol_version: Option<String>,
    capabilities: Value,
}

/// Reaches a target: finds out which era it speaks and over which transport, and
/// does the handshake where there is one.
pub async fn connect(settings: ConnectSettings) -> Result<Connection, ConnectFailure> {
    let mut connection = dial(settings).await?;
    // The search is long and its state large; whoever waits should not carry it.
    match Box::pin(connection.reach()).await {
        Ok(()) => Ok(connection),
        Err((state, failure)) => {
            let cut_short = connection.cut_short(state);
            connection.hurry();
            let contact = *std::mem::take(&mut connection.contact);
            let wire = connection.close().await;
            Err(ConnectFailure {
                state,
                failure,
                contact,
                wire,
                cut_short,
            })
        }
    }
}

/// Starts a stdio server, or makes ready to speak to an address, and says nothing
/// yet: the first message is the caller's ([`Connection::raw`]).
pub async fn dial(settings: ConnectSettings) -> Result<Connection, ConnectFailure> {
    let link = match Link::open(&settings).await {
        Ok(link) => link,
        Err((state, message)) => {
            return Err(ConnectFailure {
                state,
                failure: settings.bare_failure(&message),
                contact: Contact::default(),
                wire: Wire::default(),
                cut_short: None,
            });
        }
    };
    Ok(Connection {
        ledger: Ledger::new(settings.redactor.clone()),
        settings,
        link,
        identity: Identity::default(),
        contact: Box::default(),
        era: Era::Legacy,
        revision: OFFERED,
        discovered: Discovered::Anything,
        param_headers: BTreeMap::new(),
        last_id: 0,
        given_up: BTreeSet::new(),
        output: Output::default(),
        odd_ids: false,
        session_served: false,
        between: None,
        unread: None,
        answers: Vec::new(),
    })
}

impl Connection {
    /// Who the server says it is.
    pub fn server(&self) -> &ServerInfo {
        &self.identity.server
    }

    /// The negotiated revision, as the server wrote it.
    pub fn protocol_version(&self) -> Option<&str> {
        self.identity.protocol_version.as_deref()
    }

    /// The `capabilities` object; `null` when there was none.
    pub fn capabilities(&self) -> &Value {
        &self.identity.capabilities
    }

    /// What carries the messages.
    pub fn transport(&self) -> TransportKind {
        match self.settings.target {
            Target::Command(_) => TransportKind::Stdio,
            Target::Url(_) => TransportKind::Http,
        }
    }

    /// The era that is spoken.
    pub const fn era(&self) -> Era {
        self.era
    }

    /// How the server was reached.
    pub fn contact(&self) -> &Contact {
        &self.contact
    }

    /// Whether a request can still be answered: `false` once the process ended or
    /// the transport closed.
    pub fn is_open(&self) -> bool {
        self.link.is_open()
    }

    /// How the target is reached, for another connection to it.
    pub const fn settings(&self) -> &ConnectSettings {
        &self.settings
    }

    /// Counts the ids of later requests from the one after this, so that they do
    /// not depend on what was asked before.
    pub const fn count_ids_after(&mut self, id: u64) {
        self.last_id = id;
    }

    /// How often the server sent this notification, over all restarts.
    pub fn notifications(&self, method: &str) -> u64 {
        self.ledger.notifications(method)
    }

    /// Takes what another connection to the same target has seen.
    pub fn absorb(&mut self, wire: Wire) {
        self.ledger.absorb(wire);
    }

    /// What was seen besides replies, over all restarts.
    pub fn wire(&self) -> Wire {
        self.ledger.wire()
    }

    /// A text of the server's as it may be kept: without credentials, and at most
    /// 4 KiB of it.
    pub fn keepable(&self, text: &str) -> String {
        self.ledger
            .clean_and_bound(text, exchange::KEPT_TEXT, Torn::Nowhere)
    }

    /// The run is being cancelled or is late: all later waits are short.
    pub fn hurry(&mut self) {
        self.settings.deadline = self.settings.deadline.min(Instant::now());
    }

    /// The known way once more. Over stdio in a fresh process, and the old one is ended
    /// first; over HTTP with SSE on a fresh stream; over Streamable HTTP it only shows
    /// whether the server still serves.
    pub async fn restart(&mut self) -> Result<(), ConnectFailure> {
        let by = self.settings.startup_deadline();
        let outcome = self.reopen(by).await;
        outcome.map_err(|(state, failure)| ConnectFailure {
            state,
            failure,
            contact: Contact::default(),
            wire: self.ledger.wire(),
            cut_short: self.cut_short(state),
        })
    }

    /// What a handshake without a reply says of the run.
    fn cut_short(&self, state: ProbeState) -> Option<CutShort> {
        (state == ProbeState::Timeout && self.is_over()).then_some(CutShort::Deadline)
    }

    async fn reopen(&mut self, by: Instant) -> Result<(), Unreached> {
        if matches!(self.settings.target, Target::Command(_)) {
            self.replace_process().await?;
        } else if matches!(self.link, Link::Sse(_)) {
            self.link = Link::open(&self.settings)
                .await
                .map_err(|(state, message)| (state, self.settings.bare_failure(&message)))?;
        }
        match self.settings.approach.way.clone() {
            Some(way) => Box::pin(self.go(&way, by)).await,
            // It was dialled and never reached: there is nothing to say again.
            None => Ok(()),
        }
    }

    /// Ends it in order, and gives what was seen. Over stdio that takes up to
    /// seven seconds, three when the run's deadline is near.
    pub async fn close(self) -> Wire {
        self.close_sooner(std::future::pending()).await
    }

    /// The same, within three seconds from when `hurry` is over.
    pub async fn close_sooner(mut self, hurry: impl Future<Output = ()> + Send) -> Wire {
        let left = self
            .settings
            .deadline
            .saturating_duration_since(Instant::now());
        let limit = if left > Duration::from_secs(10) {
            Duration::from_secs(7)
        } else {
            Duration::from_secs(3)
        };
        let link = std::mem::replace(&mut self.link, Link::Gone);
        let ending = link.end(limit, hurry).await;
        Wire {
            ending,
            ..self.ledger.wire()
        }
    }
}

impl ConnectSettings {
    fn startup_deadline(&self) -> Instant {
        from_now(self.startup_timeout).min(self.deadline)
    }
}
