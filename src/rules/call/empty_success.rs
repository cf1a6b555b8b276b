//! Success with nothing in it.

use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases, content_block};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.empty_success",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "success with nothing in it",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result",
        keyword: None,
    }),
    why: "A model cannot tell whether the call worked, found nothing, or failed.",
    hint: "Return at least one sentence of text, also when there is nothing to return.",
    docs: include_str!("empty_success.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    // Where the content is not as the protocol has it, nothing can be in it.
    let is_empty = |row: &FuzzRow| row.empty_success && content_block::fault(row).is_none();
    for (first, rows) in by_tool(run, is_empty) {
        reporter.report_call(
            first,
            "",
            format!("the tool succeeds with an empty result: {}", cases(&rows)),
        );
    }
}
