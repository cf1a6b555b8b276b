//! Making the planned calls, and blaming each failure on the call that caused it.
//!
//! Tools are shared out among sessions, each with a connection of its own; within
//! a session calls are made one after the other (see [`session`]). Rows come back
//! in plan order, and nothing in them tells how many sessions there were. What is
//! looked at besides the cases follows at the end (see [`follow_up`]).

mod blame;
mod follow_up;
mod lookout;
mod order;
mod quiet;
mod relist;
mod row;
mod session;
mod shrink;
mod watch;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::RwLock;
use tokio::time::Instant;

use super::listed::Listed;
use super::plan::{Plan, PlannedTool, Repeats};
use crate::client::{ConnectSettings, Connection, connect};
use crate::model::answer::{FollowUp, Relisting, Repeat};
use crate::model::evidence::{CutShort, Wire};
use crate::model::fuzz::{Abandoned, FuzzLevel, FuzzRow, FuzzRun};
use crate::model::secret::Redactor;
use crate::model::target::TransportKind;
use crate::progress::{Event, Observer};

use session::Session;

/// Ids of a tool's requests begin at a multiple of this or of more, so that they
/// do not tell which session made them.
const ID_STRIDE: u64 = 1_000;

/// Requests that one case may take: repeated alone, pings, handshakes, a smaller
/// one tried.
const REQUESTS_PER_CASE: u64 = 40;

/// What is said of a server that several sessions were too much for.
const ONE_BY_ONE: &str = "the server does not serve several sessions at once (HTTP 404, 409, 429 or 503); the calls were made again one by one, as `--jobs 1` makes them";

/// How calls are made.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// What was allowed; stands in the evidence.
    pub level: FuzzLevel,
    /// Seed of the cases; stands in the evidence.
    pub seed: u64,
    /// The limit of one call.
    pub call_timeout: Duration,
    /// How long all calls together may take.
    pub budget: Option<Duration>,
    /// The end of the whole run.
    pub deadline: Instant,
    /// Keeps credentials out of the rows.
    pub redactor: Redactor,
    /// How many tools are called at the same time, at least one.
    pub jobs: usize,
    /// Folders that are watched during calls; one session then makes them all.
    pub watch: Vec<PathBuf>,
    /// What the server listed before any call.
    pub listed: Listed,
}

/// Whether somebody asked the run to stop; holds the signal's number.
pub type Cancel = tokio::sync::watch::Receiver<Option<i32>>;

/// Makes every planned call. Returns all that was seen, and why it ended early
/// where it did.
pub async fn run(
    connection: &mut Connection,
    plan: Plan,
    settings: RunSettings,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> (FuzzRun, Option<CutShort>) {
    let Plan {
        turns,
        calls,
        repeats,
        ..
    } = plan;
    observer.on(Event::FuzzStarted {
        calls: calls.iter().map(|tool| tool.cases.len()).sum(),
        tools: calls.len(),
    });
    let RunSettings { level, seed, .. } = settings;
    let work = Work {
        end: End::of(&settings),
        calls: &calls,
        repeats,
        settings,
        observer,
        cancel,
        transport: connection.transport(),
        next: AtomicUsize::new(0),
        crowded: AtomicBool::new(false),
        alone: AtomicBool::new(false),
        quiet: RwLock::new(()),
    };
    let (mut seen, absorbed) = work.all(connection).await;
    for wire in absorbed {
        connection.absorb(wire);
    }
    let mut follow_up = FollowUp {
        watched: work.watched(),
        ..FollowUp::default()
    };
    if seen.cut_short.is_none() {
        seen.cut_short = work.follow_up(connection, &mut seen, &mut follow_up).await;
    }
    follow_up.repeats = seen.repeats;
    follow_up.relistings = seen.relistings;
    follow_up.notes = seen.notes;
    follow_up.unwatched = seen.unwatched;
    let run = FuzzRun {
        level,
        seed,
        turns,
        rows: seen.rows.into(),
        abandoned: seen.abandoned,
        follow_up,
    };
    (run, seen.cut_short)
}

/// When calling ends, and what it is that ends it.
#[derive(Debug, Clone, Copy)]
struct End {
    at: Instant,
    why: CutShort,
}

impl End {
    /// The deadline of the run, or the end of the budget where that is sooner.
    fn of(settings: &RunSettings) -> Self {
        let deadline = Self {
            at: settings.deadline,
            why: CutShort::Deadline,
        };
        let budget = settings
            .budget
            .and_then(|budget| Instant::now().checked_add(budget));
        match budget {
            Some(at) if at < deadline.at => Self {
                at,
                why: CutShort::Budget,
            },
            _ => deadline,
        }
    }

    /// The time left; an error when there is none.
    fn left(self) -> Result<Duration, CutShort> {
        let left = self.at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            Err(self.why)
        } else {
            Ok(left)
        }
    }
}

/// Waits until somebody asks to stop; for ever where nobody can.
pub async fn stop_signal(cancel: &mut Cancel) -> i32 {
    let asked = cancel.wait_for(Option::is_some).await.map(|asked| *asked);
    match asked {
        Ok(signal) => signal.unwrap_or_default(),
        Err(_) => std::future::pending().await,
    }
}

/// What the sessions share.
struct Work<'a> {
    calls: &'a [PlannedTool],
    repeats: Repeats,
    settings: RunSettings,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
    transport: TransportKind,
    end: End,
    /// The tool that the next idle session takes.
    next: AtomicUsize,
    /// The sessions are in each other's way.
    crowded: AtomicBool,
    /// One session makes all calls, because several were too many.
    alone: AtomicBool,
    /// Held for writing while a call is repeated alone on a server that other
    /// sessions call as well.
    quiet: RwLock<()>,
}

/// What one session saw, or all of them together.
#[derive(Default)]
struct Seen {
    rows: Vec<FuzzRow>,
    abandoned: Vec<Abandoned>,
    repeats: Vec<Repeat>,
    relistings: Vec<Relisting>,
    notes: Vec<String>,
    unwatched: Vec<String>,
    cut_short: Option<CutShort>,
}

impl<'a> Work<'a> {
    /// Whether valid calls are made again to see whether their order matters.
    fn looks_at_order(&self) -> bool {
        match self.repeats {
            Repeats::ByLevel => self.settings.level == FuzzLevel::Safe,
            Repeats::AsSafe => true,
            Repeats::None => false,
        }
    }

    /// How many sessions there are.
    fn sessions(&self) -> usize {
        if self.settings.watch.is_empty() && !self.alone.load(Ordering::Relaxed) {
            self.settings.jobs.min(self.calls.len()).max(1)
        } else {
            1
        }
    }

    /// Whether several sessions call one and the same server.
    fn is_shared(&self) -> bool {
        self.transport == TransportKind::Http && self.sessions() > 1
    }

    fn watched(&self) -> Vec<String> {
        let folders = self.settings.watch.iter();
        folders.map(|folder| folder.display().to_string()).collect()
    }

    /// Takes note of an HTTP status that a server gives whose sessions are in each
    /// other's way: the session of another one is gone (404), it is busy (409, 429, 503).
    fn hear_status(&self, status: Option<u16>) {
        if self.is_shared() && matches!(status, Some(404 | 409 | 429 | 503)) {
            self.crowded.store(true, Ordering::Relaxed);
        }
    }

    /// Whether what the sessions see is no longer worth anything.
    fn is_in_vain(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// The next tool that nobody has taken, with its position in the plan.
    fn take(&self) -> Option<(usize, &'a PlannedTool)> {
        if self.is_in_vain() {
            return None;
        }
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        Some((at, self.calls.get(at)?))
    }

    /// The id before the first one of a tool's requests.
    fn id_before(&self, position: usize) -> u64 {
        let most = self
            .calls
            .iter()
            .map(|tool| tool.cases.len())
            .max()
            .unwrap_or(0);
        let needed = (most as u64).saturating_mul(REQUESTS_PER_CASE);
        let stride = needed.max(1).div_ceil(ID_STRIDE).saturating_mul(ID_STRIDE);
        stride.saturating_mul(position as u64 + 1)
    }

    /// All calls; what was seen, in plan order. A server that serves one session at a
    /// time is called by one, from the beginning: what it said to several tells of
    /// their number and not of its tools.
    async fn all(&self, connection: &mut Connection) -> (Seen, Vec<Wire>) {
        let (seen, wires) = self.at_once(connection).await;
        if !self.is_in_vain() || seen.cut_short.is_some() {
            return (seen, wires);
        }
        self.alone.store(true, Ordering::Relaxed);
        self.crowded.store(false, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
        // Another session may have taken the place of this one. Where that fails the
        // first call says so.
        let _ = connection.restart().await;
        let mut seen = Session::new(self, connection).work().await;
        seen.notes.push(ONE_BY_ONE.to_owned());
        seen.sort();
        (seen, wires)
    }

    /// All sessions at once; what they saw, in plan order.
    async fn at_once(&self, connection: &mut Connection) -> (Seen, Vec<Wire>) {
        let more = (1..self.sessions()).map(|_| self.in_new_session(connection.settings().clone()));
        let more = join_all(more.collect::<Vec<_>>());
        let (first, more) = tokio::join!(Session::new(self, connection).work(), more);
        let mut seen = first;
        let mut wires = Vec::new();
        for (other, wire) in more.into_iter().flatten() {
            seen.join(other);
            wires.push(wire);
        }
        seen.sort();
        (seen, wires)
    }

    /// A session with a connection of its own. Where there is none, the others
    /// take its share.
    async fn in_new_session(&self, settings: ConnectSettings) -> Option<(Seen, Wire)> {
        let mut cancel = self.cancel.clone();
        let mut connection = tokio::select! {
            biased;
            _ = stop_signal(&mut cancel) => return None,
            connected = connect(settings) => connected.ok()?,
        };
        let seen = Session::new(self, &mut connection).work().await;
        if matches!(seen.cut_short, Some(CutShort::Cancelled(_))) {
            connection.hurry();
        }
        Some((seen, connection.close().await))
    }
}

impl Seen {
    fn join(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.abandoned.extend(other.abandoned);
        self.repeats.extend(other.repeats);
        self.relistings.extend(other.relistings);
        self.notes.extend(other.notes);
        self.cut_short = match (self.cut_short, other.cut_short) {
            (Some(CutShort::Cancelled(signal)), _) | (_, Some(CutShort::Cancelled(signal))) => {
                Some(CutShort::Cancelled(signal))
            }
            (Some(own), _) => Some(own),
            (None, theirs) => theirs,
        };
    }

    /// Into plan order, which is that of the list; the sorts are stable.
    fn sort(&mut self) {
        self.rows.sort_by_key(|row| row.tool_index);
        self.abandoned.sort_by_key(|given_up| given_up.tool_index);
        self.repeats.sort_by_key(|repeat| repeat.tool_index);
        self.notes.sort();
        self.notes.dedup();
    }
}
