//! Reading a schema past the slips that serializers make.
//!
//! A `properties` that is `null` or a list, a `required` that is a boolean, a
//! keyword that is `null`: each makes the schema invalid, which is a finding of
//! its own, yet the intent is plain and the tool can still be called.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::{Map, Value};

/// Deeper schemas are not walked: real ones end far above this.
const MAX_DEPTH: usize = 100;

/// The schema without keywords of an impossible shape.
pub(crate) fn tidy(schema: &Value) -> Value {
    schema_at(schema, 0)
}

/// Whether a value nests at most [`MAX_DEPTH`] levels, so that recursion over
/// it is safe.
pub(crate) fn is_shallow(value: &Value) -> bool {
    // An explicit stack: the value may be deeper than ours.
    let mut open = vec![(value, 0_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return false;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, depth + 1)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    true
}

/// How many values a value is made of.
pub(super) fn nodes(value: &Value) -> usize {
    let (mut open, mut count) = (vec![value], 0);
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    count
}

fn schema_at(schema: &Value, depth: usize) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    if depth > MAX_DEPTH {
        return schema.clone();
    }
    let mut kept = Map::new();
    for (keyword, value) in keywords {
        if let Some(value) = keyword_at(keyword, value, depth) {
            kept.insert(keyword.clone(), value);
        }
    }
    Value::Object(kept)
}

/// The keyword's value with the schemas in it tidied; `None` to leave it out.
fn keyword_at(keyword: &str, value: &Value, depth: usize) -> Option<Value> {
    let below = |schema: &Value| schema_at(schema, depth + 1);
    match (keyword, value) {
        ("default" | "const", _) => Some(value.clone()),
        (_, Value::Null) => None,
        ("enum", Value::Array(values)) => (!values.is_empty()).then(|| value.clone()),
        ("enum" | "examples" | "required", _) => value.is_array().then(|| value.clone()),
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
            Value::Object(schemas),
        ) => Some(Value::Object(
            schemas
                .iter()
                .map(|(name, schema)| {
                    // A property that is declared by nothing but `null`.
                    let schema = if schema.is_null() {
                        Value::Bool(true)
                    } else {
                        below(schema)
                    };
                    (name.clone(), schema)
                })
                .collect(),
        )),
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependentRequired",
            _,
        ) => value.is_object().then(|| value.clone()),
        ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(schemas)) => {
            let schemas: Vec<_> = schemas.iter().map(below).collect();
            (!schemas.is_empty()).then_some(Value::Array(schemas))
        }
        (
            "items"
            | "additionalProperties"
            | "additionalItems"
            | "propertyNames"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties",
            Value::Object(_),
        ) => Some(below(value)),
        _ => Some(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn impossible_keywords_go_and_names_that_look_like_them_stay() {
        let schema = json!({
            "type": "object", "description": null, "required": null,
            "properties": {
                "required": {"type": "string", "required": false, "default": null},
                "enum": {"enum": [], "properties": []},
                "properties": null,
            },
        });
        assert_eq!(
            tidy(&schema),
            json!({
                "type": "object",
                "properties": {
                    "required": {"type": "string", "default": null},
                    "enum": {},
                    "properties": true,
                },
            })
        );
        assert_eq!(tidy(&json!({"properties": []})), json!({}));
    }

    #[test]
    fn depth_is_told_without_recursion() {
        let mut deep = json!({});
        for _ in 0..MAX_DEPTH {
            deep = json!({ "not": deep });
        }
        assert!(is_shallow(&deep));
        assert!(!is_shallow(&json!({ "not": deep })));
    }
}
