//! An unknown resource that is not refused.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, broke, is_http_refusal, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};
use crate::rules::requirements::Spoken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.resource_missing",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an unknown resource that is not refused",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling",
        keyword: Some("MUST"),
    }),
    why: "A client takes an empty answer for an empty resource.",
    hint: "Answer with the JSON-RPC error -32602 from 2026-07-28 on, and with -32002 before.",
    docs: include_str!("resource_missing.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// What earlier revisions name.
const FORMER: i64 = -32002;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "resource-unknown") else {
        return;
    };
    let modern = Spoken::of(evidence).is_modern();
    let strict = if modern {
        Severity::Error
    } else {
        Severity::Warning
    };
    let severity = match probe.taken {
        _ if broke(probe) => Severity::Error,
        Taken::Error(INVALID_PARAMS) => return,
        Taken::Error(FORMER) if !modern => return,
        Taken::Error(_) if modern => Severity::Error,
        // A refusal all the same; SDKs differ in their codes.
        Taken::Error(_) => Severity::Info,
        Taken::HttpOnly if is_http_refusal(probe) => Severity::Info,
        // Some servers have something to say about every address.
        Taken::Result if has_contents(probe) => Severity::Info,
        Taken::Result => strict,
        Taken::Silence | Taken::HttpOnly | Taken::Broken | Taken::Closed => Severity::Error,
    };
    let wanted = if modern { "-32602" } else { "-32002" };
    let finding = reporter.report(format!(
        "reading a resource that does not exist is met with {}, not with error {wanted}",
        told(probe)
    ));
    finding.severity = severity;
    if let Some(spec) = &mut finding.spec {
        spec.keyword = Some(if modern { "MUST" } else { "SHOULD" }.into());
    }
}

fn has_contents(probe: &Probe) -> bool {
    let result = reply::result(&probe.exchange).unwrap_or_default();
    let contents = result.get("contents").and_then(Value::as_array);
    contents.is_some_and(|contents| !contents.is_empty())
}
