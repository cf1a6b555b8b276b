//! A body that was compressed without being asked to.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::wire::HttpFacts;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.content_encoding",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a compressed body that the client did not ask for",
    spec: Some(Section {
        link: "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3",
        keyword: Some("SHOULD"),
    }),
    why: "A client that asked for plain text reads the compressed bytes as JSON and reports a broken server.",
    hint: "Compress only with what `Accept-Encoding` names, and not at all for `identity`.",
    docs: include_str!("content_encoding.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Methods that are named.
const MAX_NAMES: usize = 6;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    if let Some(encoding) = unasked(evidence) {
        reporter.report_matter(
            "identity",
            format!(
                "a request with `Accept-Encoding: identity` is answered with a body in {}",
                quote(encoding)
            ),
        );
    }
    let unread: Vec<&HttpFacts> = evidence
        .wire
        .http
        .iter()
        .filter(|seen| seen.encoding.is_some())
        .collect();
    let Some(encoding) = unread.first().and_then(|seen| seen.encoding.as_deref()) else {
        return;
    };
    let mut names: Vec<String> = unread
        .iter()
        .map(|seen| format!("`{}`", visible(&seen.method, 60)))
        .collect();
    names.dedup();
    names.truncate(MAX_NAMES);
    let finding = reporter.report_matter(
        "unreadable",
        format!(
            "replies to {} come in {}, where `Accept-Encoding` names `gzip` alone",
            names.join(", "),
            quote(encoding)
        ),
    );
    finding.severity = Severity::Error;
    let times = unread.iter().map(|seen| seen.count).sum::<u64>();
    finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
}

/// The encoding of a body that was to have none.
fn unasked(evidence: &Evidence) -> Option<&str> {
    let probe = reply::probe(evidence, "http-encoding")?;
    let encoding = probe.headers.get("content-encoding")?.trim();
    let is_none = encoding.is_empty() || encoding.eq_ignore_ascii_case("identity");
    (!is_none).then_some(encoding)
}
