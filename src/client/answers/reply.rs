//! The words of an answer: what the user wants, to what was asked.

use serde_json::{Map, Value, json};

use crate::model::contact::Answer;
use crate::protocol::json as lenient;
use crate::protocol::jsonrpc::METHOD_NOT_FOUND;

/// The code by which a user's refusal is told (MCP "Sampling: Error handling").
const USER_REFUSED: i64 = -1;

/// How many fields of a form are filled in.
const MAX_FIELDS: usize = 100;

/// What is said to a request of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// A result, as JSON.
    Result(String),
    /// An error.
    Error { code: i64, message: &'static str },
    /// Nothing at all.
    Nothing,
}

/// The answer to a request, and what kind it is.
pub(super) fn of(wanted: Option<Answer>, method: &str, params: &str) -> (Answer, Said) {
    let is_declared = matches!(
        method,
        "elicitation/create" | "sampling/createMessage" | "roots/list"
    );
    let wanted = wanted.filter(|_| is_declared).unwrap_or(Answer::Refused);
    let said = match wanted {
        Answer::Refused => Said::Error {
            code: METHOD_NOT_FOUND,
            message: "the client has no such method",
        },
        Answer::Silence => Said::Nothing,
        Answer::Accept => Said::Result(accepted(method, params).to_string()),
        Answer::Decline => refused(method, "decline"),
        Answer::Cancel => refused(method, "cancel"),
    };
    (wanted, said)
}

fn refused(method: &str, action: &str) -> Said {
    if method == "elicitation/create" {
        return Said::Result(json!({"action": action}).to_string());
    }
    Said::Error {
        code: USER_REFUSED,
        message: "the user rejected the request",
    }
}

fn accepted(method: &str, params: &str) -> Value {
    match method {
        "roots/list" => json!({"roots": []}),
        "sampling/createMessage" => json!({
            "role": "assistant",
            "content": {"type": "text", "text": "A fixed answer of mcprobe."},
            "model": "mcprobe",
            "stopReason": "endTurn",
        }),
        _ => {
            let params = lenient::read(params).value;
            // An address is only to be opened: there is no form.
            if params["mode"] == "url" {
                return json!({"action": "accept"});
            }
            json!({"action": "accept", "content": form(&params["requestedSchema"])})
        }
    }
}

/// The defaults of a form, and the simplest value for what is required and has none.
fn form(schema: &Value) -> Value {
    let Value::Object(properties) = &schema["properties"] else {
        return json!({});
    };
    let required = schema["required"].as_array();
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let filled = properties
        .iter()
        .take(MAX_FIELDS)
        .filter_map(|(name, field)| {
            let value = match field.get("default") {
                Some(default) => default.clone(),
                None if is_required(name) => simplest(field),
                None => return None,
            };
            Some((name.clone(), value))
        });
    Value::Object(filled.collect::<Map<_, _>>())
}

fn simplest(field: &Value) -> Value {
    let first = |key: &str| field[key].as_array().and_then(|values| values.first());
    if let Some(value) = first("enum") {
        return value.clone();
    }
    if let Some(choice) = first("oneOf") {
        return choice["const"].clone();
    }
    match field["type"].as_str() {
        Some("boolean") => json!(false),
        Some("integer" | "number") => field.get("minimum").cloned().unwrap_or(json!(0)),
        Some("array") => {
            let one = simplest(&field["items"]);
            let least = field["minItems"].as_u64().unwrap_or(0).min(1);
            Value::Array((0..least).map(|_| one.clone()).collect())
        }
        _ => json!(match field["format"].as_str() {
            Some("email") => "mcprobe@example.com",
            Some("uri") => "https://example.com/",
            Some("date") => "2026-01-01",
            Some("date-time") => "2026-01-01T00:00:00Z",
            _ => "mcprobe",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_its_words() {
        let form = r#"{"message":"?","requestedSchema":{"type":"object","properties":{
            "a":{"type":"string","default":"x"},"b":{"type":"integer","minimum":3},
            "c":{"type":"string","enum":["u","v"]},"d":{"type":"boolean"},"e":{"type":"array","items":{"type":"string"}}},
            "required":["b","c","d","e"]}}"#;
        let result = |text: &str| Said::Result(text.to_owned());
        let rejected = Said::Error {
            code: -1,
            message: "the user rejected the request",
        };
        for (wanted, method, params, expected) in [
            (
                Some(Answer::Accept),
                "elicitation/create",
                form,
                result(r#"{"action":"accept","content":{"a":"x","b":3,"c":"u","d":false,"e":[]}}"#),
            ),
            (
                Some(Answer::Accept),
                "elicitation/create",
                r#"{"mode":"url","url":"https://example.com"}"#,
                result(r#"{"action":"accept"}"#),
            ),
            (
                Some(Answer::Accept),
                "roots/list",
                "{}",
                result(r#"{"roots":[]}"#),
            ),
            (
                Some(Answer::Decline),
                "elicitation/create",
                form,
                result(r#"{"action":"decline"}"#),
            ),
            (
                Some(Answer::Cancel),
                "elicitation/create",
                "[",
                result(r#"{"action":"cancel"}"#),
            ),
            (
                Some(Answer::Decline),
                "sampling/createMessage",
                "{}",
                rejected.clone(),
            ),
            (Some(Answer::Cancel), "roots/list", "{}", rejected),
            (
                Some(Answer::Silence),
                "sampling/createMessage",
                "{}",
                Said::Nothing,
            ),
        ] {
            let (kind, said) = of(wanted, method, params);
            assert_eq!(said, expected, "{wanted:?} {method}");
            assert_eq!(Some(kind), wanted);
        }
        for (wanted, method) in [
            (None, "roots/list"),
            (Some(Answer::Accept), "something/else"),
            (Some(Answer::Silence), "something/else"),
        ] {
            let (kind, said) = of(wanted, method, "{}");
            assert_eq!(kind, Answer::Refused);
            assert!(matches!(said, Said::Error { code: -32601, .. }));
        }
        let (_, said) = of(Some(Answer::Accept), "sampling/createMessage", "{}");
        assert!(matches!(said, Said::Result(text) if text.contains("\"role\":\"assistant\"")));
    }
}
