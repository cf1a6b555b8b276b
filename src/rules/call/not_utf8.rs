//! A reply that is not UTF-8.

use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.not_utf8",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a reply that is not UTF-8",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports",
        keyword: Some("MUST"),
    }),
    why: "Clients fail on the whole reply, and some wait for ever.",
    hint: "Convert text to UTF-8 before it goes into a message.",
    docs: include_str!("not_utf8.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| row.invalid_utf8_at.is_some()) {
        let offset = first.invalid_utf8_at.unwrap_or_default();
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the reply is not UTF-8 from byte {offset} on: {}",
                cases(&rows)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}
