//! Methods that the revision no longer has.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, METHOD_NOT_FOUND, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.removed_methods",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "methods that the revision no longer has",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/changelog",
        keyword: Some("MUST"),
    }),
    why: "Clients that try them get an answer with no meaning, in place of the sign to do without.",
    hint: "Answer `ping`, `logging/setLevel` and `resources/subscribe` with error -32601 and the status 404.",
    docs: include_str!("removed_methods.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let methods = ["ping", "logging/setLevel", "resources/subscribe"];
    let faults: Vec<String> = methods
        .into_iter()
        .filter_map(|method| {
            let probe = reply::probe(evidence, &format!("removed:{method}"))?;
            let unknown = probe.taken == Taken::Error(METHOD_NOT_FOUND)
                && probe
                    .exchange
                    .http_status
                    .is_none_or(|status| status == 404);
            (!unknown).then(|| format!("`{method}`: {}", told(probe)))
        })
        .collect();
    if faults.is_empty() {
        return;
    }
    let finding = reporter.report(format!(
        "methods that this revision does not have are met with something else than 404 and error -32601: {}",
        faults.join("; ")
    ));
    finding.occurrences = u32::try_from(faults.len()).unwrap_or(u32::MAX);
}
