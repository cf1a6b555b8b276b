//! A remote server without HTTPS.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::rules::requirements::needs;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.tls",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a remote server without HTTPS",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization",
        keyword: Some("SHOULD"),
    }),
    why: "Everyone on the way reads, and can change, calls, answers and tokens.",
    hint: "Serve the endpoint over HTTPS.",
    docs: include_str!("tls.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(url) = needs::address(evidence) else {
        return;
    };
    if url.scheme() == "http" && !needs::is_local(&url) {
        reporter.report("the server is on another machine and is reached over plain HTTP");
    }
}
