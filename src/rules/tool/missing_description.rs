//! A tool without a description.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.missing_description",
    family: Family::Lint,
    severity: Severity::Error,
    summary: "a tool without a description",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: None,
    }),
    why: "A model chooses tools by their descriptions; without one it has to guess from the name.",
    hint: "Say in one or two sentences what the tool does, when to use it, and what comes back.",
    docs: include_str!("missing_description.md"),
    subsumes: &["tool.thin_description"],
    check: Check::Tool(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    let message = match tool.description.as_deref() {
        Some(text) if !text.trim().is_empty() => return,
        Some(_) => "the description is blank",
        None if tool
            .entry
            .get("description")
            .is_some_and(|found| !found.is_null()) =>
        {
            "the description is no string"
        }
        None => "the tool has no description",
    };
    reporter.report(message);
}
