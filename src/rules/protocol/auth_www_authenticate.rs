//! A 401 that does not say where its metadata is.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::challenge;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.auth_www_authenticate",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a 401 that does not say where its metadata is",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization#authorization-server-location",
        keyword: Some("MUST"),
    }),
    why: "Clients of this revision find the authorization server by the challenge alone.",
    hint: "Send `WWW-Authenticate: Bearer resource_metadata=\"…\"` with every 401.",
    docs: include_str!("auth_www_authenticate.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(auth) = &evidence.contact.auth else {
        return;
    };
    let Some(first) = auth.challenges.first() else {
        reporter.report("the 401 has no `WWW-Authenticate`");
        return;
    };
    let named = auth
        .challenges
        .iter()
        .any(|text| challenge::parameter(text, "resource_metadata").is_some());
    if !named {
        reporter.report(format!(
            "`WWW-Authenticate` of the 401 has no `resource_metadata`: {}",
            quote(first)
        ));
    }
}
