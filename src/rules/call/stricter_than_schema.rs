//! A refusal of what the schema allows.

use std::collections::{BTreeMap, BTreeSet};

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule};
use super::by_tool;
use super::strict;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{CaseClass, FuzzRow, FuzzRun, is_same_refusal};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.stricter_than_schema",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a refusal of what `inputSchema` allows",
    spec: None,
    why: "A model that keeps to the schema is refused, and nothing told it so before.",
    hint: "Say it in `inputSchema`: `\"additionalProperties\": false` for unknown names, `minimum`, `maximum`, `maxLength` and the like for bounds.",
    docs: include_str!("stricter_than_schema.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let mut plain: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for row in run.rows.iter().filter(|row| row.case.class.is_valid()) {
        if let Some(text) = refusal(row) {
            plain.entry(row.tool_index).or_default().insert(text);
        }
    }
    let is_plain = |row: &FuzzRow, text: &str| {
        let said = plain.get(&row.tool_index).into_iter().flatten();
        said.into_iter().any(|said| is_same_refusal(said, text))
    };
    // A tool that refuses its plain valid call in the same words is not stricter
    // about the key.
    let is_about_key = |row: &FuzzRow| {
        row.case.class == CaseClass::ExtraKey
            && refusal(row).is_some_and(|text| {
                strict::is_about_extra_key(text, &row.case) && !is_plain(row, text)
            })
    };
    for (first, _) in by_tool(run, is_about_key) {
        report(reporter, first, "key", "a key that the schema allows");
    }
    let is_about_bound = |row: &FuzzRow| {
        matches!(
            row.case.class,
            CaseClass::Generated | CaseClass::Example | CaseClass::Edge
        ) && refusal(row).is_some_and(strict::is_about_bound)
    };
    for (first, _) in by_tool(run, is_about_bound) {
        report(
            reporter,
            first,
            "bound",
            "a value within the bounds of the schema",
        );
    }
}

fn refusal(row: &FuzzRow) -> Option<&str> {
    if row.outcome.is_refusal() {
        row.error_text.as_deref()
    } else {
        None
    }
}

fn report(reporter: &mut Reporter<'_>, row: &FuzzRow, matter: &str, what: &str) {
    let text = refusal(row).unwrap_or_default();
    reporter.report_call(
        row,
        matter,
        format!(
            "case `{}`: {what} is refused: {}",
            visible(&row.case.label, 60),
            quote(text)
        ),
    );
}
