//! A success that tells of a failure. Careful rather than complete: the text
//! must begin with it, or be nothing but it.

use serde_json::Value;

use crate::protocol::json;

/// Characters of the text that are kept.
const KEPT: usize = 300;

/// Characters of the longest refusal.
const LONGEST_REFUSAL: usize = 1_200;

/// Words that refuse arguments.
const REFUSING: [&str; 40] = [
    "are required",
    "bad argument",
    "bad request",
    "can't be",
    "cannot be",
    "could not be parsed",
    "do not fit",
    "do not match",
    "does not fit",
    "does not match",
    "expected",
    "expects",
    "failed validation",
    "illegal",
    "invalid",
    "is missing",
    "is required",
    "malformed",
    "missing argument",
    "missing parameter",
    "missing required",
    "must be",
    "must contain",
    "must have",
    "must match",
    "must not",
    "not a valid",
    "not allowed",
    "not one of",
    "not permitted",
    "not supported",
    "not valid",
    "out of range",
    "should be",
    "unexpected",
    "unknown argument",
    "unsupported",
    "validation error",
    "was not run",
    "wrong type",
];

/// Members that stand beside an `error` where the whole object is one.
const BESIDE: [&str; 17] = [
    "code",
    "detail",
    "details",
    "error",
    "errorCode",
    "errorMessage",
    "error_code",
    "error_message",
    "errors",
    "hint",
    "message",
    "ok",
    "stack",
    "status",
    "statusCode",
    "success",
    "type",
];

/// The beginning of the text that tells of a failure.
pub(super) fn told(result: &Value, texts: &[&str]) -> Option<String> {
    let [text] = texts else {
        // Several texts are a document, none is the structure alone.
        if !texts.is_empty() {
            return None;
        }
        let structured = result.get("structuredContent")?;
        return is_error_object(structured).then(|| kept(&structured.to_string()));
    };
    // Some put a sign or a mark of emphasis before it.
    let said = text.trim_start_matches(|char: char| !char.is_alphanumeric() && char != '{');
    let failed = begins_as_failure(said)
        || said.starts_with('{') && is_error_object(&json::read(said.trim_end()).value);
    failed.then(|| kept(text.trim()))
}

/// The beginning of a text that refuses a call with bad arguments in words. A refusal
/// is what should come there, so plain words are enough; a long text, or structured
/// data beside it, is an answer.
pub(super) fn refused(result: &Value, texts: &[&str]) -> Option<String> {
    let has_data = result
        .get("structuredContent")
        .is_some_and(|data| !data.is_null() && !is_error_object(data));
    let said = texts.join("\n");
    let said = said.trim();
    if has_data || said.is_empty() || said.chars().count() > LONGEST_REFUSAL {
        return None;
    }
    let lower = said.to_lowercase();
    REFUSING
        .iter()
        .any(|words| speaks(&lower, words))
        .then(|| kept(said))
}

/// Whether the words stand in the text, not inside of others.
fn speaks(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(char::is_alphanumeric)
    })
}

fn begins_as_failure(text: &str) -> bool {
    let begins = |start: &str| {
        text.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let starts = [
        "error:",
        "exception:",
        "fatal error:",
        "fatal:",
        "internal error:",
        "unhandled exception",
        "unexpected error:",
        "an error occurred",
        "traceback (most recent call last)",
    ];
    if starts.into_iter().any(begins) {
        return true;
    }
    if begins("failed to ") && !text.contains('\n') {
        return text.chars().count() <= KEPT && text.split_whitespace().count() >= 3;
    }
    // `TypeError: …`, `java.io.IOException: …`
    let name = text.split([':', ' ', '\n']).next().unwrap_or_default();
    let is_name = name
        .chars()
        .all(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_'));
    is_name
        && (name.ends_with("Error") || name.ends_with("Exception"))
        && name.starts_with(|char: char| char.is_ascii_alphabetic())
        && text[name.len()..].starts_with(':')
}

/// Whether an object is an error and nothing else.
fn is_error_object(value: &Value) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    let tells = members.get("error").is_some_and(|error| match error {
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(inner) => !inner.is_empty(),
        Value::Bool(failed) => *failed,
        Value::Null | Value::Number(_) | Value::Array(_) => false,
    });
    let denies = ["success", "ok"]
        .into_iter()
        .any(|key| members.get(key) == Some(&Value::Bool(false)));
    (tells || denies)
        && members
            .keys()
            .all(|key| BESIDE.binary_search(&key.as_str()).is_ok())
}

fn kept(text: &str) -> String {
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(text: &str) -> bool {
        told(&json!({}), &[text]).is_some()
    }

    #[test]
    fn clear_forms_of_failure_are_told() {
        assert!(BESIDE.is_sorted());
        for text in [
            "Error: no such note",
            "  ERROR: upstream is down",
            "❌ Error: no such note",
            "**Error:** no such note",
            "TypeError: x is undefined",
            "java.io.IOException: closed",
            "Traceback (most recent call last):\n  File \"a.py\", line 1",
            "Failed to fetch the page: 503",
            "An error occurred while reading",
            r#"{"error": "no such note"}"#,
            r#"{"error": {"code": 5, "message": "x"}, "status": 500}"#,
            r#"{"success": false, "message": "quota"}"#,
        ] {
            assert!(of(text), "{text}");
        }
        assert!(told(&json!({"structuredContent": {"error": "x"}}), &[]).is_some());
    }

    #[test]
    fn refusals_in_words_are_told_from_answers() {
        let none = json!({});
        for text in [
            "get_fee was not run, because its arguments do not fit:\n'days' must be of type integer.",
            "Invalid arguments",
            "Sorry, the field `days` is required.",
            "expected a number",
        ] {
            assert!(refused(&none, &[text]).is_some(), "{text}");
        }
        assert!(refused(&none, &["I cannot do that.", "'days' must be a number"]).is_some());
        for text in [
            "The fee is 3.50 euros.",
            "No book matches.",
            "",
            "invalidated 3 entries",
        ] {
            assert!(refused(&none, &[text]).is_none(), "{text}");
        }
        let long = "It must be said. ".repeat(100);
        assert!(refused(&none, &[&long]).is_none());
        let data = json!({"structuredContent": {"fee": 3}});
        assert!(refused(&data, &["must be paid"]).is_none());
    }

    #[test]
    fn answers_about_failures_are_answers() {
        for text in [
            "There were 3 errors: a, b, c",
            "Errors: 0",
            "Error handling is explained in chapter 3\nand more",
            "No error: all is well",
            "Failed to deliver\nmessage 1\nmessage 2",
            "ErrorBoundary is a component",
            "Error codes",
            "Error messages of the desk: E1 out of paper, E2 lid open",
            r#"{"error": null, "result": 5}"#,
            r#"{"error": "", "code": 0}"#,
            r#"{"errors": [], "success": true}"#,
            r#"{"error": "x", "rows": [1, 2]}"#,
            r#"{"ok": true}"#,
            "",
            "{",
        ] {
            assert!(!of(text), "{text}");
        }
        assert!(told(&json!({}), &["Error: x", "more"]).is_none());
        assert!(told(&json!({}), &[]).is_none());
    }
}
