//! A reply that is not valid JSON.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun, Outcome};
use crate::protocol::message::NotMessage;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.invalid_json",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a reply that is not valid JSON",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic",
        keyword: Some("MUST"),
    }),
    why: "No client can read the reply; most of them drop it and wait until their limit.",
    hint: "Serialise replies with a JSON library; write null for NaN and the infinities.",
    docs: include_str!("invalid_json.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for (first, rows) in by_tool(run, is_invalid_json) {
        let reply = first.exchange.reply.as_deref().unwrap_or_default();
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the reply is not valid JSON: {}; it reads {}",
                cases(&rows),
                quote(reply)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

/// Whether something came that was meant as a message and is no JSON.
pub(super) fn is_invalid_json(row: &FuzzRow) -> bool {
    let exchange = &row.exchange;
    let reasons = [NotMessage::BrokenMessage, NotMessage::NotJson].map(NotMessage::reason);
    row.outcome == Outcome::ProtocolCrash
        && row.confirmed.is_none()
        && exchange.exit.is_none()
        && exchange
            .http_status
            .is_none_or(|status| (200..300).contains(&status))
        && exchange
            .failure
            .as_deref()
            .is_some_and(|failure| reasons.iter().any(|reason| failure.contains(reason)))
}
