//! A request without a token that is turned away in the wrong way.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.auth_401",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a request without a token that is not answered with 401",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#error-handling",
        keyword: Some("MUST"),
    }),
    why: "Clients begin to sign in at 401 and at nothing else.",
    hint: "Answer requests without a valid token with `401 Unauthorized`.",
    docs: include_str!("auth_401.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let (status, body) = match reply::probe(evidence, "no-token") {
        Some(probe) => (
            probe.exchange.http_status,
            probe.exchange.reply.as_deref().unwrap_or_default(),
        ),
        None => at_the_door(evidence),
    };
    let Some(status) = status else {
        return;
    };
    // A server may do without a token, and may forbid for other reasons.
    let wants_a_token = match status {
        403 => speaks_of_credentials(body),
        200 => body.contains("\"error\"") && speaks_of_credentials(body),
        _ => false,
    };
    if wants_a_token {
        reporter.report(format!(
            "a request without a token is answered with HTTP {status}, not with 401: `{}`",
            visible(body, 120)
        ));
    }
}

/// The last attempt to connect.
fn at_the_door(evidence: &Evidence) -> (Option<u16>, &str) {
    evidence
        .contact
        .attempts
        .iter()
        .rev()
        .find(|at| at.status.is_some())
        .map_or((None, ""), |at| {
            (at.status, at.head.as_deref().unwrap_or_default())
        })
}

fn speaks_of_credentials(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [
        "unauthorized",
        "unauthenticated",
        "authentication",
        "token",
        "credential",
        "api key",
    ]
    .into_iter()
    .any(|word| text.contains(word))
}
