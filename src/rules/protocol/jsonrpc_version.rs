//! Messages that do not say `\"jsonrpc\": \"2.0\"`.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.jsonrpc_version",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "messages that do not say `\"jsonrpc\": \"2.0\"`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#messages",
        keyword: Some("MUST"),
    }),
    why: "Strict clients drop such a message, and the request that it answers hangs.",
    hint: "Put `\"jsonrpc\": \"2.0\"` into every message, as that very string.",
    docs: include_str!("jsonrpc_version.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    fault::report(
        evidence,
        reporter,
        EnvelopeKind::JsonrpcVersion,
        "without `\"jsonrpc\": \"2.0\"`",
    );
}
