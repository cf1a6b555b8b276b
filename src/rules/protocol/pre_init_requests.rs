//! Messages before the handshake is over.

use super::super::{Check, Reporter, Rule, Section};
use super::fault::names_of;
use crate::model::evidence::{Evidence, Seen};
use crate::model::finding::{Family, Severity};
use crate::protocol::message::{Frame, frame};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.pre_init_requests",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "messages before the handshake is over",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization",
        keyword: Some("SHOULD NOT"),
    }),
    why: "A client may not be ready for it, and drop or refuse what comes too early.",
    hint: "Wait for `notifications/initialized` before sending anything but pings and logs.",
    docs: include_str!("pre_init_requests.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let mut early: Vec<Seen> = evidence
        .wire
        .before_initialized
        .iter()
        .filter(|seen| is_early(&seen.method))
        .cloned()
        .collect();
    let probes = evidence.probes.as_ref();
    let probe = probes.and_then(|probes| probes.get("before-initialized"));
    for text in probe
        .map(|probe| probe.between.as_slice())
        .unwrap_or_default()
    {
        let (Frame::Request { method, .. } | Frame::Notification { method }) = frame(text) else {
            continue;
        };
        if is_early(&method) && !early.iter().any(|seen| seen.method == method) {
            early.push(Seen { method, count: 1 });
        }
    }
    if !early.is_empty() {
        reporter.report(format!(
            "the server sends {} before `notifications/initialized`",
            names_of(&early)
        ));
    }
}

fn is_early(method: &str) -> bool {
    !matches!(method, "ping" | "notifications/message")
}
