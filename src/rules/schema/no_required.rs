//! Parameters, and none of them required.

use serde_json::Value;

use super::super::{Check, DeclaredSchema, Reporter, Role, Rule};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "schema.no_required",
    family: Family::Lint,
    severity: Severity::Info,
    summary: "parameters, and none of them required",
    spec: None,
    why: "A model reads every parameter as optional and may leave out one that the tool cannot do without.",
    hint: "List the parameters that the tool needs in `required`; when all are optional, say so in the description.",
    docs: include_str!("no_required.md"),
    subsumes: &[],
    check: Check::Schema(check),
};

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    let Some(Value::Object(named)) = schema.value.get("properties") else {
        return;
    };
    if schema.role != Role::Input || named.is_empty() {
        return;
    }
    match schema.value.get("required") {
        Some(Value::Array(required)) if !required.is_empty() => {}
        _ => {
            reporter.report(match named.len() {
                1 => "the only parameter is not `required`".to_owned(),
                count => format!("none of the {count} parameters is `required`"),
            });
        }
    }
}
