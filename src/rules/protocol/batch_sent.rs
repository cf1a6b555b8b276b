//! A batch where the revision has none.

use super::super::{Check, Reporter, Rule, Section};
use super::fault;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;
use crate::protocol::revision::Revision;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.batch_sent",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a batch where the revision has none",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/changelog",
        keyword: None,
    }),
    why: "Clients of this revision read one message at a time and drop an array.",
    hint: "Send each message by itself; batches were in 2025-03-26 alone.",
    docs: include_str!("batch_sent.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let revision = evidence.inventory.protocol_version.as_deref();
    if revision.map(Revision::read) != Some(Revision::V2025_03_26) {
        fault::report(evidence, reporter, EnvelopeKind::Batch, "sent as a batch");
    }
}
