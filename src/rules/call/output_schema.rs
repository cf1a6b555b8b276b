//! A structured result that breaks its schema.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.output_schema",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a structured result that breaks `outputSchema`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema",
        keyword: Some("MUST"),
    }),
    why: "Clients check structured results and turn this success into a failure.",
    hint: "Return `structuredContent` that fits `outputSchema`, or correct the schema.",
    docs: include_str!("output_schema.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Characters of the reason that are kept.
const MAX_REASON: usize = 240;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let breaks = |row: &FuzzRow| row.output_schema_violation.is_some() && !is_refusal(row);
    for (first, rows) in by_tool(run, breaks) {
        let reason = first.output_schema_violation.as_deref().unwrap_or_default();
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the structured result does not fit `outputSchema`, case `{}`: {}",
                visible(&first.case.label, 60),
                visible(reason, MAX_REASON)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        finding.location.pointer = Some(pointer_in(reason));
    }
}

/// Whether odd arguments are refused in words: results of errors need not fit.
fn is_refusal(row: &FuzzRow) -> bool {
    let answer = row.answer.as_ref().filter(|_| !row.case.class.is_valid());
    answer.is_some_and(|answer| answer.failure.is_some() || answer.refusal.is_some())
}

/// The place that the reason opens with, below the result's structured content.
fn pointer_in(reason: &str) -> String {
    let place = reason
        .split_once(": ")
        .map_or("", |(place, _)| place)
        .trim_start_matches("/structuredContent");
    if place.starts_with('/') {
        format!("/structuredContent{place}")
    } else {
        "/structuredContent".to_owned()
    }
}
