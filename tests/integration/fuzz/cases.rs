//! What every case promises, over schemas of all kinds.

use std::collections::BTreeSet;

use mcprobe::fuzz::cases::{CaseRequest, CaseSet};
use mcprobe::fuzz::generate::valid;
use mcprobe::model::fuzz::{Case, CaseClass};
use mcprobe::protocol::json;
use mcprobe::schema::compile::compile;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Patterns as tools have them, each with room for short and long texts.
const PATTERNS: [&str; 8] = [
    r"^[a-z]+$",
    r"^[A-Z]{2}\d{3,}$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^(alpha|beta|gamma)(-\w+)?$",
    r"^(?=.*\d)[a-z0-9]+$",
    r"[^/]+/[^/]+",
    r"^#[a-fA-F0-9]{6}$",
    r"^(?!x)\S+$",
];

/// A schema of one value that some value fits.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        Just(json!({"$ref": "#/$defs/named"})),
        Just(json!({"$ref": "#/$defs/tree"})),
        (0_u64..40, 0_u64..40).prop_map(|(min, more)| {
            json!({"type": "string", "minLength": min, "maxLength": min + more})
        }),
        (0..PATTERNS.len()).prop_map(|at| json!({"type": "string", "pattern": PATTERNS[at]})),
        prop_oneof![
            Just("uri"),
            Just("date-time"),
            Just("email"),
            Just("uuid"),
            Just("unheard-of")
        ]
        .prop_map(|format| json!({"type": "string", "format": format})),
        (any::<i64>(), 0_i64..1000).prop_map(|(min, more)| {
            json!({"type": "integer", "minimum": min, "maximum": min.saturating_add(more)})
        }),
        (-100_i32..100, 1_i32..20).prop_map(|(min, step)| {
            json!({"type": "integer", "exclusiveMinimum": min, "multipleOf": step})
        }),
        (-1e6..1e6_f64, 0.5..10.0_f64).prop_map(|(min, more)| {
            json!({"type": "number", "exclusiveMinimum": min, "maximum": min + more})
        }),
        prop::collection::btree_set("[a-z]{1,6}", 1..4)
            .prop_map(|names| json!({"type": "string", "enum": names})),
        prop::collection::btree_set(any::<i32>(), 1..4)
            .prop_map(|numbers| json!({"enum": numbers})),
        "[a-z]{0,6}".prop_map(|text| json!({"const": text})),
        Just(json!({"type": ["string", "null"], "default": null})),
        any::<u8>()
            .prop_map(|default| json!({"type": "integer", "minimum": 100, "default": default})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0_usize..3, 0_usize..3).prop_map(|(items, min, more)| {
                json!({"type": "array", "items": items, "minItems": min, "maxItems": min + more})
            }),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| {
                json!({"type": "array", "prefixItems": [a, b], "minItems": 2})
            }),
            (1_usize..5, 0_usize..2).prop_map(|(min, more)| {
                json!({"type": "array", "items": {"type": ["integer", "string"]}, "minItems": min, "maxItems": min + more, "uniqueItems": true})
            }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|any_of| json!({"anyOf": any_of})),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| {
                json!({"oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "it": a}, "required": ["kind", "it"]},
                    {"type": "object", "properties": {"kind": {"const": "b"}, "it": b}, "required": ["kind"]},
                ]})
            }),
            inner.clone().prop_map(|part| json!({"allOf": [part, {"description": "x"}]})),
            inner.clone().prop_map(|part| json!({"type": "object", "additionalProperties": part, "minProperties": 2})),
            object(inner),
        ]
    })
}

/// An object schema with some required, maybe closed.
fn object(property: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let named = ("[a-z_]{1,8}", property, any::<bool>());
    (
        prop::collection::vec(named, 0..5),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(members, closed, dependent)| {
            let mut schema = json!({"type": "object"});
            let required: BTreeSet<&str> = members
                .iter()
                .filter(|member| member.2)
                .map(|member| member.0.as_str())
                .collect();
            schema["required"] = json!(required);
            let properties: Map<String, Value> = members
                .iter()
                .map(|(name, property, _)| (name.clone(), property.clone()))
                .collect();
            if let (true, Some(first), Some(last)) = (
                dependent,
                properties.keys().next(),
                properties.keys().next_back(),
            ) {
                schema["dependentRequired"] = json!({first: [last]});
            }
            schema["properties"] = Value::Object(properties);
            if closed {
                schema["additionalProperties"] = json!(false);
            }
            schema
        })
}

fn tool_schema() -> impl Strategy<Value = Value> {
    object(schema()).prop_map(|mut root| {
        root["$defs"] = json!({
            "named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            "tree": {"type": "object", "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                "size": {"type": "integer", "minimum": 2},
            }, "required": ["children", "size"]},
        });
        root
    })
}

/// Any JSON at all, with keywords of JSON Schema among the keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![
            Just("object"),
            Just("string"),
            Just("#"),
            Just("#/properties/a"),
            Just("[("),
            Just("^(a+)+$"),
            Just("date")
        ]
        .prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 5, |inner| {
        let key = prop_oneof![
            prop::sample::select(vec![
                "type",
                "properties",
                "required",
                "items",
                "$ref",
                "allOf",
                "anyOf",
                "oneOf",
                "not",
                "if",
                "then",
                "enum",
                "const",
                "pattern",
                "format",
                "minLength",
                "maxLength",
                "minimum",
                "maximum",
                "multipleOf",
                "minItems",
                "uniqueItems",
                "contains",
                "additionalProperties",
                "patternProperties",
                "propertyNames",
                "minProperties",
                "dependentRequired",
                "dependencies",
                "dependentSchemas",
                "$defs",
                "$schema",
                "$id",
                "default",
                "examples",
                "prefixItems",
            ])
            .prop_map(str::to_owned),
            "[a-c]",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn cases(schema: Option<&Value>, example: Option<&Value>, seed: u64) -> CaseSet {
    mcprobe::fuzz::cases::cases(&CaseRequest {
        schema,
        example,
        seed,
        ..CaseRequest::default()
    })
}

/// The arguments as a tree; `None` where no tree holds them as they are.
fn arguments(case: &Case) -> Option<Value> {
    let reading = json::read(case.arguments.get());
    reading.flaws.is_empty().then_some(reading.value)
}

/// The members in which two values differ, as `a`, `a.b`, `a[0].b`.
fn differences(one: &Value, other: &Value, at: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let label = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => differences(a, b, &label, found),
                    _ => found.push(label),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                differences(a, b, &format!("{at}[{index}]"), found);
            }
        }
        _ if one == other => {}
        _ => found.push(at.to_owned()),
    }
}

/// The value of a field at the top breaks the field's own schema, and by
/// nothing but what the kind says.
fn breaks_alone(schema: &Value, kind: &str, field: &str, bad: &Value) -> Result<(), TestCaseError> {
    if kind == "missing_required" {
        let required = schema["required"].as_array();
        prop_assert!(required.is_some_and(|all| all.contains(&json!(field))));
        prop_assert!(bad.get(field).is_none());
        return Ok(());
    }
    let property = &schema["properties"][field];
    let accepts = |property: &Value| {
        let mut alone = property.clone();
        if let Some(keywords) = alone.as_object_mut() {
            keywords.insert("$defs".to_owned(), schema["$defs"].clone());
        }
        compile(&alone)
            .expect("a part of a schema")
            .accepts(&bad[field])
    };
    prop_assert_eq!(accepts(property), Some(false), "{}:{} {}", kind, field, bad);
    let broken: &[&str] = match kind {
        "too_short" => &["minLength", "minItems"],
        "too_long" => &["maxLength", "maxItems"],
        "out_of_range" | "over_maximum" => {
            &["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]
        }
        "not_multiple" => &["multipleOf"],
        "bad_pattern" => &["pattern"],
        "wrong_item" => &["items", "prefixItems"],
        "duplicate_items" => &["uniqueItems"],
        "fraction_for" => &["type"],
        _ => return Ok(()),
    };
    // Where the keyword stands in a part, leaving it out is not as simple.
    if broken.iter().any(|keyword| property.get(keyword).is_some()) {
        let mut relaxed = property.clone();
        for keyword in broken {
            relaxed.as_object_mut().expect("keywords").remove(*keyword);
        }
        prop_assert_eq!(
            accepts(&relaxed),
            Some(true),
            "{}:{} {} breaks more",
            kind,
            field,
            bad
        );
    }
    Ok(())
}

/// The kinds of values at a declared bound.
const BOUNDS: [&str; 6] = [
    "edge_at_minimum",
    "edge_at_maximum",
    "edge_shortest",
    "edge_longest",
    "edge_fewest",
    "edge_most",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn valid_arguments_validate_and_bent_ones_break_what_they_say(schema in tool_schema(), seed in any::<u64>()) {
        let validator = compile(&schema).expect("the strategy makes schemas");
        let set = cases(Some(&schema), None, seed);
        let (first, bent) = set.cases.split_first().expect("every schema here can be met");
        prop_assert_eq!(first.label.as_str(), "valid");
        prop_assert_eq!(first.class, CaseClass::Generated);
        let good = arguments(first).expect("valid arguments are a tree");
        prop_assert_eq!(validator.accepts(&good), Some(true), "{} {}", schema, good);
        prop_assert_eq!(Some(good.clone()), valid(&schema, seed));

        let mut labels = BTreeSet::new();
        for case in bent {
            prop_assert!(labels.insert(case.label.clone()), "{} twice", case.label);
            let Some(bad) = arguments(case) else {
                // What no tree holds is sent to see whether the server lives.
                prop_assert_eq!(case.class, CaseClass::Edge, "{}", case.label);
                continue;
            };
            let accepted = validator.accepts(&bad);
            prop_assert_eq!(accepted, Some(!case.class.breaks_schema()), "{} {} {}", case.label, bad, schema);
            let mut changed = Vec::new();
            differences(&good, &bad, "", &mut changed);
            prop_assert!(!changed.is_empty(), "{} changes nothing", case.label);
            match case.label.split_once(':') {
                Some(("near_miss", names)) => {
                    let (given, declared) = names.split_once("->").expect("both names");
                    prop_assert_eq!(&changed, &[given.to_owned()]);
                    prop_assert!(schema["properties"].get(declared).is_some() || schema["required"].as_array().is_some_and(|all| all.contains(&json!(declared))));
                }
                Some((kind, field)) => {
                    // A bent value may differ in several members below the field.
                    prop_assert!(changed.iter().all(|at| at.starts_with(field)), "{}: {:?}", case.label, changed);
                    if case.class.breaks_schema() && !field.contains(['.', '[']) {
                        breaks_alone(&schema, kind, field, &bad)?;
                    }
                }
                None => match case.label.as_str() {
                    "extra_garbage" => prop_assert_eq!(&changed, &["__mcprobe_garbage__".to_owned()]),
                    "edge_all_optional" => prop_assert!(changed.len() > 1, "{changed:?}"),
                    "edge_empty" => prop_assert_eq!(&bad, &json!({})),
                    "arguments_array" => prop_assert!(bad.is_array()),
                    "arguments_string" => prop_assert_eq!(bad, json!(good.to_string())),
                    label => prop_assert!(false, "unknown kind {}", label),
                },
            }
        }
        let malformed = set.cases.iter().filter(|case| case.class == CaseClass::Malformed).count();
        let (bounds, edges): (Vec<_>, Vec<_>) = set
            .cases
            .iter()
            .filter(|case| case.class == CaseClass::Edge)
            .map(|case| case.label.split(':').next().unwrap_or_default())
            .partition(|kind| BOUNDS.contains(kind));
        prop_assert!(malformed <= 25 && edges.len() <= 14, "{malformed} malformed, {edges:?} at the edge");
        for kind in BOUNDS {
            let of_kind = bounds.iter().filter(|bound| **bound == kind).count();
            prop_assert!(of_kind <= 3, "{of_kind} of {kind}");
        }
    }

    #[test]
    fn a_number_of_cases_is_kept(schema in tool_schema(), most in 1_usize..30) {
        let request = CaseRequest { schema: Some(&schema), most: Some(most), ..CaseRequest::default() };
        let few = mcprobe::fuzz::cases::cases(&request);
        let all = cases(Some(&schema), None, 0);
        prop_assert!(few.cases.len() <= most);
        prop_assert_eq!(&few.cases[0].label, "valid");
        prop_assert!(few.cases.len() == most || few.cases.len() >= all.cases.len());
        prop_assert!(few.cases.len() < most || !few.notes.is_empty() || few.cases.len() >= all.cases.len());
    }

    #[test]
    fn the_same_schema_and_seed_give_the_same_bytes(schema in tool_schema(), seed in any::<u64>()) {
        let text = |set: CaseSet| serde_json::to_string(&set.cases).expect("cases are JSON");
        prop_assert_eq!(text(cases(Some(&schema), None, seed)), text(cases(Some(&schema), None, seed)));
    }

    #[test]
    fn a_tool_with_a_typed_property_gets_three_breaking_cases(schema in tool_schema()) {
        // A property that may not stand alone cannot be bent alone.
        prop_assume!(schema.get("dependentRequired").is_none());
        let typed = schema["properties"].as_object().is_some_and(|all| {
            all.values().any(|property| matches!(property["type"].as_str(), Some("string" | "integer" | "boolean")))
        });
        let set = cases(Some(&schema), None, 0);
        let malformed = set.cases.iter().filter(|case| case.class == CaseClass::Malformed).count();
        prop_assert!(!typed || malformed >= 3, "{} in {}", malformed, schema);
    }

    #[test]
    fn any_json_as_a_schema_is_survived(schema in any_json(), seed in any::<u64>(), example in prop::option::of(any_json())) {
        let set = cases(Some(&schema), example.as_ref(), seed);
        for case in &set.cases {
            let replaced = case.label.starts_with("arguments_");
            prop_assert!(replaced || case.arguments.get().starts_with('{'), "{}", case.label);
        }
        if let Some(value) = valid(&schema, seed) {
            prop_assert!(value.is_object());
        }
    }
}
