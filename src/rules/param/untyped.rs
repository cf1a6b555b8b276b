//! A parameter of which nothing says what it takes.

use serde_json::Value;

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule};
use crate::model::finding::{Family, Severity};
use crate::schema::walk::Property;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "param.untyped",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "a parameter without a type",
    spec: None,
    why: "A model has to guess what to send, and a client cannot check it.",
    hint: "Add `type`, or `enum`, `const`, `anyOf`, `oneOf`, `allOf` or `$ref`.",
    docs: include_str!("untyped.md"),
    subsumes: &[],
    check: Check::Param(check),
};

fn check(property: &Property<'_>, reporter: &mut Reporter<'_>) {
    if !is_typed(property.schema) {
        reporter.report(format!(
            "the parameter {} has no type",
            quote(property.name)
        ));
    }
}

/// Whether a schema says what it takes. `true` says as little as `{}`, and
/// `false` all there is to say; `not`, `properties` and `items` leave every
/// other type open.
fn is_typed(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return schema.as_bool() == Some(false);
    };
    keywords
        .iter()
        .any(|(keyword, value)| match keyword.as_str() {
            "type" => match value {
                Value::String(name) => !name.is_empty(),
                Value::Array(names) => !names.is_empty(),
                _ => false,
            },
            "enum" | "anyOf" | "oneOf" | "allOf" => {
                value.as_array().is_some_and(|list| !list.is_empty())
            }
            "const" => true,
            "$ref" | "$dynamicRef" | "$recursiveRef" => value.is_string(),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn typed_is_what_narrows_the_value() {
        for typed in [
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            json!({"enum": [1]}),
            json!({"const": null}),
            json!({"anyOf": [{}]}),
            json!({"$ref": "#/$defs/X"}),
            json!(false),
        ] {
            assert!(is_typed(&typed), "{typed}");
        }
        for untyped in [
            json!(true),
            json!({}),
            json!({"type": ""}),
            json!({"type": []}),
            json!({"enum": []}),
            json!({"not": {"type": "string"}}),
            json!({"properties": {}}),
            json!({"items": {}}),
        ] {
            assert!(!is_typed(&untyped), "{untyped}");
        }
    }
}
