//! How replies are taken.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn case(class: CaseClass) -> Case {
    Case {
        label: "any".to_owned(),
        class,
        arguments: serde_json::value::to_raw_value(&json!({})).expect("an object"),
    }
}

fn result(value: &Value, class: CaseClass, output: Option<&OutputCheck>) -> Classified {
    classify(&Reply::Result(&value.to_string()), &case(class), output)
}

#[test]
fn both_shapes_of_refusal_are_clean_and_keep_their_words() {
    let data = r#"{"field":"x"}"#;
    let reply = Reply::Error {
        code: -32602,
        message: "bad x",
        data: Some(data),
    };
    let rpc = classify(&reply, &case(CaseClass::Malformed), None);
    assert_eq!(rpc.outcome, Outcome::RpcError);
    assert_eq!(rpc.error_code, Some(-32602));
    assert_eq!(rpc.error_text.as_deref(), Some("bad x\n{\"field\":\"x\"}"));

    let content =
        json!({"isError": true, "content": [{"type": "image"}, {"type": "text", "text": "no"}]});
    let tool = result(&content, CaseClass::Malformed, None);
    assert_eq!(tool.outcome, Outcome::ToolError);
    assert_eq!(tool.error_text.as_deref(), Some("no"));
    assert!(!tool.silently_accepted);
}

#[test]
fn a_flag_of_another_type_is_told_by_its_meaning() {
    for (flag, outcome) in [
        (json!("true"), Outcome::ToolError),
        (json!("True"), Outcome::ToolError),
        (json!(1), Outcome::ToolError),
        (json!("false"), Outcome::Ok),
        (json!(0), Outcome::Ok),
        (json!(null), Outcome::Ok),
    ] {
        let value = json!({"isError": flag, "content": [{"type": "text", "text": "no"}]});
        assert_eq!(
            result(&value, CaseClass::Generated, None).outcome,
            outcome,
            "{value}"
        );
    }
}

#[test]
fn a_success_is_judged_by_what_was_asked() {
    let fine = json!({"content": [{"type": "text", "text": "ok"}]});
    let flags = |class| {
        let got = result(&fine, class, None);
        (
            got.outcome,
            got.silently_accepted,
            got.coerced,
            got.empty_success,
        )
    };
    assert_eq!(
        flags(CaseClass::Malformed),
        (Outcome::Ok, true, false, false)
    );
    assert_eq!(
        flags(CaseClass::Coercion),
        (Outcome::Ok, false, true, false)
    );
    for class in [
        CaseClass::Generated,
        CaseClass::Example,
        CaseClass::ExtraKey,
        CaseClass::Edge,
    ] {
        assert_eq!(
            flags(class),
            (Outcome::Ok, false, false, false),
            "{class:?}"
        );
    }
}

#[test]
fn empty_successes_are_told_from_full_ones() {
    for (value, empty) in [
        (json!({}), true),
        (json!({"content": null}), true),
        (
            json!({"content": [{"type": "text", "text": " \n"}, 5]}),
            true,
        ),
        (json!({"content": [], "structuredContent": {}}), true),
        (json!({"content": [], "structuredContent": {"a": 1}}), false),
        (json!({"content": [{"type": "image", "data": ""}]}), false),
        (json!({"content": [{"type": "text", "text": "x"}]}), false),
    ] {
        let got = result(&value, CaseClass::Generated, None);
        assert_eq!(got.empty_success, empty, "{value}");
        assert!(!result(&value, CaseClass::Malformed, None).empty_success);
    }
}

#[test]
fn the_declared_output_is_held_against_calls_that_fit() {
    let schema =
        json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let output = OutputCheck::new(&schema).expect("a schema");
    let violation = |structured: Value, class| {
        let value = json!({"content": [], "structuredContent": structured});
        result(&value, class, Some(&output)).output_schema_violation
    };
    assert_eq!(violation(json!({"sum": 3}), CaseClass::Generated), None);
    assert!(
        violation(json!({"sum": "3"}), CaseClass::Generated)
            .is_some_and(|text| text.starts_with("/sum: "))
    );
    assert!(
        violation(json!({}), CaseClass::Example).is_some_and(|text| text.starts_with("(root): "))
    );
    assert!(
        violation(Value::Null, CaseClass::Generated).is_some_and(|text| text.contains("missing"))
    );
    assert!(violation(json!({"sum": "3"}), CaseClass::Edge).is_some());
    assert!(violation(json!({"sum": "3"}), CaseClass::ExtraKey).is_some());
    assert_eq!(violation(json!({"sum": "3"}), CaseClass::Malformed), None);
    assert!(OutputCheck::new(&json!({"$ref": "#/nowhere"})).is_none());
    assert!(OutputCheck::new(&Value::Null).is_none());
}

#[test]
fn unfinished_answers_are_inconclusive_and_no_answers_are_crashes() {
    for value in [
        json!({"resultType": "input_required", "inputRequests": {}}),
        json!({"task": {"taskId": "7", "status": "working"}}),
        json!({"resultType": "task", "task": {}}),
    ] {
        assert_eq!(
            result(&value, CaseClass::Malformed, None),
            bare(Outcome::InputRequired),
            "{value}"
        );
    }
    for value in [json!(null), json!([]), json!("done"), json!(5)] {
        assert_eq!(
            result(&value, CaseClass::Generated, None),
            bare(Outcome::ProtocolCrash),
            "{value}"
        );
    }
    let case = case(CaseClass::Generated);
    assert_eq!(
        classify(&Reply::Timeout, &case, None).outcome,
        Outcome::Timeout
    );
    assert_eq!(
        classify(&Reply::Broken, &case, None).outcome,
        Outcome::ProtocolCrash
    );
    assert_eq!(
        classify(&Reply::Result("{\"a\": NaN}"), &case, None).outcome,
        Outcome::ProtocolCrash
    );
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(
        classify(&Reply::Result(&deep), &case, None),
        bare(Outcome::Ok)
    );
    let huge = classify(
        &Reply::Result(r#"{"content":[],"structuredContent":{"half":1e999}}"#),
        &case,
        None,
    );
    assert_eq!(huge.outcome, Outcome::Ok);
}

proptest! {
    #[test]
    fn any_text_is_classified(raw in ".{0,60}", message in ".{0,20}", data in proptest::option::of(".{0,20}")) {
        let case = case(CaseClass::Malformed);
        let _ = classify(&Reply::Result(&raw), &case, None);
        let reply = Reply::Error { code: 1, message: &message, data: data.as_deref() };
        let error = classify(&reply, &case, None);
        prop_assert_eq!(error.outcome, Outcome::RpcError);
    }
}

#[test]
fn what_http_turns_away_is_inconclusive() {
    for (status, text) in [
        (429, "HTTP 429 Too Many Requests"),
        (303, "HTTP 303 (a redirect that is not followed)"),
        (451, "HTTP 451 (the call was turned away)"),
    ] {
        let classified = classify(
            &Reply::HttpRefused(status),
            &case(CaseClass::Malformed),
            None,
        );
        let expected = Classified {
            error_text: Some(text.to_owned()),
            ..bare(Outcome::InputRequired)
        };
        assert_eq!(classified, expected);
    }
}
