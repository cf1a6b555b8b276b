//! A session that has ended and is not answered with 404.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.session_unknown",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a session that has ended and is not answered with 404",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management",
        keyword: Some("MUST"),
    }),
    why: "Clients begin a new session at 404 and at nothing else, so they stay cut off.",
    hint: "Answer ids of sessions that ended, or never were, with `404 Not Found`.",
    docs: include_str!("session_unknown.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let (severity, whose, probe) = match reply::probe(evidence, "session-terminated") {
        Some(probe) => (Severity::Warning, "that was ended by DELETE", probe),
        None => match reply::probe(evidence, "session-unknown") {
            Some(probe) => (Severity::Info, "that never was", probe),
            None => return,
        },
    };
    if let Some(status) = probe.exchange.http_status
        && status != 404
    {
        reporter
            .report(format!(
                "a request in a session {whose} is answered with HTTP {status}, not with 404"
            ))
            .severity = severity;
    }
}
