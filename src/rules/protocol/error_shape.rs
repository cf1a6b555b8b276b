//! Errors without an integer code and a message.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.error_shape",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "errors without an integer code and a message",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#responses",
        keyword: Some("MUST"),
    }),
    why: "Clients read `code` and `message`; one of another type is dropped together with what it says.",
    hint: "Send `error` as an object with an integer `code` and a string `message`.",
    docs: include_str!("error_shape.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    fault::report(
        evidence,
        reporter,
        EnvelopeKind::ErrorShape,
        "with an `error` that lacks an integer `code` or a string `message`",
    );
}
