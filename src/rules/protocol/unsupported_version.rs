//! An unknown revision that is not refused as such.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.unsupported_version",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an unknown revision that is not refused with -32022",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation",
        keyword: Some("MUST"),
    }),
    why: "Clients learn from this error which revision to use; without it they cannot go on.",
    hint: "Answer with error -32022, with `supported` and `requested` in its `data`, over HTTP with the status 400.",
    docs: include_str!("unsupported_version.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

const UNSUPPORTED: i64 = -32022;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "unknown-version") else {
        return;
    };
    if probe.taken != Taken::Error(UNSUPPORTED) {
        reporter.report(format!(
            "a request by revision 1900-01-01 is met with {}, not with error {UNSUPPORTED}",
            told(probe)
        ));
        return;
    }
    let data = reply::fault(&probe.exchange).map_or(Value::Null, |fault| fault.data);
    let supported = data.get("supported").and_then(Value::as_array);
    let is_list = supported.is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_string));
    let mut faults = Vec::new();
    if !is_list {
        faults.push("`data.supported` is no list of revisions".to_owned());
    }
    if data.get("requested").and_then(Value::as_str) != Some("1900-01-01") {
        faults.push("`data.requested` is not the revision that was asked for".to_owned());
    }
    if let Some(status) = probe.exchange.http_status
        && status != 400
    {
        faults.push(format!("the status is {status}, not 400"));
    }
    if !faults.is_empty() {
        let finding = reporter.report(format!(
            "the refusal of an unknown revision is not complete: {}",
            faults.join("; ")
        ));
        if is_list {
            finding.severity = Severity::Warning;
        }
    }
}
