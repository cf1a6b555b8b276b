//! Results that do not say who the server is.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::wording::names;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.discover_serverinfo",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "results that do not say who the server is",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic#meta",
        keyword: Some("SHOULD"),
    }),
    why: "Logs and interfaces of clients show a server without name and version.",
    hint: "Put `io.modelcontextprotocol/serverInfo` with `name` and `version` into the `_meta` of every result.",
    docs: include_str!("discover_serverinfo.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let seen = &evidence.wire.results;
    let without: u64 = seen.iter().map(|results| results.without_server_info).sum();
    if without == 0 {
        return;
    }
    let all: u64 = seen.iter().map(|results| results.count).sum();
    let methods = seen
        .iter()
        .filter(|results| results.without_server_info > 0)
        .map(|results| results.method.as_str());
    let finding = reporter.report(format!(
        "{without} of {all} results have no `io.modelcontextprotocol/serverInfo` in `_meta`: {}",
        names(methods, 4)
    ));
    finding.occurrences = u32::try_from(without).unwrap_or(u32::MAX);
}
