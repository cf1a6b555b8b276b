//! Error codes that the protocol keeps for itself.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.reserved_codes",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "error codes that the protocol keeps for itself",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes",
        keyword: Some("MUST NOT"),
    }),
    why: "Clients act on these codes, and a later revision may give them a meaning.",
    hint: "Use the codes of JSON-RPC, or numbers outside -32768 to -32000; for a missing resource -32602.",
    docs: include_str!("reserved_codes.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// What the revision defines.
const DEFINED: [i64; 3] = [-32020, -32021, -32022];

/// What earlier revisions had, and this one forbids.
const FORMER: [i64; 2] = [-32002, -32042];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let codes: Vec<String> = evidence
        .wire
        .envelope
        .error_codes
        .iter()
        .filter(|(code, _)| {
            FORMER.contains(code) || (-32099..=-32020).contains(*code) && !DEFINED.contains(code)
        })
        .take(8)
        .map(|(code, times)| match times {
            1 => code.to_string(),
            times => format!("{code} ({times} times)"),
        })
        .collect();
    if !codes.is_empty() {
        reporter.report(format!("errors use reserved codes: {}", codes.join(", ")));
    }
}
