//! A call that ends the server or breaks its framing.

use std::fmt::Write as _;

use super::super::quote::{visible, visible_end};
use super::super::{Check, Reporter, Rule};
use super::invalid_json::is_invalid_json;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;
use crate::model::fuzz::{FuzzRow, Outcome};
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.crash",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a call that ends the server",
    spec: None,
    why: "One bad argument takes all tools away from every user of the process.",
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

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for row in &run.rows {
        // A reply that is no JSON has a rule of its own.
        if row.outcome == Outcome::ProtocolCrash && !is_invalid_json(row) {
            reporter.report_call(row, &row.case.label, message(row));
        }
    }
    if let Some(probe) = &run.follow_up.unknown_tool
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

fn message(row: &FuzzRow) -> String {
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
        message.push_str(
            "; the same call alone on a fresh process was answered, so earlier calls matter",
        );
        earlier(row, &mut message);
    }
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
