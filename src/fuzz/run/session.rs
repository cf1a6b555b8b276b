//! One connection and the calls made over it, one after the other.
//!
//! A call during which the server ended is repeated alone on a fresh process
//! (see [`super::blame`]). A hang costs its own limit once, a long or deep input's
//! twice more at most; the tool is then left alone. Nothing that happened before the
//! end of a run is lost.

use std::time::Duration;

use tokio::time::Instant;

use super::lookout::Lookout;
use super::quiet::Suspicion;
use super::row::{Reader, params};
use super::{Cancel, Seen, Work, stop_signal};
use crate::client::{Connection, Exchanged, Reply};
use crate::fuzz::classify::OutputCheck;
use crate::fuzz::plan::{PlannedTool, Repeats};
use crate::model::answer::{CallName, FileChange, Repeat};
use crate::model::evidence::CutShort;
use crate::model::fuzz::{Abandoned, Case, Exchange, FuzzRow, Outcome};
use crate::model::target::TransportKind;
use crate::progress::Event;
use crate::protocol::revision::Revision;

/// Crashes of one tool after which it is left alone.
const MAX_CRASHES: usize = 3;

/// The longest wait for the answer that shows whether a server still answers.
const HEALTH_LIMIT: Duration = Duration::from_secs(5);

/// Between two looks whether a server that is not ours to start is back.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Tools whose valid call is made again after all other calls.
pub(super) const ORDERED_TOOLS: usize = 5;

/// Calls of one process that are remembered for a crash that needs them.
const REMEMBERED: usize = 500;

pub(super) struct Session<'a> {
    pub(super) work: &'a Work<'a>,
    pub(super) connection: &'a mut Connection,
    pub(super) seen: Seen,
    /// The last call that this process of the server answered.
    pub(super) last_call: Option<LastCall>,
    /// The calls that this process took so far.
    pub(super) taken: Vec<CallName>,
    pub(super) cancel: Cancel,
    pub(super) lookout: Option<Lookout>,
    /// Whose the changes in watched folders are.
    pub(super) suspicion: Suspicion,
    /// Changes of the list that were announced and looked at.
    pub(super) announced: u64,
    /// Bytes of exchanges kept for the tool in hand.
    pub(super) kept_of_tool: usize,
    /// How the process ended, where a call saw it that has no row.
    pub(super) end_seen: Option<Exchange>,
    /// Whether a ping alone ends the server, once that was looked at.
    pub(super) deadly_ping: Option<bool>,
}

/// A call that was answered, so that it can be made again.
pub(super) struct LastCall {
    /// Where its row stands.
    pub(super) row: usize,
    /// The `params` as sent.
    pub(super) params: String,
}

/// Bytes of exchanges that a run keeps, shared out among its tools.
const KEPT_EXCHANGES: usize = 32 * 1024 * 1024;

/// The least share of one tool.
const KEPT_AT_LEAST: usize = 16 * 1024;

/// What one call came to.
enum Sent {
    /// It was answered, timed out, or broke.
    Done(Box<Exchanged>),
    /// The end of all calls came first.
    TooLate,
    /// Somebody asked to stop.
    Cancelled(i32),
}

impl<'a> Session<'a> {
    pub(super) fn new(work: &'a Work<'a>, connection: &'a mut Connection) -> Self {
        Self {
            work,
            connection,
            seen: Seen::default(),
            last_call: None,
            taken: Vec::new(),
            cancel: work.cancel.clone(),
            lookout: Lookout::of(&work.settings.watch),
            suspicion: Suspicion::default(),
            announced: 0,
            end_seen: None,
            deadly_ping: None,
            kept_of_tool: 0,
        }
    }

    /// Takes tools until none is left; what was seen, also when it was cut short.
    pub(super) async fn work(mut self) -> Seen {
        self.seen.cut_short = self.all().await.err();
        if let Some(lookout) = self.lookout.take() {
            self.seen.unwatched = lookout.unwatched();
        }
        self.seen
    }

    async fn all(&mut self) -> Result<(), CutShort> {
        self.look_before_calls().await?;
        while let Some((position, tool)) = self.work.take() {
            if !self.connection.is_open() {
                self.ended_between_calls().await?;
            }
            self.connection
                .count_ids_after(self.work.id_before(position));
            self.tool(position, tool).await?;
            self.look_at_list(&tool.tool).await?;
        }
        self.look_after_last_call().await
    }

    /// All cases of one tool.
    async fn tool(&mut self, position: usize, tool: &PlannedTool) -> Result<(), CutShort> {
        let output = tool.output_schema.as_ref().and_then(OutputCheck::new);
        self.changes().await;
        self.suspect_anew();
        self.kept_of_tool = 0;
        let mut crashes = 0;
        for (at, case) in tool.cases.iter().enumerate() {
            let mut outcome = match self.case(tool, case, output.as_ref()).await {
                Ok(outcome) => outcome,
                Err(cut) => {
                    let left = tool.cases.len() - at;
                    self.leave(tool, left, &Abandoned::run_ended_at(&case.label));
                    return Err(cut);
                }
            };
            if outcome == Outcome::Ok && case.class.is_valid() {
                outcome = self.again(position, tool, case).await?;
            }
            if self.work.is_in_vain() {
                return Ok(());
            }
            let left = tool.cases.len() - at - 1;
            match outcome {
                Outcome::Timeout => {
                    self.leave(tool, left, "a call was not answered in time");
                    self.shrink_hang(tool, case).await?;
                    return self.check_health().await;
                }
                Outcome::ProtocolCrash if self.waited_in_vain() => {
                    self.leave(tool, left, "a call was not answered in time");
                    return self.check_health().await;
                }
                Outcome::ProtocolCrash => {
                    crashes += 1;
                    self.check_health().await?;
                }
                _ => {}
            }
            if crashes == MAX_CRASHES {
                self.leave(tool, left, "it crashed the server three times");
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether what came in the last call was taken for its reply only when the whole
    /// limit was over: that costs as much as a hang.
    fn waited_in_vain(&self) -> bool {
        let limit = self.work.settings.call_timeout;
        let last = self.seen.rows.last();
        last.is_some_and(|row| Duration::from_micros(row.latency_us) >= limit)
    }

    /// One case: sent, judged, blamed, kept.
    async fn case(
        &mut self,
        tool: &PlannedTool,
        case: &Case,
        output: Option<&OutputCheck>,
    ) -> Result<Outcome, CutShort> {
        if !self.connection.is_open() {
            self.ended_between_calls().await?;
        }
        let params = params(&tool.name, &case.arguments);
        let exchanged = self.send(&params).await?;
        let writes = self.changes_of_call().await;
        let closed = matches!(exchanged.reply, Reply::Closed);
        let mut row = self.reader().row(tool, case, output, exchanged);
        row.writes.clone_from(&writes);
        if closed {
            row = self
                .blame(row, tool, case, |session, again| {
                    session.reader().row(tool, case, output, again)
                })
                .await?;
            row.writes = writes;
        }
        self.work.hear_status(row.exchange.http_status);
        let outcome = row.outcome;
        self.work.observer.on(Event::Called {
            tool: &row.tool,
            case: &row.case.label,
            outcome,
        });
        self.bound(&mut row);
        self.seen.rows.push(row);
        // Whether it is still open says nothing yet: it may be about to end. After
        // blame another process runs.
        if outcome != Outcome::ProtocolCrash && !closed {
            let row = self.seen.rows.len() - 1;
            self.last_call = Some(LastCall { row, params });
            self.remember(tool, case);
            let unanswered = self.confirm_writes(tool, case).await?;
            return Ok(unanswered.unwrap_or(outcome));
        }
        Ok(outcome)
    }

    /// What changed in the watched folders since the last look.
    pub(super) async fn changes(&mut self) -> Vec<FileChange> {
        match &mut self.lookout {
            Some(lookout) => lookout.changes(self.work.end.at, &mut self.cancel).await,
            None => Vec::new(),
        }
    }

    /// Cuts what is kept of an exchange, once the tool has had its share of the room
    /// for all. The share depends on the plan alone, so every number of sessions
    /// cuts the same.
    fn bound(&mut self, row: &mut FuzzRow) {
        let share = (KEPT_EXCHANGES / self.work.calls.len().max(1)).max(KEPT_AT_LEAST);
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.kept_of_tool += row.exchange.request.len();
        self.kept_of_tool += length(&row.exchange.reply) + length(&row.error_text);
        if self.kept_of_tool > share {
            row.keep_heads();
        }
    }

    /// The valid call once more, where it may be made and something is learnt.
    async fn again(
        &mut self,
        position: usize,
        tool: &PlannedTool,
        case: &Case,
    ) -> Result<Outcome, CutShort> {
        let settings = &self.work.settings;
        let idempotent =
            settings.listed.is_idempotent(tool.tool_index) && self.work.repeats != Repeats::None;
        let ordered = self.work.looks_at_order() && position < ORDERED_TOOLS;
        if !idempotent && !ordered || !self.connection.is_open() {
            return Ok(Outcome::Ok);
        }
        let exchanged = self.send(&params(&tool.name, &case.arguments)).await?;
        if matches!(exchanged.reply, Reply::Closed) {
            // The next case finds the server gone and looks for who did it.
            self.end_seen = Some(exchanged.exchange);
            return Ok(Outcome::Ok);
        }
        let again = self.reader().taken(case, &exchanged);
        self.remember(tool, case);
        let outcome = again.outcome;
        self.seen.repeats.push(Repeat {
            tool: tool.tool.clone(),
            tool_index: tool.tool_index,
            case: case.label.clone(),
            idempotent,
            again,
            later: Vec::new(),
            fresh: None,
            reversed: Vec::new(),
        });
        Ok(match outcome {
            Outcome::Timeout => Outcome::Timeout,
            _ => Outcome::Ok,
        })
    }

    /// Sends one call and waits for what comes of it, at most the call's limit.
    pub(super) async fn send(&mut self, params: &str) -> Result<Exchanged, CutShort> {
        let work = self.work;
        let _calling = if work.is_shared() {
            Some(work.quiet.read().await)
        } else {
            None
        };
        self.send_now(params).await
    }

    /// The same while no other session calls.
    pub(super) async fn send_now(&mut self, params: &str) -> Result<Exchanged, CutShort> {
        let settings = &self.work.settings;
        let left = self.work.end.left()?;
        let limit = settings.call_timeout.min(left);
        let sent = tokio::select! {
            biased;
            signal = stop_signal(&mut self.cancel) => Sent::Cancelled(signal),
            exchanged = self.connection.request("tools/call", Some(params), limit) => {
                let too_late = limit < settings.call_timeout && matches!(exchanged.reply, Reply::Timeout);
                if too_late { Sent::TooLate } else { Sent::Done(Box::new(exchanged)) }
            }
        };
        match sent {
            Sent::Done(exchanged) => Ok(*exchanged),
            Sent::TooLate => Err(self.work.end.why),
            Sent::Cancelled(signal) => Err(CutShort::Cancelled(signal)),
        }
    }

    /// After a failure: whether the server still answers; a fresh one if not.
    async fn check_health(&mut self) -> Result<(), CutShort> {
        let limit = self.health_limit();
        if self.connection.is_open() {
            let ping = self.connection.request("ping", None, limit).await;
            if !matches!(ping.reply, Reply::Timeout | Reply::Closed) {
                return Ok(());
            }
        }
        self.restart().await
    }

    /// A fresh process over stdio. A server at an address is not ours to start: it
    /// is given a moment to be back.
    pub(super) async fn restart(&mut self) -> Result<(), CutShort> {
        self.work.observer.on(match self.work.transport {
            TransportKind::Http => Event::Awaiting,
            TransportKind::Stdio | TransportKind::Capture => Event::Restarting,
        });
        let now = Instant::now();
        self.work.end.left()?;
        self.last_call = None;
        self.taken.clear();
        let patience = (now + HEALTH_LIMIT).min(self.work.end.at);
        loop {
            let restarted = tokio::select! {
                biased;
                signal = stop_signal(&mut self.cancel) => return Err(CutShort::Cancelled(signal)),
                restarted = self.connection.restart() => restarted,
            };
            if restarted.is_ok() {
                // What a process writes at its start is no call's.
                self.changes().await;
                return Ok(());
            }
            let over = Instant::now() + LOOK_AGAIN >= patience;
            if over || self.work.transport == TransportKind::Stdio {
                return Err(CutShort::NoRestart);
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            redactor: &self.work.settings.redactor,
            revision: Revision::read(self.connection.protocol_version().unwrap_or_default()),
        }
    }

    pub(super) fn health_limit(&self) -> Duration {
        HEALTH_LIMIT.min(self.work.settings.call_timeout)
    }

    pub(super) fn remember(&mut self, tool: &PlannedTool, case: &Case) {
        if self.taken.len() < REMEMBERED {
            self.taken.push(CallName {
                tool: tool.tool.clone(),
                tool_index: tool.tool_index,
                case: case.label.clone(),
            });
        }
    }

    fn leave(&mut self, tool: &PlannedTool, cases_left: usize, because: &str) {
        if cases_left > 0 {
            self.seen.abandoned.push(Abandoned {
                tool: tool.tool.clone(),
                tool_index: tool.tool_index,
                cases_left,
                because: because.to_owned(),
            });
        }
    }
}
