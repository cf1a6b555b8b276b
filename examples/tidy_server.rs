//! A server that keeps its contract: described, typed, annotated, and strict
//! about its arguments. It is the clean twin of `flawed_server`.
//!
//! ```text
//! cargo build --examples
//! mcprobe audit --fuzz -- target/debug/examples/tidy_server
//! ```

use std::io;
use std::process::ExitCode;

use mcprobe::demo::{Answer, DemoTool, Ended, Identity, serve};
use serde_json::{Value, json};

fn main() -> io::Result<ExitCode> {
    let identity = Identity {
        name: "tidy",
        version: "1.0.0",
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
                "name": "count_letters",
                "title": "Count letters",
                "description": "Counts how often one letter stands in a text, ignoring case.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "text": { "type": "string", "minLength": 1, "description": "The text to search." },
                        "letter": { "type": "string", "pattern": "^[a-z]$", "description": "One letter, a to z." },
                    },
                    "required": ["text", "letter"],
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": true, "openWorldHint": false },
            }),
            call: |arguments| {
                let Some([text, letter]) = strings(arguments, ["text", "letter"]) else {
                    return Answer::refusal(
                        "count_letters takes `text` and `letter`, both strings, and nothing else",
                    );
                };
                if text.is_empty()
                    || letter.len() != 1
                    || !letter.as_bytes()[0].is_ascii_lowercase()
                {
                    return Answer::refusal(
                        "`text` must not be empty and `letter` must be one of a to z",
                    );
                }
                let found = text.to_lowercase().matches(letter).count();
                Answer::text(format!("`{letter}` stands {found} times in the text."))
            },
        },
        DemoTool {
            entry: json!({
                "name": "list_units",
                "title": "List units",
                "description": "Lists the units that this server knows, one a line.",
                "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
                "annotations": { "readOnlyHint": true, "openWorldHint": false },
            }),
            call: |arguments| match arguments.as_object() {
                Some(object) if object.is_empty() => Answer::text("metre\nkilogram\nsecond"),
                _ => Answer::refusal("list_units takes no arguments"),
            },
        },
    ]
}

/// The named members, when they are all strings and nothing else is there.
fn strings<'a, const N: usize>(arguments: &'a Value, names: [&str; N]) -> Option<[&'a str; N]> {
    let object = arguments.as_object().filter(|object| object.len() == N)?;
    let mut found = [""; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = object.get(name)?.as_str()?;
    }
    Some(found)
}
