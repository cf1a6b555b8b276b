//! `Content-Length` headers on standard output.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.header_framing",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "`Content-Length` headers on standard output",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
        keyword: Some("MUST NOT"),
    }),
    why: "Clients read one message a line: headers are noise to them, and a body without a line end never ends.",
    hint: "Write each message as one line; the framing of editor protocols is not that of MCP.",
    docs: include_str!("header_framing.md"),
    subsumes: &["process.stdout_noise"],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(fault) = fault::of(evidence, EnvelopeKind::HeaderFraming) else {
        return;
    };
    reporter.report(format!(
        "messages are framed by headers: {}",
        quote(fault.first.trim())
    ));
}
