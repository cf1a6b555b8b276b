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
                "x-mcp-header",
                "icons",
                "src",
                "title",
                "execution",
                "taskSupport",
                "readOnlyHint",
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
            "outputSchema": {"type": "object", "properties": {"a": schema.clone()}},
            "annotations": schema.clone(),
            "execution": schema.clone(),
            "icons": [schema],
        })),
    ]
}

proptest! {
    #[test]
    fn any_list_is_judged_and_always_the_same(
        tools in prop::collection::vec(any_tool(), 0..5),
        modern in any::<bool>(),
    ) {
        let entries: Vec<Box<RawValue>> = tools
            .iter()
            .map(|tool| to_raw_value(tool).expect("a value is JSON"))
            .collect();
        let mut evidence = fixture::listing(entries);
        if modern {
            evidence.inventory.protocol_version = Some("2026-07-28".to_owned());
        }
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

/// Texts that a server sends, in place of those of the fixtures.
const HOSTILE: [&str; 8] = [
    "",
    "{",
    "null",
    "[[[[",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":5}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":[],\"method\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\\u0000\\ud800\",\"data\":\"ü=\\\\\\\"\"}}",
    "\u{1b}[31m\u{202e}=ü\"\\",
];

#[test]
fn whatever_stands_in_replies_is_survived() {
    for rule in rules::RULES {
        let evidence = fixture::read(rule.code, "bad.json");
        for text in HOSTILE {
            // Entries that fit no tree have tests of their own.
            let Ok(mut value) = serde_json::to_value(&evidence) else {
                continue;
            };
            put(&mut value, text);
            let bent = serde_json::from_str(&value.to_string()).expect("evidence");
            for finding in rules::lint(&bent) {
                let hidden = finding.message.chars().find(|char| char.is_control());
                assert_eq!(hidden, None, "{}: {}", rule.code, finding.message);
            }
        }
    }
}

/// Puts the text in place of everything that came from the server as text.
fn put(value: &mut Value, text: &str) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let is_theirs = matches!(
                    key.as_str(),
                    "reply" | "head" | "text" | "given" | "first" | "errorText" | "reason"
                );
                if is_theirs && member.is_string() {
                    *member = text.into();
                } else if matches!(key.as_str(), "between" | "challenges" | "noiseFirst") {
                    *member = serde_json::json!([text, text]);
                } else {
                    put(member, text);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| put(item, text)),
        _ => {}
    }
}
