//! A subscription that is not acknowledged.

use serde_json::Value;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};
use crate::protocol::json;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.subscriptions_ack",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a subscription that is not acknowledged",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions",
        keyword: Some("MUST"),
    }),
    why: "The client does not know whether its subscription stands, nor which notices belong to it.",
    hint: "Send `notifications/subscriptions/acknowledged` first, with the id of the request as `io.modelcontextprotocol/subscriptionId` in its `_meta`.",
    docs: include_str!("subscriptions_ack.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "subscriptions-listen") else {
        return;
    };
    // A server that has nothing to tell need not have the method.
    if matches!(probe.taken, Taken::Error(_)) && probe.between.is_empty() {
        return;
    }
    if let Some(fault) = fault(probe) {
        reporter.report(format!(
            "`subscriptions/listen` with an empty filter: {fault}"
        ));
    }
}

fn fault(probe: &Probe) -> Option<String> {
    let Some(first) = probe.between.first() else {
        return Some(format!("no acknowledgement came, but {}", told(probe)));
    };
    let message = json::read(first).value;
    let method = message.get("method").and_then(Value::as_str);
    if method != Some(ACKNOWLEDGED) {
        return Some(format!(
            "the first message is no acknowledgement: `{}`",
            visible(first, 120)
        ));
    }
    let tag = message.pointer("/params/_meta/io.modelcontextprotocol~1subscriptionId");
    let id = json::read(body(&probe.exchange.request))
        .value
        .get("id")
        .cloned();
    if tag.is_none() {
        return Some("the acknowledgement has no subscription id".to_owned());
    }
    if id.is_some() && tag.map(plain) != id.as_ref().map(plain) {
        return Some("the acknowledgement has another id than the request".to_owned());
    }
    let other = probe.between.iter().skip(1).find_map(|text| {
        let message = json::read(text).value;
        let method = message.get("method")?.as_str()?.to_owned();
        method.ends_with("list_changed").then_some(method)
    });
    other.map(|method| format!("`{}` came, which was not asked for", visible(&method, 60)))
}

/// The JSON after the head of an HTTP request.
fn body(request: &str) -> &str {
    request.find('{').map_or(request, |at| &request[at..])
}

/// An id as text: a tag may be written as a string.
fn plain(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
