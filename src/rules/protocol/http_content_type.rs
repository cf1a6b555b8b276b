//! A reply of another media type than JSON or an event stream.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.http_content_type",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a reply that is neither JSON nor an event stream",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server",
        keyword: Some("MUST"),
    }),
    why: "Clients choose by the media type how to read the body, and refuse others.",
    hint: "Send `Content-Type: application/json` with a single message and `text/event-stream` with a stream.",
    docs: include_str!("http_content_type.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut times = 0;
    let mut kinds: Vec<String> = Vec::new();
    for seen in &evidence.wire.http {
        let is_request = !seen.method.starts_with("notifications/");
        let fits = matches!(
            seen.media.as_str(),
            "application/json" | "text/event-stream"
        );
        if !is_request || !(200..300).contains(&seen.status) || fits {
            continue;
        }
        times += seen.count;
        let media = match seen.media.as_str() {
            "" => "no media type".to_owned(),
            media => quote(media),
        };
        kinds.push(format!("{media} for `{}`", visible(&seen.method, 60)));
    }
    if kinds.is_empty() {
        return;
    }
    kinds.truncate(6);
    let finding = reporter.report(format!(
        "requests are answered with {}, not with `application/json` or `text/event-stream`",
        kinds.join(", ")
    ));
    finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
}
