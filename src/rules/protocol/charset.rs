//! A content type that names another charset.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.charset",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a message that names another charset than UTF-8",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports",
        keyword: Some("MUST"),
    }),
    why: "A client that believes the header turns every letter outside ASCII into another one, or refuses the message.",
    hint: "Send `Content-Type: application/json` without a charset, or with `charset=utf-8`, and encode the body so.",
    docs: include_str!("charset.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Methods that are named.
const MAX_NAMES: usize = 6;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut times = 0;
    let mut names: Vec<String> = Vec::new();
    for seen in &evidence.wire.http {
        let is_message = matches!(
            seen.media.as_str(),
            "application/json" | "text/event-stream"
        );
        let Some(charset) = seen.charset.as_deref().filter(|_| is_message) else {
            continue;
        };
        times += seen.count;
        names.push(format!(
            "{} for `{}`",
            quote(charset),
            visible(&seen.method, 60)
        ));
    }
    if names.is_empty() {
        return;
    }
    names.truncate(MAX_NAMES);
    let finding = reporter.report(format!(
        "replies name another charset than UTF-8: {}",
        names.join(", ")
    ));
    finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
}
