//! Completion that goes beyond its rules.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, METHOD_NOT_FOUND, broke, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.completion_errors",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "completion that does not keep its rules",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion#error-handling",
        keyword: Some("SHOULD"),
    }),
    why: "Clients show suggestions for what does not exist, or more than fit.",
    hint: "Refuse unknown prompts with -32602, and give at most 100 `values`.",
    docs: include_str!("completion_errors.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// The most values of an answer.
const MAX_VALUES: usize = 100;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    if let Some(probe) = reply::probe(evidence, "completion-unknown") {
        let severity = match probe.taken {
            _ if broke(probe) => Some(Severity::Error),
            // The latter is said by `protocol.cap_answered`.
            Taken::Error(INVALID_PARAMS | METHOD_NOT_FOUND) => None,
            Taken::Error(_) | Taken::Result | Taken::HttpOnly => Some(Severity::Info),
            Taken::Silence | Taken::Broken | Taken::Closed => Some(Severity::Error),
        };
        if let Some(severity) = severity {
            reporter
                .report_matter(
                    "unknown",
                    format!(
                        "completion for a prompt that does not exist is met with {}, not with error -32602",
                        told(probe)
                    ),
                )
                .severity = severity;
        }
    }
    let known =
        reply::probe(evidence, "completion-known").filter(|probe| probe.taken == Taken::Result);
    let Some(result) = known.and_then(|probe| reply::result(&probe.exchange)) else {
        return;
    };
    let message = match result.pointer("/completion/values") {
        Some(Value::Array(values)) if values.len() > MAX_VALUES => {
            format!(
                "completion gives {} values, more than {MAX_VALUES}",
                values.len()
            )
        }
        Some(Value::Array(values)) if values.iter().any(|value| !value.is_string()) => {
            "completion gives values that are no strings".to_owned()
        }
        Some(Value::Array(_)) => return,
        _ => "completion gives no array `completion.values`".to_owned(),
    };
    reporter.report_matter("known", message).severity = Severity::Warning;
}
