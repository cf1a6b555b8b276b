//! A tool that leaves its input schema out.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.input_schema_missing",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a tool without `inputSchema`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MUST"),
    }),
    why: "Clients that check the list drop the tool, and many drop the whole list.",
    hint: "Declare `inputSchema`; for a tool without parameters `{\"type\": \"object\", \"additionalProperties\": false}`.",
    docs: include_str!("input_schema_missing.md"),
    subsumes: &["tool.no_input_schema"],
    check: Check::Tool(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    // `null` is there, and no schema: `schema.invalid`.
    if tool.input_schema().is_none() {
        reporter.report("the tool has no `inputSchema`, which every tool must have");
    }
}
