//! An unknown revision in the header that is not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_version_header",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an unknown revision in the header that is not refused with 400",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header",
        keyword: Some("MUST"),
    }),
    why: "The server goes on by a revision that nobody named.",
    hint: "Check `MCP-Protocol-Version` and answer unknown values with `400 Bad Request`.",
    docs: include_str!("http_version_header.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "http-version-header") else {
        return;
    };
    if probe.exchange.http_status == Some(400) {
        return;
    }
    let what = match (probe.taken, probe.exchange.http_status) {
        (Taken::Result, Some(status)) => format!("a result (HTTP {status})"),
        _ => told(probe),
    };
    reporter.report(format!(
        "`MCP-Protocol-Version: 1900-01-01` is met with {what}, not with HTTP 400"
    ));
}
