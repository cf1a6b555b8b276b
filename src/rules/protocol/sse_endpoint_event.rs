//! A stream of the older transport that does not begin as it must.

use url::Url;

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::contact::Carrier;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::rules::requirements::needs;

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
    // A connection over it is the proof that the address was right.
    if evidence.contact.carrier == Some(Carrier::Sse) {
        return;
    }
    let stream =
        evidence.contact.attempts.iter().rev().find(|at| {
            at.what.starts_with("GET") && at.media.as_deref() == Some("text/event-stream")
        });
    let Some(head) = stream.map(|at| at.head.as_deref().unwrap_or_default()) else {
        return;
    };
    let (event, data) = first_event(head);
    let message = match (event.as_str(), data.as_str()) {
        ("endpoint", address) => {
            let Some(foreign) = foreign_origin(evidence, address) else {
                return;
            };
            let own = needs::address(evidence).map_or_else(String::new, |url| {
                format!(
                    ", and the stream to {}",
                    quote(&url.origin().ascii_serialization())
                )
            });
            format!(
                "the event `endpoint` leads to {}{own}; nothing was sent there",
                quote(&foreign)
            )
        }
        ("", "") => "the stream opens and no event `endpoint` comes".to_owned(),
        (event, data) => format!(
            "the stream begins with the event `{}` ({}), not with `endpoint`",
            visible(if event.is_empty() { "message" } else { event }, 40),
            quote(data)
        ),
    };
    reporter.report(message);
}

/// The name and the data of the first event, from the beginning of a stream. Fields
/// come in any order, and lines end in any way.
fn first_event(head: &str) -> (String, String) {
    let (mut event, mut data) = (String::new(), String::new());
    let text = head
        .trim_start_matches('\u{feff}')
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    for line in text.lines() {
        if line.is_empty() && !(event.is_empty() && data.is_empty()) {
            break;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut event),
            "data" => data.push_str(value),
            _ => {}
        }
    }
    (event, data)
}

/// The origin that an address leads to, where it is not the server's own.
fn foreign_origin(evidence: &Evidence, address: &str) -> Option<String> {
    let own = needs::address(evidence)?;
    let Ok(target): Result<Url, _> = own.join(address) else {
        return Some(address.to_owned());
    };
    (target.origin() != own.origin()).then(|| target.origin().ascii_serialization())
}
