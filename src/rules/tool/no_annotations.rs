//! A tool without annotations.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.no_annotations",
    family: Family::Lint,
    severity: Severity::Info,
    summary: "a tool without annotations",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations",
        keyword: None,
    }),
    why: "Clients then assume the worst (it may change and destroy things) and ask the user before every call.",
    hint: "Add `annotations` with at least `readOnlyHint`, and `destructiveHint` where the tool writes.",
    docs: include_str!("no_annotations.md"),
    subsumes: &[],
    check: Check::Tool(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    match tool.entry.get("annotations") {
        Some(Value::Object(hints)) if !hints.is_empty() => {}
        Some(Value::Object(_)) => {
            reporter.report("`annotations` is empty");
        }
        None | Some(Value::Null) => {
            reporter.report("the tool has no `annotations`");
        }
        Some(_) => {
            reporter.report("`annotations` is no object");
        }
    }
}
