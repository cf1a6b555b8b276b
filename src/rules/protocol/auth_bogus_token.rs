//! An invalid token that is not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.auth_bogus_token",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an invalid token that is not refused with 401",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#token-handling",
        keyword: Some("MUST"),
    }),
    why: "Where any token opens the door there is no door.",
    hint: "Validate every token, and answer invalid ones with `401 Unauthorized`.",
    docs: include_str!("auth_bogus_token.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "bogus-token") else {
        return;
    };
    let (severity, what) = match probe.exchange.http_status {
        Some(401) | None => return,
        Some(status @ 200..300) => (
            Severity::Error,
            format!("opens the server (HTTP {status}), which refuses requests without one"),
        ),
        Some(status) => (
            Severity::Warning,
            format!("is refused with HTTP {status}, not with 401"),
        ),
    };
    reporter
        .report(format!("a token that was never issued {what}"))
        .severity = severity;
}
