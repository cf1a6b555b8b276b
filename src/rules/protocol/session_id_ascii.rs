//! Session ids that break, or can be guessed.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.session_id_ascii",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a session id that breaks headers or can be guessed",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management",
        keyword: Some("MUST"),
    }),
    why: "A broken id cannot be sent back; a guessed one lets a stranger into the session.",
    hint: "Make the id of random visible ASCII, such as a UUID of version 4.",
    docs: include_str!("session_id_ascii.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Fewer bytes hold too little chance, whatever they are made of.
const MIN_BYTES: usize = 16;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let form = reply::probe(evidence, "session-open").and_then(|probe| probe.session);
    let Some(form) = form else {
        return;
    };
    let (severity, what) = if !form.visible_ascii {
        (
            Severity::Error,
            "holds other characters than visible ASCII".to_owned(),
        )
    } else if form.repeated {
        (Severity::Error, "is that of another session".to_owned())
    } else if form.bytes < MIN_BYTES {
        (
            Severity::Warning,
            format!("has {} characters, which can be guessed", form.bytes),
        )
    } else {
        return;
    };
    reporter
        .report(format!("the id of a second session {what}"))
        .severity = severity;
}
