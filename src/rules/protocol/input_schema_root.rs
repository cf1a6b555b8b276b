//! An input schema whose root does not say that it is an object.

use serde_json::Value;

use super::super::quote::visible;
use super::super::{Check, DeclaredSchema, Reporter, Role, Rule, Section};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.input_schema_root",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an `inputSchema` whose root is not `\"type\": \"object\"`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/schema#tool",
        keyword: Some("MUST"),
    }),
    why: "Clients that check the list drop the tool, and many drop the whole list.",
    hint: "Set `\"type\": \"object\"` at the root of `inputSchema`; a choice between forms may stand beside it.",
    docs: include_str!("input_schema_root.md"),
    subsumes: &["schema.root_not_object", "tool.no_input_schema"],
    check: Check::Schema(check),
};

/// The names that a `type` may have.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    // What is no object at all, and a `type` that is none, are `schema.invalid`.
    let Some(keywords) = schema.value.as_object() else {
        return;
    };
    if schema.role != Role::Input {
        return;
    }
    match keywords.get("type") {
        None => {
            reporter.report(
                "the root of `inputSchema` has no `type`, and the protocol fixes it to `\"object\"`",
            );
        }
        Some(Value::String(name)) if name == "object" => {}
        Some(found) if is_type(found) => {
            let finding = reporter.report(format!(
                "the root `type` of `inputSchema` is `{}`, and the protocol fixes it to `\"object\"`",
                visible(&found.to_string(), 60)
            ));
            if let Some(pointer) = &mut finding.location.pointer {
                pointer.push_str("/type");
            }
        }
        Some(_) => {}
    }
}

fn is_type(value: &Value) -> bool {
    let is_name = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(names) => !names.is_empty() && names.iter().all(is_name),
        name => is_name(name),
    }
}
