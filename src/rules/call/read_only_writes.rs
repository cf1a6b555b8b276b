//! Files that change during a call that says it only reads.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.read_only_writes",
    family: Family::Call,
    severity: Severity::Error,
    summary: "files that change during a call to a tool that says `readOnlyHint: true`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations",
        keyword: None,
    }),
    why: "Clients run tools that say so without asking; a hint that is not true is consent that nobody gave.",
    hint: "Say `readOnlyHint: false`, or keep caches and logs out of the user's folders.",
    docs: include_str!("read_only_writes.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Changes that a message lists.
const LISTED: usize = 4;

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| !row.writes.is_empty()) {
        if !says_read_only(evidence, first.tool_index) {
            continue;
        }
        let listed: Vec<String> = first
            .writes
            .iter()
            .take(LISTED)
            .map(|change| format!("`{}` {}", visible(&change.path, 120), change.kind.word()))
            .collect();
        let more = match first.writes.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "it says `readOnlyHint: true`, and during case `{}` files changed: {}{more}",
                visible(&first.case.label, 60),
                listed.join(", ")
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

fn says_read_only(evidence: &Evidence, index: usize) -> bool {
    let entry = evidence.inventory.tools.entries.get(index);
    entry.is_some_and(|raw| Tool::read(index, raw.get()).hints.read_only == Some(true))
}
