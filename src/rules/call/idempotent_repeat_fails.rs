//! A second identical call that fails where the tool says it does not matter.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.idempotent_repeat_fails",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a repeated call that fails although the tool says `idempotentHint: true`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations",
        keyword: None,
    }),
    why: "A client that trusts the hint repeats a call after a lost answer, and gets an error for work that was done.",
    hint: "Answer the repeated call as the first one, or take the hint away.",
    docs: include_str!("idempotent_repeat_fails.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for repeat in &run.follow_up.repeats {
        if !repeat.idempotent || !repeat.again.outcome.is_refusal() {
            continue;
        }
        let why = repeat.again.error_text.as_deref().unwrap_or_default();
        let finding = reporter.report_tool(
            &repeat.tool,
            repeat.tool_index,
            "",
            format!(
                "it says `idempotentHint: true`, and case `{}` works once and is refused when it is repeated at once: {}",
                visible(&repeat.case, 60),
                quote(why)
            ),
        );
        finding.case = Some(repeat.case.clone());
    }
}
