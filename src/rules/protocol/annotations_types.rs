//! Hints of a wrong type.

use serde_json::Value;

use super::super::{Check, Held, Reporter, Rule, Section};
use super::reply::{kind, shown};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.annotations_types",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "hints of a wrong type",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MUST"),
    }),
    why: "One hint that is no boolean makes typed clients drop the whole list.",
    hint: "Send hints as `true` or `false`, and leave out those that have no value.",
    docs: include_str!("annotations_types.md"),
    subsumes: &[],
    check: Check::Held(check),
};

const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

fn check(tool: &Tool, _: &Held<'_>, reporter: &mut Reporter<'_>) {
    let Some(annotations) = tool.entry.get("annotations") else {
        return;
    };
    let faults = faults(annotations);
    let contradiction = tool.hints.read_only == Some(true) && tool.hints.destructive == Some(true);
    let finding = if !faults.is_empty() {
        reporter.report(faults.join("; "))
    } else if contradiction {
        let finding = reporter.report(
            "`readOnlyHint` and `destructiveHint` are both true; what only reads destroys nothing",
        );
        finding.severity = Severity::Info;
        finding
    } else {
        return;
    };
    finding.location.pointer = Some(tool.pointer("/annotations"));
}

fn faults(annotations: &Value) -> Vec<String> {
    let Value::Object(members) = annotations else {
        return vec![format!(
            "`annotations` is {}, and must be an object",
            kind(Some(annotations))
        )];
    };
    let hints = HINTS.into_iter().map(|name| (name, "a boolean"));
    hints
        .chain([("title", "a string")])
        .filter_map(|(name, wanted)| {
            let found = members.get(name)?;
            (kind(Some(found)) != wanted)
                .then(|| format!("`{name}` is {}, and must be {wanted}", shown(found)))
        })
        .collect()
}
