//! A list that never ends.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::ListEnd;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.repeated_cursor",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a list whose cursor comes a second time",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination",
        keyword: None,
    }),
    why: "A client that follows the cursors reads the same pages for ever.",
    hint: "Give each page a cursor that leads on, and leave `nextCursor` out on the last page.",
    docs: include_str!("repeated_cursor.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    for (method, list) in evidence.inventory.lists() {
        if let ListEnd::RepeatedCursor { cursor } = &list.end {
            reporter.report_matter(
                method,
                format!(
                    "`{method}` gave the cursor {} a second time, after {} pages",
                    quote(cursor),
                    list.pages
                ),
            );
        }
    }
}
