//! A structured result without its text.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun, Outcome};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.structured_text",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a structured result that does not come as text too",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#structured-content",
        keyword: Some("SHOULD"),
    }),
    why: "Clients that do not read structured content see an empty answer.",
    hint: "Put the same value as JSON into a text part of `content`.",
    docs: include_str!("structured_text.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let mut tools: BTreeMap<usize, (&FuzzRow, u32)> = BTreeMap::new();
    for row in run.rows.iter().filter(|row| lacks_text(row)) {
        tools.entry(row.tool_index).or_insert((row, 0)).1 += 1;
    }
    for (row, times) in tools.into_values() {
        let finding = reporter.report_call(
            row,
            "",
            "the result has `structuredContent` and no part of type `text`",
        );
        finding.occurrences = times;
    }
}

fn lacks_text(row: &FuzzRow) -> bool {
    if row.outcome != Outcome::Ok {
        return false;
    }
    // A reply that was cut is no JSON, and nothing is said of it.
    let Some(result) = reply::result(&row.exchange) else {
        return false;
    };
    let structured = result
        .get("structuredContent")
        .is_some_and(|value| !value.is_null());
    let parts = result.get("content").and_then(Value::as_array);
    let is_text = |part: &Value| part.get("type").and_then(Value::as_str) == Some("text");
    structured && !parts.is_some_and(|parts| parts.iter().any(is_text))
}
