//! An output schema of a kind that the revision does not have.

use serde_json::Value;

use super::super::{Check, Held, Reporter, Rule, Section};
use super::reply::shown;
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.output_schema_shape",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "an output schema of a kind that the revision does not have",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema",
        keyword: Some("MUST"),
    }),
    why: "Strict clients drop the tool, or the whole list.",
    hint: "Describe an object: `\"type\": \"object\"` at the root of `outputSchema`; leave the member out where there is no schema.",
    docs: include_str!("output_schema_shape.md"),
    subsumes: &[],
    check: Check::Held(check),
};

fn check(tool: &Tool, held: &Held<'_>, reporter: &mut Reporter<'_>) {
    let Some(schema) = tool.output_schema() else {
        return;
    };
    let (severity, message) = match schema {
        Value::Null => (
            Severity::Warning,
            "`outputSchema` is null; a tool without one leaves the member out".to_owned(),
        ),
        // What is no schema at all is said by `schema.invalid`.
        Value::Object(keywords) if !held.spoken.is_modern() => match keywords.get("type") {
            Some(Value::String(kind)) if kind == "object" => return,
            Some(found) => (
                Severity::Error,
                format!(
                    "the root `type` of `outputSchema` is {}, and revision {} wants `\"object\"`",
                    shown(found),
                    held.spoken.revision
                ),
            ),
            None => (
                Severity::Error,
                format!(
                    "`outputSchema` has no root `type`, and revision {} wants `\"object\"`",
                    held.spoken.revision
                ),
            ),
        },
        _ => return,
    };
    let finding = reporter.report(message);
    finding.severity = severity;
    finding.location.pointer = Some(tool.pointer("/outputSchema"));
}
