//! A tool that was left alone.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{Decision, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.not_called",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a tool that was not called",
    spec: None,
    why: "Nothing is known of how it behaves; it is not counted as passed.",
    hint: "Run again with what would include it.",
    docs: include_str!("not_called.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for turn in &run.turns {
        let Decision::Skip {
            because,
            include_with,
        } = &turn.decision
        else {
            continue;
        };
        let finding = reporter.report_tool(
            &turn.tool,
            turn.tool_index,
            "",
            format!("it was not called: {}", visible(because, 300)),
        );
        // Lines to paste stand under "not tested"; here the flag is enough.
        let way = include_with.lines().next().unwrap_or_default();
        let way = way.trim_end_matches(", or in mcprobe.toml:");
        finding.hint = format!("Include it with {}.", visible(way, 200)).into();
    }
}
