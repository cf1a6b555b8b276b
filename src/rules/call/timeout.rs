//! A call that is not answered in time.

use std::fmt::Write as _;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;
use crate::model::fuzz::Outcome;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.timeout",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a call that is never answered",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts",
        keyword: Some("SHOULD"),
    }),
    why: "The agent waits until its own limit, and the user with it.",
    hint: "Bound every wait inside the tool and answer with `isError: true` when the bound is reached.",
    docs: include_str!("timeout.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Characters of arguments that are kept.
const MAX_ARGUMENTS: usize = 200;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| row.outcome == Outcome::Timeout) {
        let mut message = format!(
            "the call is not answered within its limit: {}",
            cases(&rows)
        );
        if let Some(shrunk) = rows.iter().find_map(|row| row.shrunk.as_ref()) {
            let _ = write!(
                message,
                "; smaller arguments that do it too: {}",
                visible(shrunk.arguments.get(), MAX_ARGUMENTS)
            );
        }
        let finding = reporter.report_call(first, "", message);
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}
