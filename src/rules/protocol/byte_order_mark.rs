//! A byte order mark before a message.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.byte_order_mark",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a byte order mark before a message",
    spec: Some(Section {
        link: "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
        keyword: Some("MUST NOT"),
    }),
    why: "Strict parsers refuse the first message, so the handshake fails.",
    hint: "Write UTF-8 without a byte order mark.",
    docs: include_str!("byte_order_mark.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    if fault::of(evidence, EnvelopeKind::ByteOrderMark).is_some() {
        reporter.report("a message begins with a UTF-8 byte order mark");
    }
}
