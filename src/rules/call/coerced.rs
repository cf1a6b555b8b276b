//! A value of another type that is converted.

use super::super::{Check, Reporter, Rule};
use super::{by_tool, cases, failure_as_success};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.coerced",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a value of another type that is converted",
    spec: None,
    why: "The tool takes \"5\" for 5, or true for 1; clients that check arguments never send it, others learn a wrong habit.",
    hint: "Refuse values of another type, or allow both in the schema.",
    docs: include_str!("coerced.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let is_taken =
        |row: &FuzzRow| row.coerced && !failure_as_success::may_refuse(evidence, run, row);
    for (first, rows) in by_tool(run, is_taken) {
        reporter.report_call(
            first,
            "",
            format!("the tool converts values of another type: {}", cases(&rows)),
        );
    }
}
