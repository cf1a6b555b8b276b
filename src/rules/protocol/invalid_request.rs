//! JSON that is no request and breaks the server.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, broke, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.invalid_request",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "JSON that is no request and breaks the server",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#requests",
        keyword: None,
    }),
    why: "A faulty client can end the server for all others, or waits for an answer that never comes.",
    hint: "Answer what is no request with error -32600, with the id where it can be read, and read on.",
    docs: include_str!("invalid_request.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// The probes, what is wrong with each request, and whether its id is usable.
const REQUESTS: [(&str, &str, bool); 4] = [
    ("jsonrpc-version", "`\"jsonrpc\": \"1.0\"`", true),
    ("id-null", "`\"id\": null`", false),
    ("id-object", "`\"id\": {}`", false),
    ("params-array", "`\"params\": []`", true),
];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let (mut broken, mut silent) = (Vec::new(), Vec::new());
    for (name, what, usable_id) in REQUESTS {
        let Some(probe) = reply::probe(evidence, name) else {
            continue;
        };
        if broke(probe) {
            broken.push(format!("{what}: {}", told(probe)));
        } else if usable_id && probe.taken == Taken::Silence {
            silent.push(what);
        }
    }
    if !broken.is_empty() {
        let finding = reporter.report(format!(
            "the server answers nothing after a request with {}",
            broken.join("; ")
        ));
        finding.severity = Severity::Error;
    } else if !silent.is_empty() {
        let finding = reporter.report(format!(
            "a request with {} gets neither a result nor an error",
            silent.join(" or ")
        ));
        // Widely used SDKs drop such requests.
        finding.severity = Severity::Info;
    }
}
