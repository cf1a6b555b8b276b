//! A foreign origin that is not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::rules::requirements::needs;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.origin_403",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a foreign `Origin` that is not refused with 403",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning",
        keyword: Some("MUST"),
    }),
    why: "Pages of other sites may call the server from a browser.",
    hint: "Check `Origin` where it is present, and answer foreign ones with `403 Forbidden`.",
    docs: include_str!("origin_403.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "origin-evil") else {
        return;
    };
    let local = needs::address(evidence).is_some_and(|url| needs::is_local(&url));
    let (severity, message) = match probe.exchange.http_status {
        // Who has no token is turned away before anything else.
        Some(401 | 403) | None => return,
        Some(status @ 200..300) => (
            // A public server decides for itself which sites it serves.
            if local {
                Severity::Warning
            } else {
                Severity::Info
            },
            format!("a request with `Origin: http://evil.example.com` is answered (HTTP {status})"),
        ),
        Some(status) => (
            Severity::Info,
            format!(
                "a request with `Origin: http://evil.example.com` is refused with HTTP {status}, not with 403"
            ),
        ),
    };
    reporter.report(message).severity = severity;
}
