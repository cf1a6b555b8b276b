//! Log messages without the capability.

use super::super::{Check, Reporter, Rule, Section};
use super::fault::count;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.log_declared",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "log messages without the capability",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#capabilities",
        keyword: Some("MUST"),
    }),
    why: "Clients that go by the capabilities do not show these messages.",
    hint: "Declare `logging`, or write logs to standard error alone.",
    docs: include_str!("log_declared.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let logs = evidence.wire.notifications.iter();
    let Some(seen) = logs
        .filter(|seen| seen.method == "notifications/message")
        .find(|_| !evidence.inventory.declares("logging"))
    else {
        return;
    };
    let finding = reporter.report(format!(
        "the server sent {} and does not declare `logging`",
        count(seen.count, "log message")
    ));
    finding.occurrences = u32::try_from(seen.count).unwrap_or(u32::MAX);
}
