//! A tool that was left alone.

use std::collections::BTreeMap;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{Decision, FuzzRun, ToolTurn};
use crate::wording::{self, count};

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

/// Tools that are told of one by one when they were left alone for one reason.
const ONE_BY_ONE: usize = 20;

/// Names that a finding about many tools lists.
const LISTED: usize = 6;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let mut alike: BTreeMap<&str, Vec<(&ToolTurn, &str)>> = BTreeMap::new();
    for turn in &run.turns {
        if let Decision::Skip {
            because,
            include_with,
        } = &turn.decision
        {
            let group = alike.entry(because).or_default();
            group.push((turn, include_with));
        }
    }
    for (because, turns) in alike {
        if turns.len() > ONE_BY_ONE {
            report_together(reporter, because, &turns);
            continue;
        }
        for (turn, include_with) in turns {
            let finding = reporter.report_tool(
                &turn.tool,
                turn.tool_index,
                "",
                format!("it was not called: {}", visible(because, 300)),
            );
            finding.hint = way(include_with).into();
        }
    }
}

/// One finding for all of them: a list of a thousand is read by nobody.
fn report_together(reporter: &mut Reporter<'_>, because: &str, turns: &[(&ToolTurn, &str)]) {
    let names = wording::names(turns.iter().map(|(turn, _)| turn.tool.as_str()), LISTED);
    let finding = reporter.report_matter(
        because,
        format!(
            "{} were not called ({}): {}",
            count(turns.len(), "tool"),
            visible(&names, 300),
            visible(because, 300)
        ),
    );
    finding.occurrences = u32::try_from(turns.len()).unwrap_or(u32::MAX);
    if let Some((_, include_with)) = turns.first() {
        finding.hint = way(include_with).into();
    }
}

/// What would include it. Lines to paste stand under "not tested"; here the flag is
/// enough.
fn way(include_with: &str) -> String {
    let way = include_with.lines().next().unwrap_or_default();
    let way = way.trim_end_matches(", or in mcprobe.toml:");
    format!("Include it with {}.", visible(way, 200))
}
