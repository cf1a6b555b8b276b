//! A server that speaks the modern era alone.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::contact::Era;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.modern_only",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a server without the `initialize` handshake",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning",
        keyword: None,
    }),
    why: "Clients of 2025-11-25 and earlier begin with `initialize` and cannot use the server.",
    hint: "Nothing is wrong with that; answer `initialize` as well if such clients are to be served.",
    docs: include_str!("modern_only.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let contact = &evidence.contact;
    if contact.era != Some(Era::Modern) || contact.other_era.is_some() {
        return;
    }
    let Some(probe) = reply::probe(evidence, "removed:initialize") else {
        return;
    };
    let refused = matches!(probe.taken, Taken::Error(_)) || reply::is_http_refusal(probe);
    if !refused {
        return;
    }
    let revision = evidence.inventory.protocol_version.as_deref();
    reporter.report(format!(
        "the server speaks {} alone: `initialize` of an earlier revision is met with {}",
        revision.unwrap_or("the modern era"),
        told(probe)
    ));
}
