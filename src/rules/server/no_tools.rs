//! A server that declares tools and has none.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "server.no_tools",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "the server declares tools and lists none",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#capabilities",
        keyword: None,
    }),
    why: "An agent that connects finds nothing to call.",
    hint: "List at least one tool, or leave `tools` out of the capabilities.",
    docs: include_str!("no_tools.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let inventory = &evidence.inventory;
    // A list that could not be read is another matter: `protocol.list_failed`.
    if inventory.declares("tools")
        && inventory.tools.is_complete()
        && inventory.tools.entries.is_empty()
    {
        reporter.report("the server declares the `tools` capability and lists no tool");
    }
}
