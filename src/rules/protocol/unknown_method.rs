//! A method that does not exist and is not refused as such.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, METHOD_NOT_FOUND, is_http_refusal, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.unknown_method",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an unknown method that is not refused with -32601",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#responses",
        keyword: Some("MUST"),
    }),
    why: "Clients find out by this error what a server can do; without it they wait, or believe that something happened.",
    hint: "Answer every method that is not known with the JSON-RPC error -32601.",
    docs: include_str!("unknown_method.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "unknown-method") else {
        return;
    };
    let severity = match probe.taken {
        Taken::Error(METHOD_NOT_FOUND) => return,
        // A refusal, though not the one that clients look for.
        Taken::Error(_) => Severity::Warning,
        Taken::HttpOnly if is_http_refusal(probe) => Severity::Warning,
        Taken::Result | Taken::Silence | Taken::HttpOnly | Taken::Broken | Taken::Closed => {
            Severity::Error
        }
    };
    reporter
        .report(format!(
            "a request for a method that does not exist is met with {}, not with error -32601",
            told(probe)
        ))
        .severity = severity;
}
