//! An input schema that describes no object.

use super::super::quote::visible;
use super::super::{Check, DeclaredSchema, Reporter, Role, Rule, Section};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "schema.root_not_object",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "an input schema whose root type is not `object`",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool",
        keyword: Some("MUST"),
    }),
    why: "Arguments are always an object, so no call can fit such a schema; strict clients drop the tool, or the whole list.",
    hint: "Set `\"type\": \"object\"` at the root of `inputSchema` and name the arguments in `properties`.",
    docs: include_str!("root_not_object.md"),
    subsumes: &[],
    check: Check::Schema(check),
};

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    if schema.role != Role::Input {
        return;
    }
    let Some(found) = schema.value.get("type") else {
        return;
    };
    if found.as_str() != Some("object") {
        let finding = reporter.report(format!(
            "the root `type` of `inputSchema` is `{}`, not `\"object\"`",
            visible(&found.to_string(), 60)
        ));
        if let Some(pointer) = &mut finding.location.pointer {
            pointer.push_str("/type");
        }
    }
}
