//! A tool without an input schema.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.no_input_schema",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "a tool without an input schema",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MUST"),
    }),
    why: "A model cannot know which arguments to send, and strict clients drop the tool, or the whole list.",
    hint: "Declare `inputSchema`; for a tool without parameters `{\"type\": \"object\", \"additionalProperties\": false}`.",
    docs: include_str!("no_input_schema.md"),
    subsumes: &[],
    check: Check::Tool(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    // What is there and no object is no valid schema: `schema.invalid`.
    match tool.input_schema() {
        None => {
            reporter.report("the tool has no `inputSchema`");
        }
        Some(Value::Object(keywords)) if keywords.is_empty() => {
            let finding = reporter.report("`inputSchema` is `{}`, which says nothing");
            finding.location.pointer = Some(tool.pointer("/inputSchema"));
        }
        Some(_) => {}
    }
}
