//! A message over several lines of standard output.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.stdout_one_line",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a message over several lines of standard output",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
        keyword: Some("MUST NOT"),
    }),
    why: "Clients read line by line: none of the pieces is a message, and the request hangs.",
    hint: "Write each message as one line: no pretty-printing, and line breaks in strings escaped.",
    docs: include_str!("stdout_one_line.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    fault::report(
        evidence,
        reporter,
        EnvelopeKind::SplitLines,
        "written over several lines",
    );
}
