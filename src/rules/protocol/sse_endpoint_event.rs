//! A stream of the older transport that does not begin as it must.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.sse_endpoint_event",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a stream of HTTP with SSE that does not begin with an address of the same origin",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse",
        keyword: Some("MUST"),
    }),
    why: "Clients do not know where to send requests, or must not send them there, so nothing works.",
    hint: "Send the event `endpoint` first, with an address that is relative or of the same origin.",
    docs: include_str!("sse_endpoint_event.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(endpoint) = &evidence.contact.endpoint else {
        return;
    };
    let Some(why) = &endpoint.refused else {
        return;
    };
    reporter.report(format!(
        "the event `endpoint` names {}, and nothing was sent there: {}",
        // Without its query, which is often the id of a session.
        quote(endpoint.resolved.as_deref().unwrap_or(&endpoint.given)),
        visible(why, 300)
    ));
}
