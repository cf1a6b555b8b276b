//! An address that sends messages elsewhere.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::wire::Redirect;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.redirect",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an address that redirects",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http",
        keyword: None,
    }),
    why: "Many clients do not follow a redirect of a POST, and others lose its body, its session or its token on the way.",
    hint: "Serve the endpoint at the address that people are told, with and without a slash at its end, or tell them the address that answers.",
    docs: include_str!("redirect.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    for redirect in &evidence.wire.redirects {
        let Redirect {
            status, from, to, ..
        } = redirect;
        let to = match to {
            Some(to) => format!("to {to}"),
            None => "and names no address".to_owned(),
        };
        let (severity, then) = if redirect.followed {
            (Severity::Warning, "which answers")
        } else {
            (Severity::Error, "which no message was sent to")
        };
        let sentence = match &redirect.to {
            Some(_) => format!("{from} redirects (HTTP {status}) {to}, {then}"),
            None => format!("{from} redirects (HTTP {status}) {to}"),
        };
        reporter.report_matter(from, sentence).severity = severity;
    }
}
