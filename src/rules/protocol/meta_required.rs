//! Requests that lack what they must have, and are answered.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.meta_required",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "requests without revision or capabilities that are not refused",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic#meta",
        keyword: Some("MUST"),
    }),
    why: "The server guesses what the client speaks and can, and the two drift apart unnoticed.",
    hint: "Answer a request without `_meta`, revision or capabilities with the JSON-RPC error -32602, over HTTP with the status 400.",
    docs: include_str!("meta_required.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// The probes, and what each request lacks.
const LACKING: [(&str, &str); 3] = [
    ("no-meta", "`_meta`"),
    ("no-meta:protocolVersion", "the revision"),
    (
        "no-meta:clientCapabilities",
        "the capabilities of the client",
    ),
];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut faults: Vec<String> = LACKING
        .into_iter()
        .filter_map(|(name, what)| {
            let probe = reply::probe(evidence, name)?;
            (!is_refused(probe)).then(|| format!("without {what}: {}", told(probe)))
        })
        .collect();
    if let Some(probe) = reply::probe(evidence, "no-meta:clientInfo")
        && probe.taken != Taken::Result
    {
        faults.push(format!(
            "without the name of the client, which may be left out: {}",
            told(probe)
        ));
    }
    if faults.is_empty() {
        return;
    }
    let finding = reporter.report(format!(
        "requests that lack something are not met as they must be; {}",
        faults.join("; ")
    ));
    finding.occurrences = u32::try_from(faults.len()).unwrap_or(u32::MAX);
    // For a server that speaks both eras a request without `_meta` is one of the older.
    if evidence.contact.other_era.is_some() {
        finding.severity = Severity::Warning;
    }
}

fn is_refused(probe: &Probe) -> bool {
    probe.taken == Taken::Error(INVALID_PARAMS)
        && probe
            .exchange
            .http_status
            .is_none_or(|status| status == 400)
}
