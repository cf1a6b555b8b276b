//! A revision that was never published.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::protocol::revision::Revision;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.init_known_version",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an agreed revision that was never published",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation",
        keyword: Some("MUST"),
    }),
    why: "No client can know what such a revision means, so most end the connection.",
    hint: "Answer with one of the published revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28.",
    docs: include_str!("init_known_version.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(version) = evidence.inventory.protocol_version.as_deref() else {
        return;
    };
    if Revision::read(version).is_published() {
        return;
    }
    let remark = if version == "2024-10-07" {
        ", a draft from before the first one"
    } else {
        ""
    };
    reporter.report(format!(
        "the server answers with revision {}, which was never published{remark}",
        quote(version)
    ));
}
