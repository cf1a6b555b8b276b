//! Whose fault a crash is.
//!
//! A server may end while a call is in flight, or shortly after it has answered
//! one. The call in flight is repeated alone on a fresh process; if that is
//! answered, the call before it is. What ends the server alone is confirmed. Where
//! neither does, or the server does not come back, the call in flight is on record as
//! unconfirmed, with the calls that the process took before it. On a server that several sessions call, a call
//! that is answered alone was in flight by chance, and its answer counts.

use super::session::{LastCall, Session};
use super::{CutShort, row};
use crate::client::{Exchanged, Reply};
use crate::fuzz::plan::PlannedTool;
use crate::model::answer::CallName;
use crate::model::fuzz::{Case, Exchange, FuzzRow, Outcome};

/// What ends the server.
enum Culprit {
    /// The call that was in flight, alone.
    Call,
    /// The call before it; this is how the one in flight goes alone.
    Earlier(Box<Exchanged>),
    /// Neither alone; this is how the one in flight goes alone.
    Together(Box<Exchanged>),
}

impl Session<'_> {
    /// The row of a call during which the server ended; `crashed` is what it
    /// looks like so far. On return the server runs again.
    pub(super) async fn blame(
        &mut self,
        mut crashed: FuzzRow,
        tool: &PlannedTool,
        case: &Case,
        row_of: impl Fn(&Self, Exchanged) -> FuzzRow,
    ) -> Result<FuzzRow, CutShort> {
        let work = self.work;
        let _alone = if work.is_shared() {
            Some(work.quiet.write().await)
        } else {
            None
        };
        let suspect = self.last_call.take();
        let before = std::mem::take(&mut self.taken);
        let params = row::params(&tool.name, &case.arguments);
        let own = name_of(&crashed);
        match self.examine(&params, own, suspect.as_ref()).await {
            Ok(Culprit::Call) => {
                crashed.confirmed = Some(true);
                crashed.shrunk = match self.shrink(tool, case).await {
                    Ok(shrunk) => shrunk,
                    Err(cut) => {
                        self.seen.rows.push(crashed);
                        return Err(cut);
                    }
                };
            }
            Ok(Culprit::Earlier(again)) => return Ok(row_of(self, *again)),
            Ok(Culprit::Together(again)) if work.is_shared() => return Ok(row_of(self, *again)),
            Ok(Culprit::Together(again)) if before.is_empty() => {
                // Nothing was called before it, so no call is to blame.
                let note = "the server ended before its first call; a fresh one took the call";
                self.seen.notes.push(note.to_owned());
                return Ok(row_of(self, *again));
            }
            Ok(Culprit::Together(_)) => {
                crashed.confirmed = Some(false);
                crashed.after = before;
            }
            Err(cut) => {
                // What was seen stays on record though the run cannot go on, and
                // nothing shows that this call alone did it.
                crashed.confirmed = Some(false);
                crashed.after = before;
                self.seen.rows.push(crashed);
                return Err(cut);
            }
        }
        Ok(crashed)
    }

    /// Repeats the call alone, then the suspect before it.
    async fn examine(
        &mut self,
        params: &str,
        own: CallName,
        suspect: Option<&LastCall>,
    ) -> Result<Culprit, CutShort> {
        let again = self.alone(params).await?;
        self.taken.push(own);
        if matches!(again.reply, Reply::Closed) {
            return Ok(Culprit::Call);
        }
        match suspect {
            Some(suspect) if self.ends_server_alone(suspect).await? => {
                Ok(Culprit::Earlier(Box::new(again)))
            }
            _ => Ok(Culprit::Together(Box::new(again))),
        }
    }

    /// The server ended while no call was in flight: the last answered call is
    /// the suspect, whether or not it ends the server alone.
    pub(super) async fn ended_between_calls(&mut self) -> Result<(), CutShort> {
        let end = self.end_seen.take().unwrap_or_default();
        let Some(suspect) = self.last_call.take() else {
            return self.restart().await;
        };
        // Any session may have ended a server that several call; whoever had a call
        // in flight looks into it.
        if self.work.is_shared() {
            return self.restart().await;
        }
        let before = std::mem::take(&mut self.taken);
        if !self.ends_server_alone(&suspect).await? {
            let failure = "the server ended after it had answered this call; alone on a fresh process the call does not end it";
            self.convict(
                &suspect,
                false,
                Exchange {
                    failure: Some(failure.to_owned()),
                    ..end
                },
            );
            self.say_what_came_before(&suspect, before);
        }
        Ok(())
    }

    /// After the plan: whether the last call has ended the server.
    pub(super) async fn look_after_last_call(&mut self) -> Result<(), CutShort> {
        if self.last_call.is_none() {
            return Ok(());
        }
        if self.connection.is_open() && self.deadly_ping != Some(true) {
            self.connection
                .request("ping", None, self.health_limit())
                .await;
        }
        if self.connection.is_open() || self.ping_ends_server().await? {
            Ok(())
        } else {
            self.ended_between_calls().await
        }
    }

    /// Whether a ping alone ends a fresh process: then nobody is to be blamed for
    /// an end that our own ping has brought.
    async fn ping_ends_server(&mut self) -> Result<bool, CutShort> {
        if let Some(known) = self.deadly_ping {
            return Ok(known);
        }
        let suspect = self.last_call.take();
        self.restart().await?;
        self.last_call = suspect;
        let limit = self.health_limit();
        let pong = self.connection.request("ping", None, limit).await;
        let deadly = matches!(pong.reply, Reply::Closed);
        if deadly {
            self.seen
                .notes
                .push("the server ends when it is pinged".to_owned());
        }
        self.deadly_ping = Some(deadly);
        Ok(deadly)
    }

    /// Repeats an answered call on a fresh process and looks whether the server
    /// ends of it; its row then says so. On return the server runs again.
    async fn ends_server_alone(&mut self, suspect: &LastCall) -> Result<bool, CutShort> {
        let mut seen = self.alone(&suspect.params).await?;
        let own = self.seen.rows.get(suspect.row).map(name_of);
        self.taken.extend(own);
        if !matches!(seen.reply, Reply::Closed) && self.deadly_ping != Some(true) {
            let limit = self.health_limit();
            seen = self.connection.request("ping", None, limit).await;
            if matches!(seen.reply, Reply::Closed) && self.ping_ends_server().await? {
                return Ok(false);
            }
        }
        let ended = matches!(seen.reply, Reply::Closed);
        if ended {
            self.convict(suspect, true, seen.exchange);
            self.restart().await?;
        }
        Ok(ended)
    }

    /// A call on a fresh process, as its first.
    pub(super) async fn alone(&mut self, params: &str) -> Result<Exchanged, CutShort> {
        self.restart().await?;
        self.send_now(params).await
    }

    /// Turns the row of an answered call into that of a crash.
    fn convict(&mut self, suspect: &LastCall, confirmed: bool, end: Exchange) {
        let Some(row) = self.seen.rows.get_mut(suspect.row) else {
            return;
        };
        row.outcome = Outcome::ProtocolCrash;
        row.confirmed = Some(confirmed);
        row.silently_accepted = false;
        row.coerced = false;
        row.empty_success = false;
        row.output_schema_violation = None;
        row.answer = None;
        row.exchange.failure = end
            .failure
            .map(|failure| format!("the call was answered, then the server ended: {failure}"));
        row.exchange.exit = end.exit;
        row.exchange.stderr_tail = end.stderr_tail;
    }

    /// The calls before the last one, which is the suspect itself.
    fn say_what_came_before(&mut self, suspect: &LastCall, mut before: Vec<CallName>) {
        let Some(row) = self.seen.rows.get_mut(suspect.row) else {
            return;
        };
        if let Some(own) = before
            .iter()
            .rposition(|call| call.tool_index == row.tool_index && call.case == row.case.label)
        {
            before.truncate(own);
        }
        row.after = before;
    }
}

fn name_of(row: &FuzzRow) -> CallName {
    CallName {
        tool: row.tool.clone(),
        tool_index: row.tool_index,
        case: row.case.label.clone(),
    }
}
