//! Schemas that are valid at a glance.
//!
//! Most tools use a dozen keywords in the usual shapes. For those the answer
//! "valid" needs no meta-schema. The check is one-sided: whatever it does not
//! know for sure goes the long way (see [`super::fault`]).

use serde_json::{Map, Value};

use super::dialect::Dialect;

/// Deeper schemas go the long way.
const MAX_DEPTH: usize = 24;
/// Longer enumerations go the long way: comparing each pair is quadratic.
const MAX_ENUM: usize = 64;

/// Whether a schema is valid beyond doubt in its declared dialect.
pub(super) fn is_surely_valid(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    let known = match keywords.get("$schema") {
        None => true,
        // Draft-04 differs in too many shapes.
        Some(Value::String(uri)) => {
            Dialect::from_uri(uri).is_some_and(|dialect| dialect != Dialect::Draft4)
        }
        Some(_) => false,
    };
    known && is_plain(keywords, 0)
}

fn is_plain(keywords: &Map<String, Value>, depth: usize) -> bool {
    depth <= MAX_DEPTH
        && keywords
            .iter()
            .all(|(keyword, value)| fits(keyword, value, depth))
}

fn fits(keyword: &str, value: &Value, depth: usize) -> bool {
    match keyword {
        "$schema" => depth == 0,
        "type" => is_type(value),
        "properties" => match value {
            Value::Object(named) => named.values().all(|schema| is_schema(schema, depth)),
            _ => false,
        },
        "items" => is_schema(value, depth),
        "additionalProperties" => value.is_boolean() || is_schema(value, depth),
        "anyOf" | "oneOf" | "allOf" => match value {
            Value::Array(list) => {
                !list.is_empty() && list.iter().all(|schema| is_schema(schema, depth))
            }
            _ => false,
        },
        "required" => match value {
            Value::Array(names) => {
                names.iter().all(Value::is_string) && is_small(names) && are_distinct(names)
            }
            _ => false,
        },
        "enum" => match value {
            Value::Array(values) => {
                !values.is_empty()
                    && is_small(values)
                    && values.iter().all(is_scalar)
                    && are_distinct(values)
            }
            _ => false,
        },
        "title" | "description" | "$comment" | "format" => value.is_string(),
        "default" | "const" => is_inert(value),
        "examples" => value.is_array() && is_inert(value),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.is_u64()
        }
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => value.is_boolean(),
        // Keywords of somebody's own say nothing in any draft.
        _ => keyword.starts_with("x-") && is_inert(value),
    }
}

fn is_schema(value: &Value, depth: usize) -> bool {
    match value {
        Value::Object(keywords) => is_plain(keywords, depth + 1),
        _ => false,
    }
}

fn is_type(value: &Value) -> bool {
    let is_name = |value: &Value| {
        matches!(
            value.as_str(),
            Some("string" | "object" | "integer" | "boolean" | "array" | "number" | "null")
        )
    };
    match value {
        Value::Array(names) => {
            !names.is_empty()
                && names.len() <= 7
                && names.iter().all(is_name)
                && are_distinct(names)
        }
        name => is_name(name),
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// Plain data without anything that could read as a schema.
fn is_inert(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_scalar),
        Value::Object(members) => members
            .iter()
            .all(|(key, member)| !key.starts_with('$') && key != "id" && is_scalar(member)),
        _ => true,
    }
}

const fn is_small(values: &[Value]) -> bool {
    values.len() <= MAX_ENUM
}

/// Whether no two are equal; numbers compare by value, as JSON Schema does.
fn are_distinct(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(at, value)| {
        values[..at].iter().all(|other| {
            other != value
                && (!value.is_number() || !other.is_number() || other.as_f64() != value.as_f64())
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::schema::compile::compile;
    use crate::schema::fault::{Inspection, inspect};

    #[test]
    fn usual_schemas_are_plain_and_odd_ones_are_not() {
        let usual = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "A.", "enum": ["x", "y"], "default": "x"},
                "b": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
                "c": {"type": "array", "items": {"type": "object"}, "minItems": 1},
            },
            "required": ["a"],
            "additionalProperties": false,
        });
        assert!(is_surely_valid(&usual));
        for odd in [
            json!(true),
            json!({"properties": null}),
            json!({"required": ["a", "a"]}),
            json!({"enum": [1, 1.0]}),
            json!({"enum": []}),
            json!({"type": "strin"}),
            json!({"pattern": "a"}),
            json!({"items": {"$schema": "x"}}),
            json!({"minLength": -1}),
            json!({"default": {"$ref": "#/x"}}),
        ] {
            assert!(!is_surely_valid(&odd), "{odd}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (-3_i64..300).prop_map(Value::from),
            Just(json!(1.5)),
            Just(json!(1e300)),
            "[a-z$#/ ]{0,6}".prop_map(Value::from),
            prop::sample::select(vec!["string", "integer", "null", "object", "uri", "regex"])
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                keywords(inner),
            ]
        })
    }

    fn keywords(inner: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
        let names = prop::sample::select(vec![
            "type",
            "properties",
            "items",
            "additionalProperties",
            "anyOf",
            "oneOf",
            "allOf",
            "required",
            "enum",
            "title",
            "description",
            "format",
            "default",
            "const",
            "examples",
            "minimum",
            "exclusiveMaximum",
            "minLength",
            "maxItems",
            "uniqueItems",
            "readOnly",
            "$ref",
            "id",
            "$id",
            "a",
            "not",
            "$comment",
        ]);
        prop::collection::vec((names, inner), 0..5)
            .prop_map(|pairs| {
                pairs
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect::<Map<_, _>>()
                    .into()
            })
            .boxed()
    }

    /// Mostly right shapes, so that the property has something to say.
    fn likely_schema() -> impl Strategy<Value = Value> {
        let pair = |keyword: &'static str, value: BoxedStrategy<Value>| {
            value
                .prop_map(move |value| (keyword.to_owned(), value))
                .boxed()
        };
        let types = || {
            let names = [
                "string", "integer", "number", "boolean", "array", "object", "null",
            ];
            prop_oneof![
                prop::sample::select(names.to_vec()).prop_map(Value::from),
                prop::sample::subsequence(names.to_vec(), 1..4).prop_map(Value::from),
            ]
            .boxed()
        };
        let leaf = types().prop_map(|names| json!({"type": names})).boxed();
        leaf.prop_recursive(4, 32, 5, move |inner| {
            let list = prop::collection::vec(inner.clone(), 1..3)
                .prop_map(Value::from)
                .boxed();
            let named = prop::collection::btree_map("[a-z$~/]{0,4}", inner.clone(), 0..4)
                .prop_map(|named| named.into_iter().collect::<Map<_, _>>().into())
                .boxed();
            let one = prop_oneof![
                pair("type", types()),
                pair("properties", named),
                pair("items", inner.clone().boxed()),
                pair("additionalProperties", inner.boxed()),
                pair("anyOf", list.clone()),
                pair("oneOf", list.clone()),
                pair("allOf", list),
                pair(
                    "required",
                    prop::collection::btree_set("[a-z]{1,3}", 0..4)
                        .prop_map(|names| json!(names))
                        .boxed()
                ),
                pair(
                    "enum",
                    prop::collection::vec(any_value(), 0..4)
                        .prop_map(Value::from)
                        .boxed()
                ),
                pair("default", any_value().boxed()),
                pair("const", any_value().boxed()),
                pair("examples", any_value().boxed()),
                pair("format", "[a-z-]{0,6}".prop_map(Value::from).boxed()),
                pair("minimum", any_value().boxed()),
                pair("maxLength", any_value().boxed()),
                pair("uniqueItems", any_value().boxed()),
                pair("x-own", any_value().boxed()),
            ];
            prop::collection::vec(one, 0..6)
                .prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into())
        })
    }

    proptest! {
        #[test]
        fn what_is_surely_valid_passes_the_long_way(
            schema in prop_oneof![3 => likely_schema().boxed(), 1 => any_value().boxed()],
            dialect in prop::sample::select(vec![
                None,
                Some(Dialect::Draft4),
                Some(Dialect::Draft6),
                Some(Dialect::Draft7),
                Some(Dialect::Draft201909),
                Some(Dialect::Draft202012),
            ]),
        ) {
            let mut schema = schema;
            if let (Some(dialect), Value::Object(keywords)) = (dialect, &mut schema) {
                keywords.insert("$schema".to_owned(), dialect.uri().into());
            }
            if is_surely_valid(&schema) {
                let dialect = dialect.unwrap_or(Dialect::Draft202012);
                prop_assert!(matches!(inspect(&schema, dialect), Inspection::Sound(_)));
                let validator = compile(&schema);
                prop_assert!(validator.is_ok_and(|validator| validator.unjudged().is_none()));
            }
        }

        #[test]
        fn any_value_as_a_schema_is_survived(schema in any_value(), value in any_value()) {
            if let Ok(validator) = compile(&schema) {
                let fits = validator.accepts(&value);
                prop_assert_eq!(validator.mismatch(&value).is_some(), fits == Some(false));
            }
        }
    }
}
