//! A mistyped argument that is dropped without a word.

use std::collections::BTreeMap;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use super::{by_tool, cases, failure_as_success};
use crate::fuzz::cases::labels;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun, Outcome};

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

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let plain: BTreeMap<usize, &str> = run
        .rows
        .iter()
        .filter(|row| row.case.class.is_valid())
        .filter_map(|row| Some((row.tool_index, row.answer.as_ref()?.digest.as_str())))
        .collect();
    let is_plain = |row: &FuzzRow| {
        row.answer
            .as_ref()
            .is_some_and(|answer| plain.get(&row.tool_index) == Some(&answer.digest.as_str()))
    };
    let dropped = by_tool(run, |row| {
        row.case.label.starts_with(labels::NEAR_MISS)
            && is_plain(row)
            // Two failures that read alike do not tell what became of the argument.
            && !failure_as_success::may_refuse(evidence, run, row)
    });
    for (first, rows) in dropped {
        // Under its right name the same value gives another answer.
        let harmful = rows.iter().find(|row| {
            let (_, declared) = names(row);
            run.rows.iter().any(|right| {
                right.tool_index == row.tool_index
                    && right.outcome == Outcome::Ok
                    && right.case.label.strip_prefix(labels::GIVEN) == Some(declared)
                    && !is_plain(right)
            })
        });
        let row = harmful.copied().unwrap_or(first);
        let (given, declared) = names(row);
        let what = if harmful.is_some() {
            "the answer is the one without it, where the right name gives another"
        } else {
            "the answer is the one without it"
        };
        let finding = reporter.report_call(
            row,
            "",
            format!(
                "an argument `{}` in place of `{}` is taken, and {what}: {}",
                visible(given, 60),
                visible(declared, 60),
                cases(&rows)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

/// The name that was given, and the declared one that it nearly is.
fn names(row: &FuzzRow) -> (&str, &str) {
    let names = row.case.label.trim_start_matches(labels::NEAR_MISS);
    names.split_once("->").unwrap_or((names, names))
}
