//! Requests of the server in the modern era.

use super::super::{Check, Reporter, Rule, Section};
use super::fault::{count, names_of};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.no_server_requests",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "requests of the server in the modern era",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns#multi-round-trip-requests",
        keyword: Some("MUST NOT"),
    }),
    why: "Clients of this revision answer no requests: the server waits for ever.",
    hint: "Return `resultType: \"input_required\"` with `inputRequests` in place of a request.",
    docs: include_str!("no_server_requests.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let requests = &evidence.wire.server_requests;
    if requests.is_empty() {
        return;
    }
    let total = requests.iter().map(|seen| seen.count).sum();
    let finding = reporter.report(format!(
        "the server sent {}: {}",
        count(total, "request"),
        names_of(requests)
    ));
    finding.occurrences = u32::try_from(total).unwrap_or(u32::MAX);
}
