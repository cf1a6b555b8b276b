//! A refusal that shows the inside of the server.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use super::leak::{self, Leak};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.error_leak",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a refusal that shows the inside of the server",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations",
        keyword: Some("MUST"),
    }),
    why: "Stack traces and paths help an attacker and tell a model nothing that it could use.",
    hint: "Answer with what was wrong about the arguments; log the rest on standard error.",
    docs: include_str!("error_leak.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, _) in by_tool(run, |row| leak_of(evidence, row).is_some()) {
        let Some(leak) = leak_of(evidence, first) else {
            continue;
        };
        reporter.report_call(
            first,
            "",
            format!(
                "the refusal of case `{}` shows {}: {}",
                visible(&first.case.label, 60),
                leak.what,
                quote(leak.text)
            ),
        );
    }
}

fn leak_of<'a>(evidence: &Evidence, row: &'a FuzzRow) -> Option<Leak<'a>> {
    let text = row.error_text.as_deref()?;
    // What the tool's own declaration shows is no secret either.
    let declared = evidence.inventory.tools.entries.get(row.tool_index);
    let known = [
        row.exchange.request.as_str(),
        row.case.arguments.get(),
        evidence.target.display.as_str(),
        declared.map(|entry| entry.get()).unwrap_or_default(),
    ];
    leak::find(text, &known)
}
