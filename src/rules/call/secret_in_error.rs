//! A credential in a refusal.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use super::credential::{self, Credential};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.secret_in_error",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a credential in a refusal",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations",
        keyword: Some("MUST"),
    }),
    why: "What is in a refusal is read by the model, kept in logs, and shown to users.",
    hint: "Answer with what was wrong about the arguments, never with connection strings, headers or variables; change the credential.",
    docs: include_str!("secret_in_error.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, |row| found(row).is_some()) {
        let Some(found) = found(first) else { continue };
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the refusal of case `{}` holds {} that begins with `{}` (the rest is left out here)",
                visible(&first.case.label, 60),
                found.what,
                visible(found.head, 12)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

fn found(row: &FuzzRow) -> Option<Credential<'_>> {
    let text = row.error_text.as_deref()?;
    // What was sent comes back in many refusals.
    credential::find(text, &[row.case.arguments.get()])
}
