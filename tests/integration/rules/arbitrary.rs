//! No list of tools makes the rules panic, and the same list gives the same
//! findings.

use mcprobe::rules;
use proptest::prelude::*;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::fixture;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "object",
            "string",
            "#",
            "#/properties/a",
            "#/$defs/a",
            "(",
            "a b"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let key = prop_oneof![
            any::<String>(),
            prop::sample::select(vec![
                "name",
                "description",
                "inputSchema",
                "outputSchema",
                "annotations",
                "type",
                "properties",
                "items",
                "required",
                "$ref",
                "$defs",
                "anyOf",
                "allOf",
                "pattern",
                "patternProperties",
                "$schema",
                "$id",
                "$anchor",
                "$dynamicRef",
                "enum",
                "a",
                "additionalProperties",
                "not",
                "if",
                "prefixItems",
                "unevaluatedProperties",
            ])
            .prop_map(str::to_owned),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8)
                .prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

fn any_tool() -> impl Strategy<Value = Value> {
    prop_oneof![
        any_json(),
        any_json().prop_map(|schema| serde_json::json!({
            "name": "t",
            "inputSchema": schema.clone(),
            "outputSchema": {"type": "object", "properties": {"a": schema}},
        })),
    ]
}

proptest! {
    #[test]
    fn any_list_is_judged_and_always_the_same(tools in prop::collection::vec(any_tool(), 0..5)) {
        let entries: Vec<Box<RawValue>> = tools
            .iter()
            .map(|tool| to_raw_value(tool).expect("a value is JSON"))
            .collect();
        let evidence = fixture::listing(entries);
        let findings = rules::lint(&evidence);
        prop_assert_eq!(&findings, &rules::lint(&evidence));
        for finding in rules::shown(findings.clone()) {
            prop_assert!(rules::rule(&finding.code).is_some());
            prop_assert!(finding.message.chars().all(|char| !char.is_control()));
        }
    }
}

#[test]
fn very_deep_and_very_wide_entries_are_survived() {
    let raw = |text: String| RawValue::from_string(text).expect("JSON");
    let schema = |inner: String| raw(format!("{{\"name\":\"t\",\"inputSchema\":{inner}}}"));
    let nest = |open: &str, close: &str, levels: usize| {
        format!("{}{{}}{}", open.repeat(levels), close.repeat(levels))
    };
    let evidence = fixture::listing(vec![
        raw("[".repeat(50_000) + &"]".repeat(50_000)),
        schema(nest("{\"not\":", "}", 98)),
        schema(nest("{\"properties\":{\"a\":", "}}", 49)),
        schema(nest("{\"anyOf\":[", "]}", 49)),
        schema(nest("{\"items\":", "}", 98)),
        schema(format!(
            "{{\"required\":[{}\"x\"]}}",
            "\"x\",".repeat(50_000)
        )),
        schema(format!("{{\"anyOf\":[{}{{}}]}}", "{},".repeat(50_000))),
        schema(format!("{{\"pattern\":\"{}\"}}", "(a*)*".repeat(20_000))),
    ]);
    let findings = rules::lint(&evidence);
    let invalid = findings
        .iter()
        .filter(|finding| finding.code == "schema.invalid");
    let indices: Vec<_> = invalid.map(|finding| finding.location.tool_index).collect();
    assert_eq!(indices, [Some(5)]);
}
