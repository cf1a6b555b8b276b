//! A server that an unknown first message puts off for good.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::contact::{Carrier, Era};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.first_message_wedges",
    family: Family::Process,
    severity: Severity::Warning,
    summary: "a server that an unknown first message puts off for good",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions",
        keyword: None,
    }),
    why: "Clients of the modern era ask `server/discover` first: they see a server that hangs or dies.",
    hint: "Answer requests before `initialize` with error -32601, and stay.",
    docs: include_str!("first_message_wedges.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let contact = &evidence.contact;
    if contact.carrier != Some(Carrier::Stdio) || contact.era != Some(Era::Legacy) {
        return;
    }
    let [first, .., last] = contact.attempts.as_slice() else {
        return;
    };
    let unanswered = first.what == "server/discover" && first.head.is_none();
    if !unanswered || last.what != "initialize" || last.head.is_none() {
        return;
    }
    let message = if first.outcome == "no reply in time" {
        // A slow start looks the same, but then the second one is slow as well.
        if last.ms.saturating_mul(2) > first.ms {
            return;
        }
        "the server did not answer `server/discover` and heard nothing more; a fresh process that got `initialize` first was fine"
    } else {
        "the server ended at `server/discover`; a fresh process that got `initialize` first was fine"
    };
    reporter.report(message);
}
