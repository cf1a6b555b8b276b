//! What the keywords of a schema say about a value to make: its types, and whether
//! construction alone answers for it.

use serde_json::{Map, Value};

use super::place::{Place, Shape};
use crate::fuzz::flatten::type_names;

/// Keywords that construction alone does not answer for.
pub(super) const CHECKED: [&str; 16] = [
    "oneOf",
    "not",
    "if",
    "allOf",
    "pattern",
    "format",
    "multipleOf",
    "contains",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "maxProperties",
    "uniqueItems",
];

pub(super) fn is_one_of(value: &Value, types: &[&str]) -> bool {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    types.contains(&name) || (name == "integer" && types.contains(&"number"))
}

/// The types to try, the plainest first.
pub(super) fn types<'k>(keywords: &'k Map<String, Value>, place: &Place) -> Vec<&'k str> {
    let declared = keywords.get("type").map(type_names).unwrap_or_default();
    if place.shape == Shape::Object {
        return if declared.is_empty() || declared.contains(&"object") {
            vec!["object"]
        } else {
            Vec::new()
        };
    }
    let mut types = declared;
    if types.is_empty() {
        let likely = implied_type(keywords);
        types = vec!["string", "integer", "boolean", "object", "array", "null"];
        types.sort_by_key(|name| likely != Some(*name));
    }
    types.sort_by_key(|name| *name == "null");
    types
}

pub(super) fn has_checked(schema: &Value) -> bool {
    CHECKED.iter().any(|key| schema.get(key).is_some())
}

/// Whether any reference stands in the schema.
pub(super) fn refers(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(refers),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| key.ends_with("Ref") || key == "$ref" || refers(value)),
        _ => false,
    }
}

/// The type that an untyped schema's other keywords speak of.
fn implied_type(keywords: &Map<String, Value>) -> Option<&'static str> {
    let speaks = |keys: &[&str]| keys.iter().any(|key| keywords.contains_key(*key));
    if speaks(&["properties", "required", "minProperties", "propertyNames"]) {
        Some("object")
    } else if speaks(&["items", "prefixItems", "minItems", "contains"]) {
        Some("array")
    } else if speaks(&["pattern", "format", "minLength", "maxLength"]) {
        Some("string")
    } else if speaks(&["minimum", "maximum", "multipleOf", "exclusiveMinimum"]) {
        Some("integer")
    } else {
        None
    }
}
