//! Lists that come in another order each time.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.list_order",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a list that comes in another order each time",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities",
        keyword: Some("SHOULD"),
    }),
    why: "Clients and models keep what they have seen before; another order costs them that.",
    hint: "Sort the list by something that does not change, such as the name.",
    docs: include_str!("list_order.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let methods = ["tools/list", "prompts/list", "resources/list"];
    let reordered: Vec<String> = methods
        .into_iter()
        .filter(|method| {
            reply::probe(evidence, &format!("second-list:{method}"))
                .and_then(|probe| probe.comparison.as_ref())
                .is_some_and(|compared| compared.reordered && compared.same_entries())
        })
        .map(|method| format!("`{method}`"))
        .collect();
    if !reordered.is_empty() {
        reporter.report(format!(
            "the same entries come in another order when asked for again: {}",
            reordered.join(", ")
        ));
    }
}
