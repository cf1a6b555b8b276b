//! A refusal with the code of an internal error.

use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.internal_error",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a refusal with the code of an internal error",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
        keyword: None,
    }),
    why: "Code -32603 says that the server broke, so an agent gives up instead of correcting its arguments.",
    hint: "Answer bad arguments with `isError: true` and the reason, or with -32602; keep -32603 for defects.",
    docs: include_str!("internal_error.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// JSON-RPC 2.0, section 5.1: internal error.
const INTERNAL_ERROR: i64 = -32603;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| row.error_code == Some(INTERNAL_ERROR)) {
        reporter.report_call(
            first,
            "",
            format!(
                "the tool answers with -32603 (internal error): {}",
                cases(&rows)
            ),
        );
    }
}
