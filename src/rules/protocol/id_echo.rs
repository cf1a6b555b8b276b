//! Replies with another id than that of the request.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.id_echo",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "replies with another id than that of the request",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#responses",
        keyword: Some("MUST"),
    }),
    why: "A client finds the request by the id: it waits for a reply that it has had.",
    hint: "Give the id back as it came: the same value, of the same type.",
    docs: include_str!("id_echo.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    fault::report(
        evidence,
        reporter,
        EnvelopeKind::IdEcho,
        "whose id is not that of the request",
    );
}
