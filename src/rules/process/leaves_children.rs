//! Processes that outlive the server.

use super::super::{Check, Reporter, Rule};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.leaves_children",
    family: Family::Process,
    severity: Severity::Warning,
    summary: "processes that outlive the server",
    spec: None,
    why: "Every session leaves processes behind that nobody ends.",
    hint: "End what the server has started before it exits, and wait for it.",
    docs: include_str!("leaves_children.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let ending = evidence.wire.ending;
    if ending.is_some_and(|ending| ending.children_left == Some(true)) {
        reporter.report(
            "processes that the server had started were still there a second after it exited",
        );
    }
}
