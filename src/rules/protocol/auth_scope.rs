//! A challenge without the scope that is needed.

use super::super::{Check, Reporter, Rule, Section};
use super::challenge;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::rules::requirements::Spoken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.auth_scope",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a challenge without the scope that is needed",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-selection-strategy",
        keyword: Some("SHOULD"),
    }),
    why: "Clients ask for everything, or for too little and then again.",
    hint: "Name the scope that the request needs as `scope` in the challenge, without `offline_access`.",
    docs: include_str!("auth_scope.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(auth) = &evidence.contact.auth else {
        return;
    };
    let scope = auth
        .challenges
        .iter()
        .find_map(|text| challenge::parameter(text, "scope"));
    match scope {
        None => {
            reporter.report("the challenge of the 401 names no `scope`");
        }
        Some(scope)
            if Spoken::of(evidence).is_modern()
                && scope.split(' ').any(|word| word == "offline_access") =>
        {
            reporter.report("the challenge of the 401 asks for `offline_access`, which is for clients to decide");
        }
        Some(_) => {}
    }
}
