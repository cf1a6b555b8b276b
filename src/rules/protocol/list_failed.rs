//! A tool list that could not be read.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::ListEnd;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.list_failed",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "`tools/list` that fails",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools",
        keyword: Some("MUST"),
    }),
    why: "No client can see the tools of this server.",
    hint: "Answer `tools/list` with a result; see the reason for what came instead.",
    docs: include_str!("list_failed.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Characters of the reason that are kept.
const MAX_REASON: usize = 300;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let tools = &evidence.inventory.tools;
    let ListEnd::Failed { reason } = &tools.end else {
        return;
    };
    let after = match tools.pages {
        0 => String::new(),
        1 => " after one page".to_owned(),
        pages => format!(" after {pages} pages"),
    };
    reporter.report(format!(
        "`tools/list` failed{after}: {}",
        visible(reason, MAX_REASON)
    ));
}
