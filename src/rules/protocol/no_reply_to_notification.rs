//! An answer to a notification.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::protocol::message::{Frame, frame};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.no_reply_to_notification",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an answer to a notification",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#notifications",
        keyword: Some("MUST NOT"),
    }),
    why: "Strict clients close the connection at a reply that belongs to no request.",
    hint: "Send nothing back for a message without an id, not even an error.",
    docs: include_str!("no_reply_to_notification.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "notification") else {
        return;
    };
    let reply = probe
        .between
        .iter()
        .find(|text| matches!(frame(text), Frame::Response { .. }));
    if let Some(reply) = reply {
        reporter.report(format!(
            "an unknown notification is answered with `{}`",
            visible(reply, 160)
        ));
    }
}
