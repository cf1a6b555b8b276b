//! A call that ends the server or breaks its framing.

use std::fmt::Write as _;

use super::super::quote::{visible, visible_end};
use super::super::{Check, Reporter, Rule};
use super::invalid_json::is_invalid_json;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{Abandoned, Exchange, ExitStatus, FuzzRow, FuzzRun, Outcome};
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.crash",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a call that ends the server",
    spec: None,
    why: "One call takes all tools away from every user of the process.",
    hint: "Catch the failure where the call is dispatched and answer with `isError: true`; the request is in the report.",
    docs: include_str!("crash.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Characters of the request that are kept.
const MAX_REQUEST: usize = 200;
/// Characters of standard error that are kept.
const MAX_STDERR: usize = 200;

/// Earlier calls that a message lists.
const MAX_EARLIER: usize = 5;

/// Cases that a message lists besides its own.
const MAX_CASES: usize = 8;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    // A reply that is no JSON has a rule of its own.
    let crashes = run
        .rows
        .iter()
        .filter(|row| row.outcome == Outcome::ProtocolCrash && !is_invalid_json(row));
    let mut crashes_alike: Vec<(Kind<'_>, Vec<&FuzzRow>)> = Vec::new();
    for row in crashes {
        let kind = Kind::of(row);
        match crashes_alike.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, rows)) => rows.push(row),
            None => crashes_alike.push((kind, vec![row])),
        }
    }
    // Nobody made that call again, so a known crash that needs no call in particular
    // explains it.
    let probe = run.follow_up.unknown_tool.as_ref();
    let is_explained = probe.is_some_and(|probe| {
        let kind = Kind::of_exchange(&probe.exchange, None);
        crashes_alike.iter().any(|(known, _)| *known == kind)
    });
    for (_, rows) in crashes_alike {
        let Some((first, others)) = rows.split_first() else {
            continue;
        };
        let message = message(first, others, run);
        let finding = reporter.report_call(first, &first.case.label, message);
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
    if let Some(probe) = probe.filter(|_| !is_explained)
        && let Some(exit) = probe.exchange.exit
    {
        reporter.report_matter(
            "unknown_tool",
            format!(
                "a call to a tool that does not exist ended the server with {exit}; request: {}",
                visible(&probe.exchange.request, MAX_REQUEST)
            ),
        );
    }
}

/// What crashes have in common that are one matter: a call that ends the server by
/// itself is a matter of its tool, one that does not may be in flight by chance.
#[derive(PartialEq, Eq)]
struct Kind<'a> {
    tool_index: Option<usize>,
    exit: Option<ExitStatus>,
    failure: Option<&'a str>,
    /// The end of standard error, numbers left out.
    last_words: String,
}

impl<'a> Kind<'a> {
    fn of(row: &'a FuzzRow) -> Self {
        let own = (row.confirmed != Some(false)).then_some(row.tool_index);
        Self::of_exchange(&row.exchange, own)
    }

    fn of_exchange(exchange: &'a Exchange, tool_index: Option<usize>) -> Self {
        let last_line = exchange.stderr_tail.as_deref().map(str::trim_end);
        let last_line = last_line.and_then(|tail| tail.lines().last());
        Self {
            tool_index,
            exit: exchange.exit,
            // With an exit this only says that the connection was lost.
            failure: exchange
                .failure
                .as_deref()
                .filter(|_| exchange.exit.is_none()),
            last_words: last_line
                .unwrap_or_default()
                .chars()
                .filter(|letter| !letter.is_ascii_digit())
                .collect(),
        }
    }
}

fn message(row: &FuzzRow, others: &[&FuzzRow], run: &FuzzRun) -> String {
    let exchange = &row.exchange;
    let what = match (exchange.exit, exchange.failure.as_deref()) {
        (Some(exit), _) if exchange.reply.is_some() => {
            format!("the call was answered, then the server ended with {exit}")
        }
        (Some(exit), _) => format!("the server ended with {exit}"),
        (None, Some(failure)) => visible(failure, MAX_REQUEST),
        (None, None) => "the reply is no JSON-RPC".to_owned(),
    };
    let mut message = format!(
        "case `{}`: {what}; request: {}",
        visible(&row.case.label, 60),
        visible(&exchange.request, MAX_REQUEST)
    );
    if row.confirmed == Some(false) {
        message.push_str(if was_repeated(row, run) {
            "; the same call alone on a fresh process was answered, so earlier calls matter"
        } else {
            "; the run ended before it was shown whether this call alone does it"
        });
        earlier(row, &mut message);
    }
    also(row, others, &mut message);
    if let Some(shrunk) = &row.shrunk {
        let _ = write!(
            message,
            "; smaller arguments that do it too: {}",
            visible(shrunk.arguments.get(), MAX_REQUEST)
        );
    }
    if let Some(tail) = exchange.stderr_tail.as_deref().map(str::trim)
        && !tail.is_empty()
    {
        message.push_str("; standard error ends: ");
        message.push_str(&visible_end(tail, MAX_STDERR));
    }
    message
}

/// Whether the call was made again alone: not where the run ended at it.
fn was_repeated(row: &FuzzRow, run: &FuzzRun) -> bool {
    let ended_here = Abandoned::run_ended_at(&row.case.label);
    !run.abandoned
        .iter()
        .any(|left| left.tool_index == row.tool_index && left.because == ended_here)
}

/// The other calls that ended it in the same way.
fn also(first: &FuzzRow, others: &[&FuzzRow], message: &mut String) {
    if others.is_empty() {
        return;
    }
    let mut cases: Vec<String> = others
        .iter()
        .take(MAX_CASES)
        .map(|row| {
            let case = visible(&row.case.label, 40);
            if row.tool_index == first.tool_index {
                format!("`{case}`")
            } else {
                format!("`{case}` of `{}`", visible(&row.tool, 40))
            }
        })
        .collect();
    let rest = others.len() - cases.len();
    if rest > 0 {
        cases.push(format!("{rest} more"));
    }
    let _ = write!(
        message,
        "; {} the same way: {}",
        count(others.len(), "more call")
            + if others.len() == 1 {
                " ends it"
            } else {
                " end it"
            },
        cases.join(", ")
    );
}

/// The calls that came before on the same process: how many, and the last ones.
fn earlier(row: &FuzzRow, message: &mut String) {
    let from = row.after.len().saturating_sub(MAX_EARLIER);
    let last: Vec<String> = row.after[from..]
        .iter()
        .map(|call| {
            format!(
                "`{}` of `{}`",
                visible(&call.case, 40),
                visible(&call.tool, 40)
            )
        })
        .collect();
    if last.is_empty() {
        return;
    }
    let _ = write!(
        message,
        " ({} came before, at last {})",
        count(row.after.len(), "call"),
        last.join(", ")
    );
}
