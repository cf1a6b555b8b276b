//! A parameter without a description.

use serde_json::Value;

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule};
use crate::model::finding::{Family, Severity};
use crate::schema::walk::Property;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "param.missing_description",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "a parameter without a description",
    spec: None,
    why: "A model fills in what the name suggests: units, formats and defaults are guessed.",
    hint: "Say what the parameter means, with its unit or format and an example.",
    docs: include_str!("missing_description.md"),
    subsumes: &[],
    check: Check::Param(check),
};

fn check(property: &Property<'_>, reporter: &mut Reporter<'_>) {
    // A parameter that takes no value needs no words.
    let is_never = property.schema.as_bool() == Some(false);
    if !is_never && !is_described(property.schema) && !is_described(property.resolved) {
        reporter.report(format!(
            "the parameter {} has no description",
            quote(property.name)
        ));
    }
}

fn is_described(schema: &Value) -> bool {
    schema
        .get("description")
        .and_then(Value::as_str)
        .is_some_and(|text| !text.trim().is_empty())
}
