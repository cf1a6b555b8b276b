//! Messages that are not UTF-8.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.not_utf8",
    family: Family::Process,
    severity: Severity::Error,
    summary: "messages that are not UTF-8",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports",
        keyword: Some("MUST"),
    }),
    why: "Clients fail on such a message as a whole, and some wait for ever.",
    hint: "Write messages as UTF-8 whatever the locale is: set the encoding of standard output, or write bytes.",
    docs: include_str!("not_utf8.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let found = evidence.wire.invalid_utf8_messages;
    // Where a call shows it, `call.not_utf8` says so and names the tool.
    let rows = evidence.fuzz.iter().flat_map(|run| &run.rows);
    if found == 0 || rows.into_iter().any(|row| row.invalid_utf8_at.is_some()) {
        return;
    }
    let all = usize::try_from(found).unwrap_or(usize::MAX);
    let finding = reporter.report(format!(
        "{} of the server {} not UTF-8",
        count(all, "message"),
        if all == 1 { "is" } else { "are" }
    ));
    finding.occurrences = u32::try_from(found).unwrap_or(u32::MAX);
}
