//! Results that the revision does not have.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use crate::model::answer::ContentFault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.content_block",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a result that the protocol does not have",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result",
        keyword: None,
    }),
    why: "Clients check results against the protocol and drop this one whole.",
    hint: "Send `content` as a list, `isError` as a boolean, and parts of the kinds text, image, audio, resource_link or resource, each with its required members; encode data as standard base64.",
    docs: include_str!("content_block.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let revision = evidence.inventory.protocol_version.as_deref();
    for (first, rows) in by_tool(run, |row| fault(row).is_some()) {
        let Some(fault) = fault(first) else { continue };
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the result of case `{}` breaks the protocol at {}: {} (revision {})",
                visible(&first.case.label, 60),
                visible(&fault.pointer, 60),
                visible(&fault.what, 200),
                visible(revision.unwrap_or("unknown"), 20),
            ),
        );
        finding.location.pointer = Some(fault.pointer.clone());
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

pub(super) fn fault(row: &FuzzRow) -> Option<&ContentFault> {
    let of_success = row.answer.as_ref().and_then(|answer| answer.fault.as_ref());
    of_success.or(row.refusal_fault.as_ref())
}
