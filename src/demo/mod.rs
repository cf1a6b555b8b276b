//! A small MCP server over stdio, for demonstrations and tests: plain, blocking,
//! and only as correct as the tools it is given.
//!
//! `mcprobe demo` starts it as a child with the flawed [`catalogue`].

pub mod catalogue;

use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::json;

/// One tool of a demonstration server.
#[derive(Debug, Clone)]
pub struct DemoTool {
    /// Its entry in `tools/list`, as sent.
    pub entry: Value,
    /// What it does with the arguments it is given.
    pub call: fn(&Value) -> Answer,
}

/// What a tool does with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A result with this text.
    Text(String),
    /// A result with `isError: true` and this text.
    Refusal(String),
    /// No result: the process says this on standard error and ends.
    Crash(String),
}

impl Answer {
    /// A result with this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A refusal with this text.
    pub fn refusal(text: impl Into<String>) -> Self {
        Self::Refusal(text.into())
    }
}

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Its input ended.
    InputEnded,
    /// A tool ended it; the text is for standard error.
    Crashed(String),
}

/// Who the server says it is.
#[derive(Debug, Clone, Copy)]
pub struct Identity {
    /// `serverInfo.name`.
    pub name: &'static str,
    /// `serverInfo.version`.
    pub version: &'static str,
}

/// The revisions that the server accepts; it offers the first to everyone else.
const REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Answers messages, one a line, until the input ends or a tool crashes.
pub fn serve(
    identity: Identity,
    tools: &[DemoTool],
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<Ended> {
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let reply = match answer(identity, tools, &line) {
            Reply::None => continue,
            Reply::Message(message) => message,
            Reply::Crash(text) => return Ok(Ended::Crashed(text)),
        };
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(Ended::InputEnded)
}

enum Reply {
    None,
    Message(Value),
    Crash(String),
}

fn answer(identity: Identity, tools: &[DemoTool], line: &str) -> Reply {
    // A caller that tries the server may send numbers and depths that fit no
    // tree; only what carries them is refused for it.
    let Some(message) = json::members(line) else {
        return failure(&Value::Null, -32700, "Parse error");
    };
    let (Some(id), Some(method)) = (member(&message, "id"), member(&message, "method")) else {
        return Reply::None;
    };
    let (id, method) = (json::read(id).value, json::read(method).value);
    let params = member(&message, "params").unwrap_or("{}");
    match method.as_str().unwrap_or_default() {
        "initialize" => result(&id, &initialize(identity, &json::read(params).value)),
        "ping" => result(&id, &json!({})),
        "tools/list" => {
            let entries: Vec<&Value> = tools.iter().map(|tool| &tool.entry).collect();
            result(&id, &json!({ "tools": entries }))
        }
        "tools/call" => call(tools, &id, params),
        _ => failure(&id, -32601, "Method not found"),
    }
}

/// The last member of this name.
fn member<'m>(members: &'m [(String, Box<RawValue>)], name: &str) -> Option<&'m str> {
    let found = members.iter().rev().find(|(key, _)| key == name)?;
    Some(found.1.get())
}

fn initialize(identity: Identity, params: &Value) -> Value {
    let wanted = params
        .get("protocolVersion")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let version = REVISIONS
        .into_iter()
        .find(|known| *known == wanted)
        .unwrap_or(REVISIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": identity.name, "version": identity.version },
    })
}

fn call(tools: &[DemoTool], id: &Value, params: &str) -> Reply {
    let params = json::members(params).unwrap_or_default();
    let name = member(&params, "name").map(|name| json::read(name).value);
    let Some(tool) = tools
        .iter()
        .find(|tool| name.is_some() && tool.entry.get("name") == name.as_ref())
    else {
        return failure(id, -32602, "Unknown tool");
    };
    let arguments = json::read(member(&params, "arguments").unwrap_or("{}"));
    if arguments.flaws.contains(&json::Flaw::TooDeep) {
        return failure(id, -32602, "The arguments nest too deep");
    }
    if !arguments.value.is_object() {
        return failure(id, -32602, "The arguments must be an object");
    }
    let (text, is_error) = match (tool.call)(&arguments.value) {
        Answer::Text(text) => (text, false),
        Answer::Refusal(text) => (text, true),
        Answer::Crash(text) => return Reply::Crash(text),
    };
    result(
        id,
        &json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }),
    )
}

fn result(id: &Value, result: &Value) -> Reply {
    Reply::Message(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn failure(id: &Value, code: i64, message: &str) -> Reply {
    Reply::Message(
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }),
    )
}
