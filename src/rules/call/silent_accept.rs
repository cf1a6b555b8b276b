//! Success on arguments that break the declared schema.

use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases, failure_as_success};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.silent_accept",
    family: Family::Call,
    severity: Severity::Error,
    summary: "success on arguments that break the declared schema",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations",
        keyword: Some("MUST"),
    }),
    why: "A model that sends wrong arguments gets a plausible answer instead of an error that it could correct.",
    hint: "Check arguments against `inputSchema` before anything else and answer with `isError: true` and the reason.",
    docs: include_str!("silent_accept.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let is_taken = |row: &FuzzRow| {
        row.silently_accepted && !failure_as_success::is_refusal(evidence, run, row)
    };
    for (first, rows) in by_tool(run, is_taken) {
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the tool succeeds on arguments that break its schema: {}",
                cases(&rows)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}
