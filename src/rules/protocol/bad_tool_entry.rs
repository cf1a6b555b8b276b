//! An entry of the tool list that is no tool.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;
use crate::protocol::json::{Flaw, MAX_DEPTH, MAX_VALUES};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.bad_tool_entry",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an entry of the tool list that is no tool",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MUST"),
    }),
    why: "Clients that check the list drop the entry, and many drop the whole list.",
    hint: "Send each tool as an object with a non-empty string `name`, in text that every JSON parser reads.",
    docs: include_str!("bad_tool_entry.md"),
    subsumes: &[],
    check: Check::Entry(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    for flaw in &tool.flaws {
        let message = match flaw {
            Flaw::TooDeep => format!("the entry nests deeper than {MAX_DEPTH} levels and was not read"),
            Flaw::TooLarge => format!("the entry has more than {MAX_VALUES} values and was not read"),
            Flaw::NotJson => "the entry is no JSON".to_owned(),
            Flaw::LoneSurrogate => {
                "the entry has a `\\ud800`–`\\udfff` escape without its partner, which is no character"
                    .to_owned()
            }
            // Legal JSON, though few can hold it.
            Flaw::NumberOutOfRange => continue,
        };
        reporter.report(message);
    }
    let unread = tool
        .flaws
        .iter()
        .any(|flaw| matches!(flaw, Flaw::TooDeep | Flaw::TooLarge | Flaw::NotJson));
    if unread {
        return;
    }
    if !tool.entry.is_object() {
        reporter.report(format!(
            "the entry is no object: `{}`",
            visible(&tool.entry.to_string(), 60)
        ));
        return;
    }
    let message = match (tool.entry.get("name"), tool.name.as_deref()) {
        (_, Some(name)) if !name.is_empty() => return,
        (None, _) => "the tool has no `name`".to_owned(),
        (_, Some(_)) => "the `name` is empty".to_owned(),
        (Some(found), None) => format!(
            "the `name` is no string: `{}`",
            visible(&found.to_string(), 60)
        ),
    };
    reporter.report(message);
}
