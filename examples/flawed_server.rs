//! A server with four tools, three of them flawed, over stdio.
//!
//! ```text
//! cargo build --examples
//! mcprobe audit --fuzz-writes -- target/debug/examples/flawed_server
//! ```

use std::io;
use std::process::ExitCode;

use mcprobe::demo::{Answer, DemoTool, Ended, Identity, serve};
use serde_json::{Value, json};

fn main() -> io::Result<ExitCode> {
    let identity = Identity {
        name: "four-tools",
        version: "0.1.0",
    };
    match serve(identity, &tools(), io::stdin().lock(), io::stdout().lock())? {
        Ended::InputEnded => Ok(ExitCode::SUCCESS),
        Ended::Crashed(text) => Err(io::Error::other(text)),
    }
}

fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool {
            entry: json!({
                "name": "greet",
                "inputSchema": { "type": "object", "properties": { "name": {} }, "additionalProperties": false },
            }),
            call: |arguments| {
                Answer::text(format!(
                    "Hello {}",
                    arguments.get("name").unwrap_or(&Value::Null)
                ))
            },
        },
        DemoTool {
            entry: json!({
                "name": "divide",
                "description": "Divides one number by another.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "a": {}, "b": {} },
                    "additionalProperties": false,
                },
            }),
            call: |arguments| {
                let number = |key: &str| {
                    arguments
                        .get(key)
                        .and_then(Value::as_f64)
                        .unwrap_or(f64::NAN)
                };
                Answer::text((number("a") / number("b")).to_string())
            },
        },
        DemoTool {
            entry: json!({
                "name": "set_mode",
                "description": "Sets mode",
                "inputSchema": {
                    "type": "object",
                    "properties": { "mode": { "type": "string", "enum": ["fast", "slow"] } },
                    "required": ["mode"],
                    "additionalProperties": false,
                },
            }),
            call: |arguments| match arguments.get("mode").and_then(Value::as_str) {
                Some(mode @ ("fast" | "slow")) => Answer::text(format!("mode is {mode}")),
                _ => Answer::refusal("mode must be fast or slow"),
            },
        },
        DemoTool {
            entry: json!({
                "name": "well_behaved",
                "description": "Echoes a text back, unchanged.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "text": { "type": "string", "minLength": 1, "description": "Text to echo." } },
                    "required": ["text"],
                    "additionalProperties": false,
                },
            }),
            call: |arguments| match arguments.get("text").and_then(Value::as_str) {
                Some(text) if !text.is_empty() => Answer::text(text),
                _ => Answer::refusal("text must be a string of at least one character"),
            },
        },
    ]
}
