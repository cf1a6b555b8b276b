//! Replies with both a result and an error, or neither.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.result_xor_error",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "replies with both a result and an error, or neither",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#responses",
        keyword: Some("MUST"),
    }),
    why: "Clients disagree about such a reply: one takes the result, one the error, one waits.",
    hint: "Send exactly one of `result` and `error`; leave the other out, also as `null`.",
    docs: include_str!("result_xor_error.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    fault::report(
        evidence,
        reporter,
        EnvelopeKind::ResultXorError,
        "with both `result` and `error`, or neither",
    );
}
