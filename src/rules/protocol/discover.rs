//! A modern server without a proper `server/discover`.

use serde_json::Value;

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::reply::kind;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::protocol::json;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.discover",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a server of the modern era without a proper `server/discover`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/discover",
        keyword: Some("MUST"),
    }),
    why: "Clients learn the supported revisions and the capabilities from it; over stdio they also tell by it that the server is modern.",
    hint: "Answer `server/discover` with `supportedVersions`, a list of dates, and `capabilities`.",
    docs: include_str!("discover.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(raw) = &evidence.contact.discover else {
        reporter.report("the server speaks this revision and does not answer `server/discover`");
        return;
    };
    let result = json::read(raw.get()).value;
    let mut faults = Vec::new();
    match result.get("supportedVersions") {
        Some(Value::Array(versions)) if versions.is_empty() => {
            faults.push("`supportedVersions` is empty".to_owned());
        }
        Some(Value::Array(versions)) => {
            let bad = versions
                .iter()
                .find(|version| version.as_str().is_none_or(str::is_empty));
            if bad.is_some() {
                faults.push("`supportedVersions` holds what is no non-empty string".to_owned());
            }
            let spoken = evidence.inventory.protocol_version.as_deref();
            if let Some(spoken) = spoken
                && !versions.iter().any(|version| version == spoken)
            {
                faults.push(format!(
                    "`supportedVersions` lacks {}, which the server speaks",
                    quote(spoken)
                ));
            }
        }
        found => faults.push(format!("`supportedVersions` is {}", kind(found))),
    }
    let capabilities = kind(result.get("capabilities"));
    if capabilities != "an object" {
        faults.push(format!("`capabilities` is {capabilities}"));
    }
    if !faults.is_empty() {
        reporter.report(format!(
            "the result of `server/discover` breaks its schema: {}",
            faults.join("; ")
        ));
    }
}
