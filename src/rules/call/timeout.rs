//! A call that is not answered in time.

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

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| row.outcome == Outcome::Timeout) {
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the call is not answered within its limit: {}",
                cases(&rows)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}
