//! Headers that contradict the body, and are not looked at.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_header_match",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "headers that are missing or contradict the body and are not refused",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation",
        keyword: Some("MUST"),
    }),
    why: "A gateway decides by the header and the server by the body, which lets requests past the gateway that it would have stopped.",
    hint: "Compare the headers with the body; answer with HTTP 400 and error -32020 where they differ or are missing.",
    docs: include_str!("http_header_match.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

const MISMATCH: i64 = -32020;

/// The probes, and what is wrong with each request.
const REQUESTS: [(&str, &str); 6] = [
    ("http-header-version", "another revision in the header"),
    ("http-no-version-header", "no `MCP-Protocol-Version`"),
    ("http-header-method", "another method in `Mcp-Method`"),
    ("http-no-method-header", "no `Mcp-Method`"),
    ("http-header-name", "another name in `Mcp-Name`"),
    ("http-no-name-header", "no `Mcp-Name`"),
];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let dual = evidence.contact.other_era.is_some();
    let faults: Vec<String> = REQUESTS
        .into_iter()
        // Without the header a server of both eras may take a request for an older one.
        .filter(|(name, _)| !(dual && *name == "http-no-version-header"))
        .filter_map(|(name, what)| {
            let probe = reply::probe(evidence, name)?;
            let refused =
                probe.taken == Taken::Error(MISMATCH) && probe.exchange.http_status == Some(400);
            (!refused).then(|| format!("{what}: {}", told(probe)))
        })
        .collect();
    if faults.is_empty() {
        return;
    }
    let finding = reporter.report(format!(
        "requests are not refused with HTTP 400 and error {MISMATCH}; {}",
        faults.join("; ")
    ));
    finding.occurrences = u32::try_from(faults.len()).unwrap_or(u32::MAX);
}
