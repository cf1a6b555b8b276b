//! Malformed calls that are not refused.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, broke, is_http_refusal, is_tool_error, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.call_malformed",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a malformed call that is not refused",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
        keyword: None,
    }),
    why: "A client with a fault believes that its call was carried out.",
    hint: "Check that `params` has a string `name`, and that `arguments` is an object or absent, before the tool is looked up.",
    docs: include_str!("call_malformed.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// The probes, and what is wrong with each call.
const CALLS: [(&str, &str); 6] = [
    ("call-no-params", "without `params`"),
    ("call-no-name", "without a name"),
    ("call-name-number", "with a number as its name"),
    ("call-args-array", "with an array as its arguments"),
    ("call-args-string", "with a string as its arguments"),
    ("call-args-null", "with null as its arguments"),
];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut told_by: [Vec<String>; 3] = Default::default();
    for (name, what) in CALLS {
        let Some(probe) = reply::probe(evidence, name) else {
            continue;
        };
        let Some(severity) = severity(probe) else {
            continue;
        };
        let at = Severity::ALL.iter().position(|one| *one == severity);
        told_by[at.unwrap_or_default()].push(format!("{what}: {}", told(probe)));
    }
    // One finding; what is graver says it all.
    let worst = Severity::ALL.into_iter().zip(told_by);
    if let Some((severity, told)) = worst.into_iter().find(|(_, told)| !told.is_empty()) {
        let finding = reporter.report(format!("malformed calls are met with {}", with_lead(&told)));
        finding.severity = severity;
        finding.occurrences = u32::try_from(told.len()).unwrap_or(u32::MAX);
    }
}

fn with_lead(told: &[String]) -> String {
    match told {
        [one] => format!("no proper refusal; {one}"),
        many => format!("no proper refusal; {}", many.join("; ")),
    }
}

/// `None` where the call is refused as it should be.
fn severity(probe: &Probe) -> Option<Severity> {
    match probe.taken {
        _ if broke(probe) => Some(Severity::Error),
        Taken::Error(-32600 | -32603) => Some(Severity::Info),
        Taken::Error(_) => None,
        Taken::Result if is_tool_error(probe) => None,
        Taken::Result => Some(Severity::Warning),
        Taken::HttpOnly if is_http_refusal(probe) => None,
        Taken::Silence | Taken::HttpOnly | Taken::Broken | Taken::Closed => Some(Severity::Error),
    }
}
