//! A description too short to choose by.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.thin_description",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "a description of less than twelve characters",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: None,
    }),
    why: "A word or two rarely tells a model when to choose this tool over another.",
    hint: "Say what the tool does, when to use it, and what comes back.",
    docs: include_str!("thin_description.md"),
    subsumes: &[],
    check: Check::Tool(check),
};

/// UTF-16 units of the shortest description that is not thin.
const ENOUGH: usize = 12;

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    let text = tool.description.as_deref().unwrap_or_default().trim();
    let length = text.encode_utf16().count();
    if (1..ENOUGH).contains(&length) {
        reporter.report(format!(
            "the description is {} only ({length} of at least {ENOUGH} characters)",
            quote(text)
        ));
    }
}
