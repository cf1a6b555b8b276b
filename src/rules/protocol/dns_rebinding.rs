//! A local server that foreign pages can use.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::contact::Carrier;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.dns_rebinding",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a local server that answers to a foreign `Host` and `Origin`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning",
        keyword: Some("MUST"),
    }),
    why: "Any page that is open in a browser on this machine can call the tools of the server.",
    hint: "Refuse requests whose `Origin` or `Host` is not that of the server with `403 Forbidden`.",
    docs: include_str!("dns_rebinding.md"),
    subsumes: &["protocol.origin_403"],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "host-evil") else {
        return;
    };
    let answered = match probe.exchange.http_status {
        Some(status) => (200..300).contains(&status),
        None => matches!(probe.taken, Taken::Result),
    };
    if answered {
        let finding = reporter.report(format!(
            "a request with `Host` and `Origin` of evil.example.com is answered (HTTP {}): {}",
            probe.exchange.http_status.unwrap_or(200),
            told(probe)
        ));
        // There the page would have to open the stream first, which was not tried.
        if evidence.contact.carrier == Some(Carrier::Sse) {
            finding.severity = Severity::Warning;
        }
    }
}
