//! Features that are on their way out.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::contact::Carrier;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.deprecated_features",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "features that are deprecated",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/deprecated",
        keyword: Some("SHOULD NOT"),
    }),
    why: "They may be gone in a revision after July 2027, and new clients do not learn them.",
    hint: "Log to standard error or by your own means, and ask for input by elicitation alone.",
    docs: include_str!("deprecated_features.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut used = Vec::new();
    if evidence.inventory.declares("logging") {
        used.push("the capability `logging` is declared");
    }
    if evidence.contact.carrier == Some(Carrier::Sse) {
        used.push("the transport is HTTP with SSE");
    }
    let asks = |method: &str| {
        let mut results = evidence.wire.results.iter();
        results.any(|results| {
            results
                .input_requests
                .iter()
                .any(|seen| seen.method == method)
        })
    };
    if asks("sampling/createMessage") {
        used.push("results ask for sampling");
    }
    if asks("roots/list") {
        used.push("results ask for roots");
    }
    if !used.is_empty() {
        reporter.report(format!("deprecated features are used: {}", used.join("; ")));
    }
}
