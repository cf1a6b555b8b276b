//! Lists that depend on the connection.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::ListComparison;
use crate::wording::names;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.stateless_lists",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a list that depends on the connection",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities",
        keyword: Some("MUST NOT"),
    }),
    why: "Clients reuse a list on every connection and then call what is not there.",
    hint: "Make lists of what the request says and of who sends it, never of what the connection did before.",
    docs: include_str!("stateless_lists.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    for method in ["tools/list", "prompts/list", "resources/list"] {
        let compared = reply::probe(evidence, &format!("new-connection-list:{method}"))
            .and_then(|probe| probe.comparison.as_ref());
        if let Some(compared) = compared.filter(|compared| !compared.same_entries()) {
            reporter.report_matter(
                method,
                format!(
                    "`{method}` differs on a second connection: {}",
                    told(compared)
                ),
            );
        }
    }
}

fn told(compared: &ListComparison) -> String {
    let parts = [
        ("new", &compared.added),
        ("gone", &compared.removed),
        ("changed", &compared.changed),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|(_, entries)| !entries.is_empty())
        .map(|(word, entries)| format!("{word} {}", names(entries.iter().map(String::as_str), 4)))
        .collect();
    told.join("; ")
}
