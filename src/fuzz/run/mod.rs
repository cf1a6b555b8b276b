//! Making the planned calls, one after the other, and blaming each failure on
//! the call that caused it.
//!
//! A call during which the server ended is repeated alone on a fresh process
//! (see [`blame`]). A hang costs its own limit once; the tool is then left alone.
//! Nothing that happened before the end of a run is lost.

mod blame;

use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::classify::{self, Classified, OutputCheck};
use super::plan::{Plan, PlannedTool};
use crate::client::{Connection, Exchanged, Reply};
use crate::model::evidence::CutShort;
use crate::model::fuzz::{Abandoned, Case, Exchange, FuzzLevel, FuzzRow, FuzzRun, Outcome};
use crate::progress::{Event, Observer};

/// Crashes of one tool after which it is left alone.
const MAX_CRASHES: usize = 3;

/// The longest wait for the answer that shows whether a server still answers.
const HEALTH_LIMIT: Duration = Duration::from_secs(5);

/// How calls are made.
#[derive(Debug, Clone, Copy)]
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
    let Plan { turns, calls, .. } = plan;
    observer.on(Event::FuzzStarted {
        calls: calls.iter().map(|tool| tool.cases.len()).sum(),
        tools: calls.len(),
    });
    let (level, seed) = (settings.level, settings.seed);
    let end = End::of(&settings);
    let mut runner = Runner {
        connection,
        settings,
        end,
        observer,
        cancel: cancel.clone(),
        rows: Vec::new(),
        abandoned: Vec::new(),
        last_call: None,
    };
    let cut_short = runner.all(&calls).await.err();
    let run = FuzzRun {
        level,
        seed,
        turns,
        rows: runner.rows,
        abandoned: runner.abandoned,
    };
    (run, cut_short)
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

/// What one call came to.
enum Sent {
    /// It was answered, timed out, or broke.
    Done(Box<Exchanged>),
    /// The end of all calls came first.
    TooLate,
    /// Somebody asked to stop.
    Cancelled(i32),
}

struct Runner<'a> {
    connection: &'a mut Connection,
    settings: RunSettings,
    end: End,
    observer: &'a dyn Observer,
    cancel: Cancel,
    rows: Vec<FuzzRow>,
    abandoned: Vec<Abandoned>,
    /// The last call that this process of the server answered.
    last_call: Option<LastCall>,
}

/// A call that was answered, so that it can be made again.
struct LastCall {
    /// Where its row stands.
    row: usize,
    /// The `params` as sent.
    params: String,
}

impl Runner<'_> {
    /// Every call of the plan. An error ends the run; the rows so far stay.
    async fn all(&mut self, calls: &[PlannedTool]) -> Result<(), CutShort> {
        for tool in calls {
            self.tool(tool).await?;
        }
        self.look_after_last_call().await
    }

    /// All cases of one tool.
    async fn tool(&mut self, tool: &PlannedTool) -> Result<(), CutShort> {
        let output = tool.output_schema.as_ref().and_then(OutputCheck::new);
        let mut crashes = 0;
        for (at, case) in tool.cases.iter().enumerate() {
            let outcome = self.case(tool, case, output.as_ref()).await?;
            let left = tool.cases.len() - at - 1;
            match outcome {
                Outcome::Timeout => {
                    self.leave(tool, left, "a call was not answered in time");
                    return self.check_health().await;
                }
                Outcome::ProtocolCrash => crashes += 1,
                _ => {}
            }
            if crashes == MAX_CRASHES {
                self.leave(tool, left, "it crashed the server three times");
                return Ok(());
            }
        }
        Ok(())
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
        let closed = matches!(exchanged.reply, Reply::Closed);
        let mut row = self.row(tool, case, output, exchanged);
        if closed {
            row = self
                .blame(row, &params, |runner, again| {
                    runner.row(tool, case, output, again)
                })
                .await?;
        }
        let outcome = row.outcome;
        self.observer.on(Event::Called {
            tool: &row.tool,
            case: &row.case.label,
            outcome,
        });
        self.rows.push(row);
        // Whether it is still open says nothing yet: it may be about to end.
        if outcome != Outcome::ProtocolCrash {
            let row = self.rows.len() - 1;
            self.last_call = Some(LastCall { row, params });
        }
        Ok(outcome)
    }

    /// Sends one case and waits for what comes of it, at most the call's limit.
    async fn send(&mut self, params: &str) -> Result<Exchanged, CutShort> {
        let limit = self.settings.call_timeout.min(self.end.left()?);
        let sent = tokio::select! {
            biased;
            signal = stop_signal(&mut self.cancel) => Sent::Cancelled(signal),
            exchanged = self.connection.request("tools/call", Some(params), limit) => {
                let too_late = limit < self.settings.call_timeout && matches!(exchanged.reply, Reply::Timeout);
                if too_late { Sent::TooLate } else { Sent::Done(Box::new(exchanged)) }
            }
        };
        match sent {
            Sent::Done(exchanged) => Ok(*exchanged),
            Sent::TooLate => Err(self.end.why),
            Sent::Cancelled(signal) => Err(CutShort::Cancelled(signal)),
        }
    }

    /// After a hang: whether the server still answers; a fresh one if not.
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

    async fn restart(&mut self) -> Result<(), CutShort> {
        self.observer.on(Event::Restarting);
        self.end.left()?;
        let restarted = tokio::select! {
            biased;
            signal = stop_signal(&mut self.cancel) => return Err(CutShort::Cancelled(signal)),
            restarted = self.connection.restart() => restarted,
        };
        self.last_call = None;
        restarted.map_err(|_| CutShort::NoRestart)
    }

    /// The row of a call, without credentials.
    fn row(
        &self,
        tool: &PlannedTool,
        case: &Case,
        output: Option<&OutputCheck>,
        exchanged: Exchanged,
    ) -> FuzzRow {
        let mut row = row(tool, case, output, exchanged);
        let said = [&mut row.error_text, &mut row.output_schema_violation];
        for text in said.into_iter().flatten() {
            *text = self.connection.keepable(text);
        }
        row
    }

    fn leave(&mut self, tool: &PlannedTool, cases_left: usize, because: &str) {
        if cases_left > 0 {
            self.abandoned.push(Abandoned {
                tool: tool.tool.clone(),
                tool_index: tool.tool_index,
                cases_left,
                because: because.to_owned(),
            });
        }
    }
}

/// Waits until somebody asks to stop; for ever where nobody can.
pub async fn stop_signal(cancel: &mut Cancel) -> i32 {
    match cancel.wait_for(Option::is_some).await {
        Ok(signal) => signal.unwrap_or_default(),
        Err(_) => std::future::pending().await,
    }
}

/// The `params` of a call, with the arguments byte for byte.
fn params(name: &str, arguments: &RawValue) -> String {
    let name = serde_json::Value::from(name);
    format!("{{\"name\":{name},\"arguments\":{arguments}}}")
}

fn row(
    tool: &PlannedTool,
    case: &Case,
    output: Option<&OutputCheck>,
    exchanged: Exchanged,
) -> FuzzRow {
    let Exchanged {
        exchange,
        reply,
        latency,
        invalid_utf8_at,
    } = exchanged;
    let classified = match &reply {
        Reply::Result(raw) => classify::classify(&classify::Reply::Result(raw.get()), case, output),
        Reply::Error {
            code,
            message,
            data,
        } => {
            let reply = classify::Reply::Error {
                code: *code,
                message,
                data: data.as_deref().map(RawValue::get),
            };
            classify::classify(&reply, case, output)
        }
        Reply::Timeout => classify::classify(&classify::Reply::Timeout, case, output),
        Reply::Broken | Reply::Closed => classify::classify(&classify::Reply::Broken, case, output),
    };
    fill(tool, case, classified, exchange, latency, invalid_utf8_at)
}

fn fill(
    tool: &PlannedTool,
    case: &Case,
    classified: Classified,
    exchange: Exchange,
    latency: Duration,
    invalid_utf8_at: Option<usize>,
) -> FuzzRow {
    FuzzRow {
        tool: tool.tool.clone(),
        tool_index: tool.tool_index,
        case: case.clone(),
        outcome: classified.outcome,
        silently_accepted: classified.silently_accepted,
        coerced: classified.coerced,
        empty_success: classified.empty_success,
        output_schema_violation: classified.output_schema_violation,
        error_text: classified.error_text,
        error_code: classified.error_code,
        invalid_utf8_at,
        confirmed: None,
        exchange,
        latency_us: u64::try_from(latency.as_micros()).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_out_byte_for_byte() {
        let arguments =
            RawValue::from_string(r#"{"n": 1e400,  "s":"\ud800"}"#.to_owned()).expect("JSON text");
        assert_eq!(
            params("a \"b\"", &arguments),
            r#"{"name":"a \"b\"","arguments":{"n": 1e400,  "s":"\ud800"}}"#
        );
    }
}
