//! A request without its session that is not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.session_missing",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a request without the session id that is not refused with 400",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management",
        keyword: Some("SHOULD"),
    }),
    why: "The client does not notice that it lost its session.",
    hint: "Answer requests without `Mcp-Session-Id`, other than `initialize`, with `400 Bad Request`.",
    docs: include_str!("session_missing.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "session-missing") else {
        return;
    };
    let (severity, message) = match probe.exchange.http_status {
        None | Some(400) => return,
        Some(status @ 200..300) => (Severity::Warning, format!("is answered with HTTP {status}")),
        Some(status) => (
            Severity::Info,
            format!("is refused with HTTP {status}, not with 400"),
        ),
    };
    reporter
        .report(format!(
            "a request without `Mcp-Session-Id`, though the server gave one, {message}"
        ))
        .severity = severity;
}
