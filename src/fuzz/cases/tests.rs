use serde_json::Map;

use super::*;

fn lines(set: &CaseSet) -> String {
    let cases = set
        .cases
        .iter()
        .map(|case| format!("{} {:?} {}", case.label, case.class, case.arguments));
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
    "#);
}

#[test]
fn tools_with_little_to_break_get_more_ways() {
    let one = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    insta::assert_snapshot!(pictured(&one), @r#"
    valid Generated {}
    wrong_type:name Malformed {"name":{"__mcprobe_wrong_type__":true}}
    extra_garbage ExtraKey {"__mcprobe_garbage__":true}
    coerced:name Coercion {"name":5}
    null_for:name Malformed {"name":null}
    list_for:name Malformed {"name":[{}]}
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
        assert_eq!(cases(Some(&schema), None, 0).cases.len(), 2, "{schema}");
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
