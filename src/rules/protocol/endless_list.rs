//! A list whose pages come again under new cursors.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::ListEnd;
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.endless_list",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a list whose pages come again under new cursors",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination",
        keyword: None,
    }),
    why: "A client that follows the cursors reads for ever, and no cursor shows it that it has been there.",
    hint: "Look up what the cursor stands for before the page is made, and leave `nextCursor` out on the last page.",
    docs: include_str!("endless_list.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    for (method, list) in evidence.inventory.lists() {
        if let ListEnd::RepeatedPage = list.end {
            reporter.report_matter(
                method,
                format!(
                    "`{method}` gave the same entries again and again, each time with a new cursor; reading ended after {}",
                    count(list.pages as usize, "page")
                ),
            );
        }
    }
}
