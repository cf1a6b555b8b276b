//! Lists without hints for caches.

use std::collections::BTreeMap;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::wire::ResultFacts;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.cache_hints",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a result without proper hints for caches",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching",
        keyword: Some("MUST"),
    }),
    why: "Clients and gateways do not know how long a list holds, nor whether it may be shown to another user.",
    hint: "Send `ttlMs`, an integer of 0 or more, and `cacheScope`, `\"public\"` or `\"private\"`, with these results.",
    docs: include_str!("cache_hints.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

const CACHED: [&str; 6] = [
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let faults: Vec<String> = evidence
        .wire
        .results
        .iter()
        .filter(|results| CACHED.contains(&results.method.as_str()))
        .filter_map(|results| {
            let faults = faults(results);
            (!faults.is_empty()).then(|| format!("`{}`: {}", results.method, faults.join(", ")))
        })
        .collect();
    if !faults.is_empty() {
        reporter.report(format!(
            "hints for caches are missing or wrong: {}",
            faults.join("; ")
        ));
    }
}

fn faults(results: &ResultFacts) -> Vec<String> {
    let mut faults = Vec::new();
    // An input that is still missing is no result to keep.
    let asking = results
        .result_types
        .get("\"input_required\"")
        .copied()
        .unwrap_or(0);
    if asking >= results.count && results.count > 0 {
        return faults;
    }
    faults.extend(odd("ttlMs", &results.ttl_ms, |raw| {
        raw.parse::<u64>().is_ok()
    }));
    let scopes = &results.cache_scopes;
    let known = |raw: &str| matches!(raw, "\"public\"" | "\"private\"");
    faults.extend(odd("cacheScope", scopes, known));
    if scopes.keys().filter(|raw| known(raw)).count() > 1 {
        faults.push("`cacheScope` differs between pages".to_owned());
    }
    faults
}

fn odd(name: &str, seen: &BTreeMap<String, u64>, fits: impl Fn(&str) -> bool) -> Option<String> {
    let bad = seen.keys().find(|raw| !fits(raw))?;
    Some(match bad.as_str() {
        "absent" => format!("no `{name}`"),
        raw => format!("`{name}` is `{}`", visible(raw, 40)),
    })
}
