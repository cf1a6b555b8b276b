//! Log messages that nobody asked for.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.log_without_level",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "log messages that nobody asked for",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging",
        keyword: Some("MUST NOT"),
    }),
    why: "The client pays for reading messages that it did not want, and may treat them as a fault.",
    hint: "Send `notifications/message` only for requests that have `io.modelcontextprotocol/logLevel` in their `_meta`.",
    docs: include_str!("log_without_level.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let seen = evidence
        .wire
        .notifications
        .iter()
        .find(|seen| seen.method == "notifications/message");
    let Some(seen) = seen.filter(|seen| seen.count > 0) else {
        return;
    };
    let times = usize::try_from(seen.count).unwrap_or(usize::MAX);
    let finding = reporter.report(format!(
        "{} came, though no request named a log level",
        count(times, "log message")
    ));
    finding.occurrences = u32::try_from(seen.count).unwrap_or(u32::MAX);
}
