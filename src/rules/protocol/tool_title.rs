//! A title that is no text.

use super::super::{Check, Held, Reporter, Rule, Section};
use super::reply::{kind, shown};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.tool_title",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a title that is no text",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MAY"),
    }),
    why: "Typed clients drop the tool, or the whole list, for one member of a wrong type.",
    hint: "Send `title` as a string, or leave it out.",
    docs: include_str!("tool_title.md"),
    subsumes: &[],
    check: Check::Held(check),
};

fn check(tool: &Tool, _: &Held<'_>, reporter: &mut Reporter<'_>) {
    let Some(title) = tool.entry.get("title") else {
        return;
    };
    if title.is_string() {
        return;
    }
    let finding = reporter.report(format!(
        "`title` is {}, and must be a string: {}",
        kind(Some(title)),
        shown(title)
    ));
    finding.location.pointer = Some(tool.pointer("/title"));
}
