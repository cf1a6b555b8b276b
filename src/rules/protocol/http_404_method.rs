//! An unknown method over HTTP without 404.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, METHOD_NOT_FOUND};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_404_method",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an unknown method that is not answered with 404",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header",
        keyword: Some("MUST"),
    }),
    why: "Gateways and clients that look at the status alone take the refusal for a success.",
    hint: "Send HTTP 404 with the JSON-RPC error -32601.",
    docs: include_str!("http_404_method.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "unknown-method") else {
        return;
    };
    // Another code is said by `protocol.unknown_method`.
    if probe.taken != Taken::Error(METHOD_NOT_FOUND) {
        return;
    }
    if let Some(status) = probe.exchange.http_status
        && status != 404
    {
        reporter.report(format!(
            "error -32601 for a method that does not exist comes with HTTP {status}, not with 404"
        ));
    }
}
