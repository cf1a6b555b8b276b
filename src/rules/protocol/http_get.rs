//! GET that neither opens a stream nor is refused with 405.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_get",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "GET that neither opens an event stream nor is refused with 405",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server",
        keyword: Some("MUST"),
    }),
    why: "Clients that try to listen take the answer for a failure of the server.",
    hint: "Answer GET with an event stream, or with `405 Method Not Allowed`.",
    docs: include_str!("http_get.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "http-get") else {
        return;
    };
    let media = probe
        .headers
        .get("content-type")
        .map(|media| media.to_ascii_lowercase());
    let streams = media.is_some_and(|media| media.starts_with("text/event-stream"));
    let message = match probe.exchange.http_status {
        // Credentials are another matter.
        Some(405 | 401) => return,
        Some(200) if streams => return,
        Some(status) => format!("GET is answered with HTTP {status}"),
        None => "GET is not answered in time".to_owned(),
    };
    reporter.report(format!("{message}, not with an event stream or 405"));
}
