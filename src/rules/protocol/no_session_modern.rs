//! A session id in an era without sessions.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.no_session_modern",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a session id in an era without sessions",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-streamable-http-revisions",
        keyword: Some("SHOULD"),
    }),
    why: "Clients ignore it, and gateways that route by it send requests to one server only.",
    hint: "Send `Mcp-Session-Id` only in answers to clients of the older revisions.",
    docs: include_str!("no_session_modern.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let times: u64 = evidence
        .wire
        .http
        .iter()
        .map(|seen| seen.with_session)
        .sum();
    if times == 0 {
        return;
    }
    let finding = reporter.report(format!(
        "an `Mcp-Session-Id`, which this revision does not have, comes with replies ({times} times)"
    ));
    finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
}
