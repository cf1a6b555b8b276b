//! A prompt that cannot be had and is not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, broke, is_http_refusal, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.prompt_missing",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a prompt that cannot be had and is not refused with -32602",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#error-handling",
        keyword: Some("SHOULD"),
    }),
    why: "The model is given a prompt that was never meant.",
    hint: "Answer an unknown name, and a missing argument, with the JSON-RPC error -32602.",
    docs: include_str!("prompt_missing.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let prompts = [
        ("prompt-unknown", "a prompt that does not exist"),
        (
            "prompt-no-arguments",
            "a prompt without its required arguments",
        ),
    ];
    for (name, what) in prompts {
        let Some(probe) = reply::probe(evidence, name) else {
            continue;
        };
        let Some(severity) = severity(probe) else {
            continue;
        };
        reporter
            .report_matter(
                name,
                format!(
                    "`prompts/get` for {what} is met with {}, not with error -32602",
                    told(probe)
                ),
            )
            .severity = severity;
    }
}

fn severity(probe: &Probe) -> Option<Severity> {
    match probe.taken {
        _ if broke(probe) => Some(Severity::Error),
        Taken::Error(INVALID_PARAMS) => None,
        // A refusal all the same; SDKs differ in their codes.
        Taken::Error(_) => Some(Severity::Info),
        Taken::HttpOnly if is_http_refusal(probe) => Some(Severity::Info),
        Taken::Result => Some(Severity::Warning),
        Taken::Silence | Taken::HttpOnly | Taken::Broken | Taken::Closed => Some(Severity::Error),
    }
}
