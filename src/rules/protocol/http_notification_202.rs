//! A notification that is not answered with 202 and nothing else.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Probe;
use crate::model::wire::HttpFacts;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_notification_202",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a notification that is not answered with 202 and nothing else",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server",
        keyword: Some("MUST"),
    }),
    why: "Strict clients read the body as a message, or wait for one, and end the connection.",
    hint: "Answer a notification with `202 Accepted` and no body.",
    docs: include_str!("http_notification_202.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let probe = reply::probe(evidence, "http-notification");
    if let Some((severity, what)) = probe.and_then(of_probe).or_else(|| of_start(evidence)) {
        reporter
            .report(format!(
                "a notification is answered with {what}, not with 202 and no body"
            ))
            .severity = severity;
    }
}

fn of_probe(probe: &Probe) -> Option<(Severity, String)> {
    let status = probe.exchange.http_status?;
    let body = probe.exchange.reply.as_deref().unwrap_or_default().trim();
    let media = probe.headers.get("content-type").map_or("", String::as_str);
    match status {
        // What is not accepted may be refused.
        400.. | 300..=399 => None,
        202 if body.is_empty() => None,
        _ if media.starts_with("text/event-stream") => Some((
            Severity::Error,
            format!("HTTP {status} and an event stream"),
        )),
        _ if body.is_empty() => Some((Severity::Warning, format!("HTTP {status}"))),
        202 => Some((
            Severity::Warning,
            format!("HTTP 202 and the body `{}`", visible(body, 80)),
        )),
        _ => Some((
            Severity::Error,
            format!("HTTP {status} and the body `{}`", visible(body, 80)),
        )),
    }
}

/// Without the probe: how the notifications of the audit itself were answered.
fn of_start(evidence: &Evidence) -> Option<(Severity, String)> {
    let odd = |seen: &&HttpFacts| {
        seen.method.starts_with("notifications/")
            && (200..300).contains(&seen.status)
            && seen.status != 202
    };
    let seen = evidence.wire.http.iter().find(odd)?;
    Some(match seen.media.as_str() {
        "text/event-stream" => (
            Severity::Error,
            format!("HTTP {} and an event stream", seen.status),
        ),
        _ => (Severity::Warning, format!("HTTP {}", seen.status)),
    })
}
