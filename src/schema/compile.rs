//! Compiling a declared schema, and asking whether a value fits it.

use jsonschema::ValidationError;
use serde_json::Value;

use super::dialect::{Declared, Dialect};
use super::fault::{Inspection, inspect, is_within};
use super::localise::{PATTERN, UNKNOWN, settle_patterns};
use super::supposition::{pattern_keyword, supposing, unknown_keyword};
use super::work;

/// Values of the deepest instance that is judged.
const MAX_INSTANCE_DEPTH: usize = 150;
/// Values in the largest instance that is judged.
const MAX_INSTANCE_VALUES: usize = 1_000_000;

/// A compiled schema.
pub struct Validator {
    inner: Option<jsonschema::Validator>,
    /// The schema with local references only.
    schema: Value,
    declared: Declared,
    unjudged: Option<String>,
}

/// Where and why a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON pointer into the value; empty at its root.
    pub pointer: String,
    /// The first reason.
    pub message: String,
}

/// Why a schema cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON pointer into the schema; empty at its root.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
}

/// Compiles a schema in its declared dialect, 2020-12 by default.
///
/// A schema is refused for what its dialect forbids. What is legal but beyond
/// our bounds or engine gives a validator that does not judge.
pub fn compile(schema: &Value) -> Result<Validator, SchemaFault> {
    let declared = Declared::of(schema);
    let dialect = declared.dialect();
    let not_judged = |reason: &str| Validator {
        inner: None,
        schema: Value::Null,
        declared,
        unjudged: Some(reason.to_owned()),
    };
    let references = match inspect(schema, dialect) {
        Inspection::Sound(references) => references,
        Inspection::Faulty(fault) => return Err(fault),
        Inspection::NotJudged(reason) => return Ok(not_judged(reason)),
    };
    let mut schema = references.rewrite(schema);
    settle_patterns(&mut schema);
    let Ok(inner) = build(&schema, dialect) else {
        return Ok(not_judged("the engine does not take it"));
    };
    Ok(Validator {
        inner: Some(inner),
        schema,
        declared,
        unjudged: None,
    })
}

impl Validator {
    /// Whether the value fits; `None` when that cannot be told (a pattern, a
    /// reference or a size that could not be judged).
    pub fn accepts(&self, value: &Value) -> Option<bool> {
        let inner = self.inner.as_ref()?;
        if !is_within(value, MAX_INSTANCE_DEPTH, MAX_INSTANCE_VALUES)
            || !work::is_within(work::BUDGET, &self.schema, value)
        {
            return None;
        }
        let (kindly, met_unknown) = supposing(true, || inner.is_valid(value));
        if !met_unknown {
            return Some(kindly);
        }
        let (strictly, _) = supposing(false, || inner.is_valid(value));
        (kindly == strictly).then_some(kindly)
    }

    /// The first place where the value does not fit.
    pub fn mismatch(&self, value: &Value) -> Option<Mismatch> {
        if self.accepts(value) != Some(false) {
            return None;
        }
        let inner = self.inner.as_ref()?;
        let (mismatch, _) = supposing(true, || {
            if !work::is_within(work::EXPLAIN_BUDGET, &self.schema, value) {
                return None;
            }
            let error = inner.validate(value).err()?;
            Some(Mismatch {
                pointer: error.instance_path().to_string(),
                message: error.to_string(),
            })
        });
        Some(mismatch.unwrap_or_else(|| Mismatch {
            pointer: String::new(),
            message: "the value does not fit the schema".to_owned(),
        }))
    }

    /// Why nothing can be judged by this schema, where that is so.
    pub fn unjudged(&self) -> Option<&str> {
        self.unjudged.as_deref()
    }

    /// What the schema says of its dialect.
    pub const fn declared(&self) -> Declared {
        self.declared
    }
}

fn build(
    schema: &Value,
    dialect: Dialect,
) -> Result<jsonschema::Validator, ValidationError<'static>> {
    jsonschema::options()
        .with_draft(dialect.draft())
        .with_keyword(PATTERN, pattern_keyword)
        .with_keyword(UNKNOWN, unknown_keyword)
        .build(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn accepts(schema: &Value, value: &Value) -> Option<bool> {
        compile(schema).expect("a legal schema").accepts(value)
    }

    fn fault(schema: &Value) -> SchemaFault {
        compile(schema).err().expect("a faulty schema")
    }

    #[test]
    fn each_declared_dialect_is_judged_by_its_own_rules() {
        let tuple = |uri: &str| json!({"$schema": uri, "items": [{"type": "string"}]});
        for dialect in [
            Dialect::Draft4,
            Dialect::Draft6,
            Dialect::Draft7,
            Dialect::Draft201909,
        ] {
            let schema = tuple(dialect.uri());
            assert_eq!(accepts(&schema, &json!([1])), Some(false), "{dialect:?}");
        }
        assert_eq!(fault(&tuple(Dialect::Draft202012.uri())).pointer, "/items");
        assert_eq!(fault(&tuple("urn:unheard-of")).pointer, "/items");
        for odd in ["", "http://json-schema.org/draft-03/schema#", "\u{0}"] {
            let schema = json!({"$schema": odd, "type": "string"});
            assert_eq!(accepts(&schema, &json!(1)), Some(false));
        }
        let draft4 =
            json!({"$schema": Dialect::Draft4.uri(), "minimum": 1, "exclusiveMinimum": true});
        assert_eq!(accepts(&draft4, &json!(1)), Some(false));
    }

    #[test]
    fn faults_say_where() {
        let bad = fault(&json!({"properties": {"query": {"required": false}}}));
        assert_eq!(bad.pointer, "/properties/query/required");
        assert_eq!(bad.message, "false is not of type \"array\"");
        assert_eq!(fault(&json!({"properties": null})).pointer, "/properties");
        assert_eq!(fault(&json!(null)).pointer, "");
        let pattern = json!({"properties": {"a/b": {"pattern": "^(abc"}}});
        assert_eq!(fault(&pattern).pointer, "/properties/a~1b/pattern");
        let dangling = fault(&json!({"properties": {"s": {"$ref": "#/$defs/Screen"}}}));
        assert_eq!(dangling.pointer, "/properties/s/$ref");
        assert!(dangling.message.contains("#/$defs/Screen"));
        assert_eq!(fault(&json!({"$id": "a b"})).pointer, "/$id");
        let deep = json!({"$schema": Dialect::Draft7.uri(), "items": {"items": {"type": 5}}});
        assert_eq!(fault(&deep).pointer, "/items/items/type");
    }

    #[test]
    fn references_stay_inside_the_document() {
        let recursive = json!({
            "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
            "$ref": "#/$defs/Node",
        });
        assert_eq!(
            accepts(&recursive, &json!({"next": {"next": {}}})),
            Some(true)
        );
        assert_eq!(
            accepts(&recursive, &json!({"next": {"next": 1}})),
            Some(false)
        );

        let network =
            json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/s"}}});
        assert_eq!(accepts(&network, &json!({"a": 1})), None);
        assert_eq!(accepts(&network, &json!({})), Some(true));
        assert_eq!(accepts(&network, &json!([])), Some(false));

        let by_name = json!({
            "$id": "https://example.com/root",
            "$defs": {
                "a b%": {"$anchor": "here", "type": "string"},
                "other": {"$id": "item", "$defs": {"x": {"type": "null"}}, "$ref": "#/$defs/x"},
            },
            "properties": {
                "a": {"$ref": "#here"},
                "b": {"$ref": "item"},
                "c": {"$ref": "#/$defs/a%20b%25"},
            },
        });
        assert_eq!(
            accepts(&by_name, &json!({"a": "x", "b": null, "c": "x"})),
            Some(true)
        );
        for wrong in [json!({"a": 1}), json!({"b": 1}), json!({"c": 1})] {
            assert_eq!(accepts(&by_name, &wrong), Some(false), "{wrong}");
        }
        let hidden = json!({
            "$schema": Dialect::Draft7.uri(),
            "properties": {"a": {"$ref": "#/definitions/A", "type": "string"}},
            "definitions": {"A": {"type": "integer"}},
        });
        assert_eq!(accepts(&hidden, &json!({"a": 1})), Some(true));
    }

    #[test]
    fn what_cannot_be_judged_is_not_judged() {
        let hard = json!({"properties": {"a": {"pattern": "a{1000000}"}}, "required": ["b"]});
        assert_eq!(accepts(&hard, &json!({"a": "x", "b": 1})), None);
        assert_eq!(accepts(&hard, &json!({"a": "x"})), Some(false));
        assert_eq!(accepts(&hard, &json!({"a": 1, "b": 1})), Some(true));

        let named = json!({"patternProperties": {"^(?!x)": {"type": "null"}}, "additionalProperties": false});
        assert_eq!(accepts(&named, &json!({"x": 1})), None);
        let heavy = json!({"items": {"pattern": r"^(?=x|a)(([a-z])+.)+\2[A-Z]([a-z])+$"}});
        assert_eq!(accepts(&heavy, &json!(vec!["a".repeat(60); 5_000])), None);
    }

    #[test]
    fn what_a_server_puts_into_keywords_of_its_own_decides_nothing() {
        let own = json!({"type": "string", "x-mcprobe-unknown": true, "x-mcprobe-pattern": "a"});
        assert_eq!(accepts(&own, &json!(1)), Some(false));
        assert_eq!(accepts(&own, &json!("b")), Some(true));
        let elsewhere = json!({
            "components": {"A": {"pattern": r"^(?=x|a)(([a-z])+.)+\2[A-Z]([a-z])+$"}},
            "items": {"$ref": "#/components/A"},
        });
        assert_eq!(
            accepts(&elsewhere, &json!(vec!["a".repeat(60); 5_000])),
            None
        );
    }

    #[test]
    fn patterns_of_any_engine_are_judged_where_formats_are_asserted() {
        let schema = json!({
            "$schema": Dialect::Draft7.uri(),
            "properties": {"a": {"pattern": r"^[^\p{Cc}\p{Zl}]{1,8}$"}, "b": {"pattern": r"^(?!x)"}},
        });
        assert_eq!(accepts(&schema, &json!({"b": "y"})), Some(true));
        assert_eq!(accepts(&schema, &json!({"b": "x"})), Some(false));
    }

    #[test]
    fn explosive_schemas_end_quickly() {
        for keyword in ["anyOf", "allOf", "oneOf"] {
            let mut defs = Map::new();
            for level in 0..60 {
                let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
                defs.insert(format!("d{level}"), json!({keyword: [next.clone(), next]}));
            }
            defs.insert("d60".to_owned(), json!({"type": "string"}));
            let schema = json!({"$defs": defs, "$ref": "#/$defs/d0"});
            assert_eq!(accepts(&schema, &json!(1)), None, "{keyword}");
        }
    }

    #[test]
    fn loops_chains_and_depth_stay_within_a_small_stack() {
        let circle = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
        assert_eq!(accepts(&circle, &json!(1)), None);
        assert_eq!(accepts(&json!({"$ref": "#"}), &json!(1)), None);

        let mut chain = Map::new();
        for level in 0..5_000 {
            chain.insert(
                format!("d{level}"),
                json!({"$ref": format!("#/$defs/d{}", level + 1)}),
            );
        }
        chain.insert("d5000".to_owned(), json!(true));
        let chain = json!({"$ref": "#/$defs/d0", "$defs": chain});
        assert_eq!(accepts(&chain, &json!(1)), None);

        let mut deep = json!({"type": "integer"});
        let mut value = json!(1);
        for _ in 0..49 {
            deep = json!({"properties": {"a": deep}});
            value = json!({"a": value});
        }
        assert_eq!(accepts(&deep, &value), Some(true));
        let list = json!({"type": "array", "items": {"$ref": "#"}});
        let mut nested = json!([]);
        for _ in 0..74 {
            nested = json!([nested]);
        }
        assert_eq!(accepts(&list, &nested), Some(true));
    }

    #[test]
    fn a_mismatch_says_where() {
        let validator = compile(&json!({"properties": {"n": {"type": "integer"}}})).expect("legal");
        assert_eq!(
            validator.mismatch(&json!({"n": "x"})),
            Some(Mismatch {
                pointer: "/n".to_owned(),
                message: "\"x\" is not of type \"integer\"".to_owned(),
            })
        );
        assert_eq!(validator.mismatch(&json!({"n": 1})), None);
    }
}
