//! A mistyped argument that is dropped without a word.

use std::collections::BTreeMap;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use super::{by_tool, cases};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.near_miss_dropped",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a mistyped argument name that is dropped without a word",
    spec: None,
    why: "A model that says `depth` for `maxDepth` gets the answer to another question and never learns it.",
    hint: "Add `\"additionalProperties\": false` to `inputSchema` and refuse unknown names with the nearest known one.",
    docs: include_str!("near_miss_dropped.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// How the label of such a case begins: `near_miss:<given>-><declared>`.
const PREFIX: &str = "near_miss:";

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let plain: BTreeMap<usize, &str> = run
        .rows
        .iter()
        .filter(|row| row.case.class.is_valid())
        .filter_map(|row| Some((row.tool_index, row.answer.as_ref()?.digest.as_str())))
        .collect();
    let dropped = by_tool(run, |row| {
        row.case.label.starts_with(PREFIX)
            && row
                .answer
                .as_ref()
                .is_some_and(|answer| plain.get(&row.tool_index) == Some(&answer.digest.as_str()))
    });
    for (first, rows) in dropped {
        let names = first.case.label.trim_start_matches(PREFIX);
        let (given, declared) = names.split_once("->").unwrap_or((names, names));
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "an argument `{}` in place of `{}` is taken, and the answer is the one without it: {}",
                visible(given, 60),
                visible(declared, 60),
                cases(&rows)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}
