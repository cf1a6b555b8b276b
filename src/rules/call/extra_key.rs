//! An unknown key that an open schema lets pass.

use super::super::{Check, Reporter, Rule};
use super::{by_tool, failure_as_success};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;
use crate::model::fuzz::{CaseClass, Outcome};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.extra_key",
    family: Family::Call,
    severity: Severity::Info,
    summary: "an unknown key that an open schema lets pass",
    spec: None,
    why: "A mistyped parameter name is ignored without a word.",
    hint: "Add `\"additionalProperties\": false` to `inputSchema` and refuse unknown keys.",
    docs: include_str!("extra_key.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let accepted = by_tool(run, |row| {
        row.case.class == CaseClass::ExtraKey
            && row.outcome == Outcome::Ok
            && !failure_as_success::may_refuse(evidence, run, row)
    });
    for (first, _) in accepted {
        reporter.report_call(
            first,
            "",
            "the tool takes a key that its schema does not name (the schema allows it)",
        );
    }
}
