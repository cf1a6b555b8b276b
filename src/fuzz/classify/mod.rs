//! How a call was taken: the reply, the case and the declared output together.
//!
//! A refusal is a refusal in either shape, a JSON-RPC error or a result with
//! `isError`. Only a success on arguments that break the declared schema counts
//! as silently accepted.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod output;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use self::output::OutputCheck;
use crate::model::fuzz::{Case, CaseClass, Outcome};
use crate::protocol::json;

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
    /// Success on arguments that fit whose structured content misses `outputSchema`.
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
    if says_error(&result) {
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
        _ if is_unread => {}
        CaseClass::Generated | CaseClass::Example => {
            classified.empty_success = is_empty(&result);
            classified.output_schema_violation =
                output.and_then(|output| output.violation(&result));
        }
        // Whatever the schema lets in has to come out as declared.
        CaseClass::ExtraKey | CaseClass::Edge => {
            classified.output_schema_violation =
                output.and_then(|output| output.violation(&result));
        }
    }
    classified
}

/// Whether the flag of a failure is set. It has to be a boolean; one of another type
/// is told by its meaning here and is a fault of the result all the same.
fn says_error(result: &Value) -> bool {
    match result.get("isError") {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
        Some(Value::Number(number)) => number.as_i64() == Some(1),
        None | Some(Value::Null | Value::Array(_) | Value::Object(_)) => false,
    }
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
