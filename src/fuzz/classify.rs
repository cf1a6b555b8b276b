//! How a call was taken: the reply, the case and the declared output together.
//!
//! A refusal is a refusal in either shape, a JSON-RPC error or a result with
//! `isError`. Only a success on arguments that break the declared schema counts
//! as silently accepted.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::Value;

use super::tidy;
use crate::model::fuzz::{Case, CaseClass, Outcome};
use crate::protocol::json;
use crate::schema::compile::{self, Validator};

/// What came back for one call.
#[derive(Debug, Clone, Copy)]
pub enum Reply<'a> {
    /// The `result` of the reply, raw.
    Result(&'a str),
    /// A JSON-RPC error.
    Error {
        /// `error.code`.
        code: i64,
        /// `error.message`.
        message: &'a str,
        /// `error.data`, raw.
        data: Option<&'a str>,
    },
    /// HTTP turned the call away with this status; the tool was not asked.
    HttpRefused(u16),
    /// Nothing within the call's limit.
    Timeout,
    /// The process ended, the transport closed, or what came is no JSON-RPC.
    Broken,
}

/// A compiled `outputSchema`, made once for a tool.
pub struct OutputCheck {
    validator: Validator,
}

impl OutputCheck {
    /// `None` when there is nothing to judge by: no object, or a schema that
    /// cannot be compiled. That is a finding of its own and no call's fault.
    pub fn new(schema: &Value) -> Option<Self> {
        if !schema.is_object() || !tidy::is_shallow(schema) {
            return None;
        }
        let validator = compile::compile(schema).ok()?;
        Some(Self { validator })
    }

    /// Where and how a result misses the declared output.
    fn violation(&self, result: &Value) -> Option<String> {
        let structured = match result.get("structuredContent") {
            None | Some(Value::Null) => {
                return Some(
                    "structuredContent is missing though outputSchema is declared".to_owned(),
                );
            }
            Some(structured) => structured,
        };
        if self.validator.accepts(structured) != Some(false) {
            return None;
        }
        let Some(mismatch) = self.validator.mismatch(structured) else {
            return Some("(root): does not fit outputSchema".to_owned());
        };
        let place = if mismatch.pointer.is_empty() {
            "(root)"
        } else {
            &mismatch.pointer
        };
        Some(format!("{place}: {}", mismatch.message))
    }
}

impl std::fmt::Debug for OutputCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OutputCheck")
    }
}

/// What a reply says about the server, in the terms of a `FuzzRow`. Its texts are
/// whole: they are cut only after credentials were removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified {
    /// How the call was taken.
    pub outcome: Outcome,
    /// Success on arguments that break the declared schema.
    pub silently_accepted: bool,
    /// Success on a value that converts harmlessly.
    pub coerced: bool,
    /// Success on valid arguments with nothing in it.
    pub empty_success: bool,
    /// Success on valid arguments whose structured content misses `outputSchema`.
    pub output_schema_violation: Option<String>,
    /// The text of a refusal.
    pub error_text: Option<String>,
    /// The JSON-RPC code of a refusal.
    pub error_code: Option<i64>,
}

/// Reads one reply. Total: any text gives an answer.
pub fn classify(reply: &Reply<'_>, case: &Case, output: Option<&OutputCheck>) -> Classified {
    match reply {
        Reply::Timeout => bare(Outcome::Timeout),
        Reply::Broken => bare(Outcome::ProtocolCrash),
        Reply::HttpRefused(status) => Classified {
            error_text: Some(http_refusal(*status)),
            ..bare(Outcome::InputRequired)
        },
        Reply::Error {
            code,
            message,
            data,
        } => Classified {
            error_text: Some(error_text(message, *data)),
            error_code: Some(*code),
            ..bare(Outcome::RpcError)
        },
        Reply::Result(raw) => of_result(raw, case, output),
    }
}

const fn bare(outcome: Outcome) -> Classified {
    Classified {
        outcome,
        silently_accepted: false,
        coerced: false,
        empty_success: false,
        output_schema_violation: None,
        error_text: None,
        error_code: None,
    }
}

/// A status in words.
fn http_refusal(status: u16) -> String {
    let reason = match status {
        401 => "Unauthorized",
        403 => "Forbidden",
        407 => "Proxy Authentication Required",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        300..=399 => "(a redirect that is not followed)",
        _ => "(the call was turned away)",
    };
    format!("HTTP {status} {reason}")
}

/// The message, and the data where it says more.
fn error_text(message: &str, data: Option<&str>) -> String {
    match data.map(json::read) {
        Some(reading) => match reading.value {
            Value::Null => message.to_owned(),
            Value::String(more) if message.contains(&more) => message.to_owned(),
            Value::String(more) => format!("{message}\n{more}"),
            more => format!("{message}\n{more}"),
        },
        None => message.to_owned(),
    }
}

fn of_result(raw: &str, case: &Case, output: Option<&OutputCheck>) -> Classified {
    let reading = json::read(raw);
    let is_unread = [json::Flaw::TooDeep, json::Flaw::TooLarge]
        .iter()
        .any(|flaw| reading.flaws.contains(flaw))
        && raw.trim_start().starts_with('{');
    if !reading.value.is_object() && !is_unread {
        return bare(Outcome::ProtocolCrash);
    }
    let result = reading.value;
    if asks_for_more(&result) {
        return bare(Outcome::InputRequired);
    }
    if result.get("isError") == Some(&Value::Bool(true)) {
        return Classified {
            error_text: first_text(&result).map(str::to_owned),
            ..bare(Outcome::ToolError)
        };
    }
    let mut classified = bare(Outcome::Ok);
    match case.class {
        CaseClass::Malformed => classified.silently_accepted = true,
        CaseClass::Coercion => classified.coerced = true,
        // What is too deep or too large to be read is neither empty nor judged.
        CaseClass::Generated | CaseClass::Example if !is_unread => {
            classified.empty_success = is_empty(&result);
            classified.output_schema_violation =
                output.and_then(|output| output.violation(&result));
        }
        CaseClass::Generated | CaseClass::Example | CaseClass::ExtraKey | CaseClass::Edge => {}
    }
    classified
}

/// Whether the result is no answer yet: it asks for input, or hands out a task.
fn asks_for_more(result: &Value) -> bool {
    match result.get("resultType").and_then(Value::as_str) {
        Some("input_required" | "task") => true,
        Some("complete") => false,
        _ => {
            let task = result.get("task");
            task.is_some_and(|task| task.get("taskId").is_some_and(Value::is_string))
                && result.get("content").is_none()
        }
    }
}

fn first_text(result: &Value) -> Option<&str> {
    let parts = result.get("content")?.as_array()?;
    parts
        .iter()
        .find(|part| {
            part.get("type").is_none_or(|kind| kind == "text") && part.get("text").is_some()
        })
        .and_then(|part| part.get("text")?.as_str())
}

/// Whether a success says nothing: no structured content with anything in it,
/// and no content but blank texts. Any part that is no text is content.
fn is_empty(result: &Value) -> bool {
    let structured = match result.get("structuredContent") {
        None | Some(Value::Null) => false,
        Some(Value::Object(members)) => !members.is_empty(),
        // Not an object, yet something came; whether it may is judged elsewhere.
        Some(_) => true,
    };
    let content = result.get("content").and_then(Value::as_array);
    let says_something = content.into_iter().flatten().any(|part| {
        if !part.is_object() {
            return false;
        }
        let is_text = part.get("type").is_some_and(|kind| kind == "text");
        let blank = part
            .get("text")
            .and_then(Value::as_str)
            .is_none_or(|text| text.trim().is_empty());
        !(is_text && blank)
    });
    !structured && !says_something
}

#[cfg(test)]
mod tests {
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

        let content = json!({"isError": true, "content": [{"type": "image"}, {"type": "text", "text": "no"}]});
        let tool = result(&content, CaseClass::Malformed, None);
        assert_eq!(tool.outcome, Outcome::ToolError);
        assert_eq!(tool.error_text.as_deref(), Some("no"));
        assert!(!tool.silently_accepted);
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
    fn the_declared_output_is_held_against_valid_calls_only() {
        let schema = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
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
            violation(json!({}), CaseClass::Example)
                .is_some_and(|text| text.starts_with("(root): "))
        );
        assert!(
            violation(Value::Null, CaseClass::Generated)
                .is_some_and(|text| text.contains("missing"))
        );
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
}
