//! Several tools of one name.

use super::super::quote::quote;
use super::super::{Check, Names, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.duplicate_name",
    family: Family::Lint,
    severity: Severity::Error,
    summary: "several tools of one name",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names",
        keyword: Some("SHOULD"),
    }),
    why: "Tools are called by name, so a call cannot say which of them is meant; clients keep one and drop the rest.",
    hint: "Give each tool a name of its own.",
    docs: include_str!("duplicate_name.md"),
    subsumes: &[],
    check: Check::Names(check),
};

/// Positions that a message lists.
const LISTED: usize = 8;

fn check(names: &Names, reporter: &mut Reporter<'_>) {
    for (name, places) in names {
        let [first, _, ..] = places.as_slice() else {
            continue;
        };
        let listed: Vec<String> = places
            .iter()
            .take(LISTED)
            .map(|index| format!("/tools/{index}"))
            .collect();
        let rest = match places.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let finding = reporter.report(format!(
            "{} tools are named {}: {}{rest}",
            places.len(),
            quote(name),
            listed.join(", "),
        ));
        finding.location.tool = Some(name.clone());
        finding.location.tool_index = Some(*first);
        finding.location.pointer = Some(format!("/tools/{first}/name"));
        finding.occurrences = u32::try_from(places.len()).unwrap_or(u32::MAX);
    }
}
