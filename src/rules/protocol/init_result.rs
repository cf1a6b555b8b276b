//! An answer to `initialize` that lacks what it must have.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::kind;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::protocol::json;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.init_result",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an answer to `initialize` without what it must have",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization",
        keyword: Some("MUST"),
    }),
    why: "Clients that check the answer end the connection before it began.",
    hint: "Answer `initialize` with `protocolVersion`, `capabilities`, and `serverInfo` with a `name` and a `version`.",
    docs: include_str!("init_result.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(raw) = &evidence.contact.initialize else {
        return;
    };
    let result = json::read(raw.get()).value;
    let faults: Vec<String> = [
        ("/protocolVersion", "a string"),
        ("/capabilities", "an object"),
        ("/serverInfo", "an object"),
        ("/serverInfo/name", "a string"),
        ("/serverInfo/version", "a string"),
    ]
    .into_iter()
    .filter(|(pointer, _)| has_parent(&result, pointer))
    .filter_map(|(pointer, wanted)| {
        let found = kind(result.pointer(pointer));
        let name = pointer.trim_start_matches('/').replace('/', ".");
        (found != wanted).then(|| match found {
            "missing" => format!("`{name}` is missing"),
            found => format!("`{name}` is {found}, and must be {wanted}"),
        })
    })
    .collect();
    if !faults.is_empty() {
        reporter.report(format!(
            "the result of `initialize` breaks its schema: {}",
            faults.join("; ")
        ));
    }
}

/// What is no object has no members to miss.
fn has_parent(result: &Value, pointer: &str) -> bool {
    let parent = pointer.rfind('/').map_or("", |at| &pointer[..at]);
    parent.is_empty() || result.pointer(parent).is_some_and(Value::is_object)
}
