use serde_json::Map;

use super::*;

fn cases(schema: Option<&Value>, example: Option<&Value>, seed: u64) -> CaseSet {
    super::cases(&CaseRequest {
        schema,
        example,
        seed,
        ..CaseRequest::default()
    })
}

/// On one line, not too long, in ASCII.
fn shown(arguments: &RawValue) -> String {
    cut(arguments.get())
        .chars()
        .map(|letter| match letter {
            letter if letter.is_ascii() => letter.to_string(),
            letter => letter.escape_unicode().to_string(),
        })
        .collect()
}

fn lines(set: &CaseSet) -> String {
    let cases = set
        .cases
        .iter()
        .map(|case| format!("{} {:?} {}", case.label, case.class, shown(&case.arguments)));
    let notes = set.notes.iter().map(|note| format!("note: {note}"));
    cases.chain(notes).collect::<Vec<_>>().join("\n")
}

fn pictured(schema: &Value) -> String {
    lines(&cases(Some(schema), None, 0))
}

#[test]
fn every_kind_of_case_in_its_order() {
    let schema = json!({
        "type": "object",
        "properties": {
            "mode": {"type": "string", "enum": ["fast", "slow"]},
            "count": {"type": "integer", "minimum": 3},
            "ratio": {"type": ["number", "string"]},
            "anything": {},
        },
        "required": ["mode", "count"],
        "additionalProperties": false,
    });
    insta::assert_snapshot!(pictured(&schema), @r#"
    valid Generated {"mode":"fast","count":5}
    missing_required:mode Malformed {"count":5}
    missing_required:count Malformed {"mode":"fast"}
    wrong_type:mode Malformed {"mode":{"__mcprobe_wrong_type__":true},"count":5}
    wrong_type:count Malformed {"mode":"fast","count":"not a number"}
    wrong_type:ratio Malformed {"mode":"fast","count":5,"ratio":{"__mcprobe_wrong_type__":true}}
    out_of_enum:mode Malformed {"mode":"__mcprobe_out_of_enum__","count":5}
    extra_garbage Malformed {"mode":"fast","count":5,"__mcprobe_garbage__":true}
    coerced:count Coercion {"mode":"fast","count":"5"}
    null_for:mode Malformed {"mode":null,"count":5}
    null_for:count Malformed {"mode":"fast","count":null}
    out_of_range:count Malformed {"mode":"fast","count":2}
    fraction_for:count Malformed {"mode":"fast","count":5.5}
    arguments_array Malformed ["fast",5]
    arguments_string Malformed "{\"mode\":\"fast\",\"count\":5}"
    edge_given:ratio Edge {"mode":"fast","count":5,"ratio":1}
    edge_given:anything Edge {"mode":"fast","count":5,"anything":"probe"}
    edge_all_optional Edge {"mode":"fast","count":5,"ratio":1,"anything":"probe"}
    edge_at_minimum:count Edge {"mode":"fast","count":3}
    edge_shortest:ratio Edge {"mode":"fast","count":5,"ratio":"s"}
    edge_unicode:ratio Edge {"mode":"fast","count":5,"ratio":"\u{17d}ofie \u{1f600} e\u{301} \u{202e}abc\u{202c} \u{1d518}"}
    edge_control:ratio Edge {"mode":"fast","count":5,"ratio":"a\u0000b\u0007\u001b[31mc\r\n\t"}
    edge_long:ratio Edge {"mode":"fast","count":5,"ratio":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u{2026}
    edge_integer_as_float:count Edge {"mode":"fast","count":5.0}
    edge_negative_zero:ratio Edge {"mode":"fast","count":5,"ratio":-0}
    edge_2_63:count Edge {"mode":"fast","count":9223372036854775808}
    edge_deep:anything Edge {"mode":"fast","count":5,"anything":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a"\u{2026}
    edge_huge_number:count Edge {"mode":"fast","count":1e400}
    "#);
}

#[test]
fn a_boolean_is_sent_for_a_number_that_may_be_what_it_converts_to() {
    let sent = |property: Value| -> Vec<String> {
        let schema = json!({"type": "object", "properties": {"n": property}, "required": ["n"]});
        let set = cases(Some(&schema), None, 0);
        let booleans = set.cases.iter();
        booleans
            .filter(|case| case.label == "boolean_for:n")
            .map(|case| format!("{:?} {}", case.class, case.arguments))
            .collect()
    };
    for one in [
        json!({"type": "integer", "minimum": 1, "maximum": 500}),
        json!({"type": ["number", "null"]}),
    ] {
        assert_eq!(sent(one), [r#"Coercion {"n":true}"#]);
    }
    let nought = json!({"type": "integer", "maximum": 0});
    assert_eq!(sent(nought), [r#"Coercion {"n":false}"#]);
    for none in [
        json!({"type": "integer", "minimum": 3}),
        json!({"type": ["integer", "boolean"]}),
        json!({"type": "string"}),
        json!({}),
    ] {
        assert_eq!(sent(none), [""; 0]);
    }
}

#[test]
fn tools_with_little_to_break_get_more_ways() {
    let one = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    insta::assert_snapshot!(pictured(&one), @r#"
    valid Generated {}
    wrong_type:name Malformed {"name":{"__mcprobe_wrong_type__":true}}
    extra_garbage ExtraKey {"__mcprobe_garbage__":true}
    coerced:name Coercion {"name":5}
    arguments_array Malformed []
    arguments_string Malformed "{}"
    null_for:name Malformed {"name":null}
    list_for:name Malformed {"name":[{}]}
    edge_given:name Edge {"name":"probe"}
    near_miss:title->name ExtraKey {"title":"probe"}
    edge_shortest:name Edge {"name":"s"}
    edge_unicode:name Edge {"name":"\u{17d}ofie \u{1f600} e\u{301} \u{202e}abc\u{202c} \u{1d518}"}
    edge_control:name Edge {"name":"a\u0000b\u0007\u001b[31mc\r\n\t"}
    edge_long:name Edge {"name":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u{2026}
    "#);
    let nested = json!({"type": "object", "properties": {
        "items": {"type": "array", "items": {
            "type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"],
        }},
    }, "required": ["items"]});
    insta::assert_snapshot!(pictured(&nested), @r#"
    valid Generated {"items":[{"id":1}]}
    missing_required:items Malformed {}
    wrong_type:items Malformed {"items":"not an array"}
    extra_garbage ExtraKey {"items":[{"id":1}],"__mcprobe_garbage__":true}
    missing_required:items[0].id Malformed {"items":[{}]}
    wrong_type:items[0].id Malformed {"items":[{"id":"not a number"}]}
    null_for:items Malformed {"items":null}
    null_for:items[0].id Malformed {"items":[{"id":null}]}
    fraction_for:items[0].id Malformed {"items":[{"id":1.5}]}
    wrong_item:items Malformed {"items":["not an object"]}
    arguments_array Malformed [[{"id":1}]]
    arguments_string Malformed "{\"items\":[{\"id\":1}]}"
    edge_integer_as_float:items[0].id Edge {"items":[{"id":1.0}]}
    edge_negative_zero:items[0].id Edge {"items":[{"id":-0}]}
    edge_2_63:items[0].id Edge {"items":[{"id":9223372036854775808}]}
    edge_huge_number:items[0].id Edge {"items":[{"id":1e400}]}
    "#);
}

#[test]
fn each_keyword_is_broken_by_itself() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "code": {"type": "string", "pattern": "^[A-Z]+$", "minLength": 2, "maxLength": 4},
            "day": {"type": "string", "format": "date"},
            "step": {"type": "integer", "minimum": 10, "maximum": 50, "multipleOf": 5},
            "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3, "uniqueItems": true},
            "place": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"], "additionalProperties": false},
        },
        "required": ["code", "day", "step", "share", "tags", "place"],
    });
    let request = CaseRequest {
        schema: Some(&schema),
        most: Some(200),
        ..CaseRequest::default()
    };
    let set = super::cases(&request);
    let of_other_kinds = [
        "missing_",
        "wrong_type",
        "null_for",
        "edge_",
        "arguments_",
        "near_",
    ];
    let broken = CaseSet {
        cases: set
            .cases
            .into_iter()
            .filter(|case| {
                !of_other_kinds
                    .iter()
                    .any(|kind| case.label.starts_with(kind))
            })
            .collect(),
        notes: set.notes,
    };
    insta::assert_snapshot!(lines(&broken), @r#"
    valid Generated {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    extra_garbage ExtraKey {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1},"__mcprobe_garbage__":true}
    coerced:step Coercion {"code":"LG","day":"2024-01-01","step":"10","share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    too_short:code Malformed {"code":"H","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    too_short:tags Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe"],"place":{"x":1}}
    out_of_range:step Malformed {"code":"LG","day":"2024-01-01","step":5,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    out_of_range:share Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0,"tags":["probe","probe2"],"place":{"x":1}}
    over_maximum:step Malformed {"code":"LG","day":"2024-01-01","step":55,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    over_maximum:share Malformed {"code":"LG","day":"2024-01-01","step":10,"share":1,"tags":["probe","probe2"],"place":{"x":1}}
    not_multiple:step Malformed {"code":"LG","day":"2024-01-01","step":11,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    too_long:code Malformed {"code":"LGALF","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    too_long:tags Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2","probe3","probe4"],"place":{"x":1}}
    bad_pattern:code Malformed {"code":"!!","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    bad_format:day Malformed {"code":"LG","day":"the day after tomorrow","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1}}
    wrong_item:tags Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":[{"__mcprobe_wrong_type__":true},"probe2"],"place":{"x":1}}
    duplicate_items:tags Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2","probe"],"place":{"x":1}}
    extra_garbage:place Malformed {"code":"LG","day":"2024-01-01","step":10,"share":0.5,"tags":["probe","probe2"],"place":{"x":1,"__mcprobe_garbage__":true}}
    "#);
}

#[test]
fn what_is_left_out_is_said() {
    let property = json!({"type": "integer", "minimum": 1, "maximum": 9});
    let properties: Map<String, Value> = (0..12)
        .map(|at| (format!("p{at}"), property.clone()))
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    let few = cases(Some(&schema), None, 0);
    let malformed = few
        .cases
        .iter()
        .filter(|case| case.class == CaseClass::Malformed);
    assert_eq!(malformed.count(), 25);
    insta::assert_snapshot!(few.notes.join("\n"), @r#"
    further breaking cases were left out: 8 of `out_of_range`, 8 of `over_maximum`, 9 of `fraction_for`; --cases with a number makes room
    "#);
    let request = CaseRequest {
        schema: Some(&schema),
        most: Some(100),
        ..CaseRequest::default()
    };
    let all = super::cases(&request);
    assert_eq!(all.notes, [""; 0]);
    assert!(all.cases.len() > few.cases.len());
}

#[test]
fn near_misses_are_sent_where_the_object_is_open() {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "filePath": {"type": "string"},
            "maxDepth": {"type": "integer", "default": 1},
            "depth": {"type": "integer"},
            "mode": {"enum": ["all", "new"], "default": "all"},
            "recursive": {"type": "boolean", "default": false},
        },
        "required": ["filePath"],
    });
    let near = |schema: &Value| {
        let set = cases(Some(schema), None, 0);
        let near = set
            .cases
            .iter()
            .filter(|case| case.label.starts_with("near_miss"));
        near.map(|case| format!("{} {}", case.label, case.arguments))
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(near(&schema), @r#"
    near_miss:max_depth->maxDepth {"filePath":"probe.txt","max_depth":2}
    near_miss:depths->depth {"filePath":"probe.txt","depths":1}
    near_miss:modes->mode {"filePath":"probe.txt","modes":"new"}
    near_miss:path->filePath {"filePath":"probe.txt","path":"probe2.txt"}
    "#);
    schema["additionalProperties"] = json!(false);
    assert_eq!(near(&schema), "");
}

#[test]
fn what_may_be_left_out_is_given_alone_and_together() {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "lang": {"enum": ["en", "de"], "default": "en"},
            "full": {"type": "boolean", "default": false},
            "where": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
        "required": ["id", "where"],
    });
    let given = |schema: &Value| {
        let set = cases(Some(schema), None, 0);
        let given = set.cases.iter().filter(|case| {
            let label = case.label.as_str();
            label == labels::ALL_OPTIONAL || label.starts_with(labels::GIVEN)
        });
        given
            .map(|case| format!("{} {}", case.label, case.arguments))
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(given(&schema), @r#"
    edge_given:lang {"id":1,"where":{},"lang":"de"}
    edge_given:full {"id":1,"where":{},"full":true}
    edge_all_optional {"id":1,"where":{"city":"London"},"lang":"de","full":true}
    "#);
    // What the schema does not allow together is not sent together.
    schema["not"] = json!({"required": ["lang", "full"]});
    insta::assert_snapshot!(given(&schema), @r#"
    edge_given:lang {"id":1,"where":{},"lang":"de"}
    edge_given:full {"id":1,"where":{},"full":true}
    edge_all_optional {"id":1,"where":{"city":"London"},"lang":"de"}
    "#);
}

#[test]
fn bounds_are_reached_and_not_passed() {
    let schema = json!({
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "timeout_ms": {"type": "integer", "minimum": 10, "maximum": 60_000},
            "big": {"type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64},
            "query": {"type": "string", "minLength": 2, "maxLength": 12},
            "code": {"type": "string", "pattern": "^[A-Z]+$", "minLength": 2},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "uniqueItems": true},
        },
        "required": ["query"],
    });
    let set = cases(Some(&schema), None, 0);
    let kinds = ["at_m", "shortest", "longest", "fewest", "most"];
    let limits: Vec<String> = set
        .cases
        .iter()
        .filter(|case| {
            let kind = case.label.strip_prefix("edge_").unwrap_or_default();
            kinds.iter().any(|wanted| kind.starts_with(wanted))
        })
        .map(|case| format!("{} {}", case.label, case.arguments))
        .collect();
    insta::assert_snapshot!(limits.join("\n"), @r#"
    edge_at_minimum:limit {"query":"test","limit":1}
    edge_at_minimum:timeout_ms {"query":"test","timeout_ms":10}
    edge_at_maximum:limit {"query":"test","limit":50}
    edge_shortest:query {"query":"se"}
    edge_longest:query {"query":"sea road sea"}
    edge_fewest:tags {"query":"test","tags":["probe"]}
    edge_most:tags {"query":"test","tags":["probe","probe2","probe3"]}
    "#);
}

#[test]
fn schemas_without_use_get_an_empty_object() {
    for schema in [
        None,
        Some(json!(null)),
        Some(json!([])),
        Some(json!({"type": "string"})),
    ] {
        let set = cases(schema.as_ref(), None, 0);
        assert_eq!(set.notes.len(), 1, "{schema:?}");
        let classes: Vec<_> = set
            .cases
            .iter()
            .map(|case| (case.label.as_str(), case.class, case.arguments.get()))
            .collect();
        assert_eq!(
            classes,
            [
                ("valid", CaseClass::Generated, "{}"),
                (
                    "extra_garbage",
                    CaseClass::ExtraKey,
                    r#"{"__mcprobe_garbage__":true}"#
                ),
            ]
        );
    }
    for schema in [
        json!({}),
        json!({"type": "object", "properties": null}),
        json!({"type": "object", "properties": []}),
    ] {
        let typed = schema.get("type").is_some();
        let number = if typed { 4 } else { 2 };
        assert_eq!(
            cases(Some(&schema), None, 0).cases.len(),
            number,
            "{schema}"
        );
    }
}

#[test]
fn a_schema_that_cannot_be_compiled_is_called_once() {
    let schema =
        json!({"type": "object", "properties": {"a": {"$ref": "#/nowhere"}, "b": {"type": 5}}});
    let set = cases(Some(&schema), None, 0);
    assert_eq!(set.cases.len(), 1);
    assert!(
        set.notes[0].contains("cannot be compiled"),
        "{:?}",
        set.notes
    );
}

#[test]
fn the_users_example_takes_the_place_of_the_generated_arguments() {
    let schema =
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    let fits = cases(Some(&schema), Some(&json!({"id": 42})), 0);
    assert_eq!(fits.cases[0].class, CaseClass::Example);
    assert_eq!(fits.cases[0].arguments.get(), r#"{"id":42}"#);
    let extra = fits
        .cases
        .iter()
        .find(|case| case.label == "extra_garbage")
        .expect("always there");
    assert!(extra.arguments.get().contains("42"));

    let misfit = cases(Some(&schema), Some(&json!({"id": "x"})), 0);
    assert_eq!(misfit.cases[0].arguments.get(), r#"{"id":"x"}"#);
    assert_eq!(misfit.notes.len(), 1);
    assert!(
        misfit
            .cases
            .iter()
            .any(|case| case.label == "missing_required:id")
    );
    assert_eq!(cases(Some(&schema), Some(&json!([])), 0).notes.len(), 1);
}

#[test]
fn wide_schemas_are_cut_and_say_so() {
    for (properties, notes) in [(25, 0), (200, 1), (1000, 2)] {
        let properties: Map<String, Value> = (0..properties)
            .map(|at| (format!("p{at}"), json!({"type": "string"})))
            .collect();
        let schema = json!({"type": "object", "properties": properties});
        let set = cases(Some(&schema), None, 0);
        assert!(set.cases.len() < 60);
        assert_eq!(set.notes.len(), notes, "{:?}", set.notes);
    }
}

#[test]
fn a_huge_schema_gets_an_empty_object_and_a_note() {
    let properties: Map<String, Value> = (0..20_000)
        .map(|at| (format!("property_{at}"), json!({ "type": "string" })))
        .collect();
    let names: Vec<&String> = properties.keys().collect();
    let schema = json!({ "type": "object", "required": names, "properties": properties });
    let set = cases(Some(&schema), None, 0);
    assert_eq!(set.cases[0].arguments.get(), "{}");
    assert!(set.notes[0].contains("256 KiB"), "{:?}", set.notes);
}
