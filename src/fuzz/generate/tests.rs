use serde_json::{Value, json};

use super::*;

fn made(schema: &Value) -> Value {
    let value = valid(schema, 7);
    assert_eq!(value, valid(schema, 7), "not the same twice: {schema}");
    let Some(value) = value else {
        panic!("nothing for {schema}");
    };
    let validator = compile::compile(&tidy::tidy(schema)).expect("a schema");
    assert_eq!(validator.accepts(&value), Some(true), "{schema}: {value}");
    value
}

fn required(property: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"it": property}, "required": ["it"]});
    made(&schema)["it"].take()
}

#[test]
fn offers_of_the_author_come_first_where_they_fit() {
    assert_eq!(
        required(&json!({"type": "string", "examples": [1, "x"]})),
        "x"
    );
    assert_eq!(required(&json!({"type": "string", "default": "d"})), "d");
    assert_eq!(required(&json!({"type": "integer", "default": "d"})), 1);
    assert_eq!(required(&json!({"enum": ["b", "a"]})), "b");
    assert_eq!(required(&json!({"const": [1]})), json!([1]));
    assert_eq!(
        required(&json!({"type": ["null", "integer"], "default": null})),
        1
    );
}

#[test]
fn quoted_examples_come_after_offers_and_before_names() {
    let zone = json!({"type": "string", "description": "IANA zone (e.g., 'Europe/Oslo')"});
    let schema =
        json!({"type": "object", "properties": {"timezone": zone}, "required": ["timezone"]});
    assert_eq!(made(&schema), json!({"timezone": "Europe/Oslo"}));
    for (property, wanted) in [
        (
            json!({"type": "string", "default": "d", "description": "e.g. 'x1'"}),
            json!("d"),
        ),
        (
            json!({"enum": ["a"], "description": "such as 'x1'"}),
            json!("a"),
        ),
        (
            json!({"type": "integer", "description": "for example 42"}),
            json!(42),
        ),
        (
            json!({"type": "integer", "description": "for example 'many'"}),
            json!(1),
        ),
        (
            json!({"type": "string", "maxLength": 3, "description": "e.g. 'too long'"}),
            json!("pro"),
        ),
        (
            json!({"type": "string", "pattern": "^B[0-9]$", "description": "e.g. 'A1', 'B2'"}),
            json!("B2"),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "description": "Symbols, e.g. 'ACME'"}),
            json!(["ACME"]),
        ),
        (
            json!({"type": "object", "description": "A filter, e.g. `{\"a\": 1}`"}),
            json!({"a": 1}),
        ),
    ] {
        assert_eq!(required(&property), wanted, "{property}");
    }
}

#[test]
fn optional_properties_are_left_out() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    assert_eq!(made(&schema), json!({}));
}

#[test]
fn compositions_are_solved() {
    let one_of = json!({"oneOf": [{"type": "integer"}, {"type": "integer", "minimum": 1}, {"type": "string"}]});
    assert!(required(&one_of).is_number());
    let not = json!({"type": "string", "not": {"const": "probe"}, "maxLength": 6});
    assert_ne!(required(&not), "probe");
    let condition = json!({
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["x"], "properties": {"x": {"type": "integer"}}},
    });
    made(&condition);
    let tree = json!({
        "type": "object",
        "$defs": {"node": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "required": ["value", "children"],
        }},
        "properties": {"root": {"$ref": "#/$defs/node"}},
        "required": ["root"],
    });
    made(&tree);
    let dependent = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"]},
        "additionalProperties": false,
    });
    made(&dependent);
    let choice = json!({"anyOf": [
        {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}, "required": ["id"]},
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    ]});
    assert!(made(&choice).get("id").is_some());
}

#[test]
fn collections_keep_their_bounds() {
    assert_eq!(
        required(
            &json!({"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": true})
        ),
        json!([1, 2, 3])
    );
    let contains = json!({"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}});
    required(&contains);
    let tuple = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2});
    required(&tuple);
    let named = json!({"type": "object", "minProperties": 3, "propertyNames": {"pattern": "^k[0-9]+$"}, "additionalProperties": {"type": "integer"}});
    required(&named);
    let patterned = json!({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false, "minProperties": 2});
    required(&patterned);
}

#[test]
fn slips_and_the_impossible_are_told_apart() {
    assert_eq!(
        made(&json!({"type": "object", "properties": null})),
        json!({})
    );
    assert_eq!(
        made(&json!({"type": "object", "properties": [], "required": null})),
        json!({})
    );
    for impossible in [
        json!(false),
        json!({"type": "string"}),
        json!({"type": "object", "required": ["a"], "additionalProperties": false}),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 2}}}),
    ] {
        assert_eq!(valid(&impossible, 1), None, "{impossible}");
    }
}
