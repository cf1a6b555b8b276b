//! The tools of `mcprobe demo`: each but the last has one flaw that real
//! servers have.

use serde_json::{Value, json};

use super::{Answer, DemoTool, Identity};

/// Who the demonstration server says it is.
pub const IDENTITY: Identity = Identity {
    name: "flawed-demo",
    version: "1.0.0",
};

/// The flawed tools.
pub fn flawed() -> Vec<DemoTool> {
    vec![
        DemoTool {
            // Nothing says what it does, nor what `who` may be.
            entry: json!({
                "name": "greet",
                "inputSchema": { "type": "object", "properties": { "who": {} }, "additionalProperties": false },
            }),
            call: |arguments| {
                Answer::text(format!(
                    "Hello, {}!",
                    arguments.get("who").unwrap_or(&Value::Null)
                ))
            },
        },
        DemoTool {
            // Takes anything for a temperature, also none at all.
            entry: json!({
                "name": "convert_temperature",
                "description": "Converts a temperature from Celsius to another unit.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "celsius": { "type": "number", "description": "Temperature in degrees Celsius." },
                        "unit": { "type": "string", "enum": ["fahrenheit", "kelvin"], "description": "Target unit." },
                    },
                    "required": ["celsius", "unit"],
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": true },
            }),
            call: |arguments| {
                let celsius = arguments
                    .get("celsius")
                    .and_then(Value::as_f64)
                    .unwrap_or(0.0);
                match arguments.get("unit").and_then(Value::as_str) {
                    Some("kelvin") => Answer::text(format!("{} K", celsius + 273.15)),
                    _ => Answer::text(format!("{} °F", celsius * 1.8 + 32.0)),
                }
            },
        },
        DemoTool {
            // Dies of a `rows` that is a text.
            entry: json!({
                "name": "sum_rows",
                "description": "Adds up the numbers of a table, row by row.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "rows": {
                            "type": "array",
                            "items": { "type": "array", "items": { "type": "number" } },
                            "description": "Rows of numbers.",
                        },
                    },
                    "required": ["rows"],
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": true },
            }),
            call: sum_rows,
        },
        DemoTool {
            // Answers a good call with nothing.
            entry: json!({
                "name": "list_notes",
                "description": "Lists the titles of all notes.",
                "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
                "annotations": { "readOnlyHint": true },
            }),
            call: |arguments| {
                if arguments.as_object().is_some_and(serde_json::Map::is_empty) {
                    Answer::text("")
                } else {
                    Answer::refusal("list_notes takes no arguments")
                }
            },
        },
        DemoTool {
            // Says that it destroys: left alone unless asked for.
            entry: json!({
                "name": "delete_note",
                "description": "Deletes one note for good.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "title": { "type": "string", "description": "Title of the note." } },
                    "required": ["title"],
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": false, "destructiveHint": true },
            }),
            call: |_| Answer::text("There was no such note."),
        },
        DemoTool {
            // As it should be.
            entry: json!({
                "name": "count_words",
                "description": "Counts the words of a text.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "text": { "type": "string", "minLength": 1, "description": "The text." } },
                    "required": ["text"],
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": true },
            }),
            call: count_words,
        },
    ]
}

fn sum_rows(arguments: &Value) -> Answer {
    let rows = match arguments.as_object() {
        Some(object) if object.len() == 1 => object.get("rows"),
        _ => None,
    };
    let Some(rows) = rows else {
        return Answer::refusal(
            "sum_rows takes `rows`, an array of arrays of numbers, and nothing else",
        );
    };
    if rows.is_string() {
        return Answer::Crash("panicked: rows is not an array".to_owned());
    }
    let Some(rows) = rows.as_array() else {
        return Answer::refusal("`rows` must be an array of arrays of numbers");
    };
    let mut sums = Vec::new();
    for row in rows {
        let numbers: Option<Vec<f64>> = row
            .as_array()
            .and_then(|row| row.iter().map(Value::as_f64).collect());
        let Some(numbers) = numbers else {
            return Answer::refusal("each row must be an array of numbers");
        };
        sums.push(numbers.iter().sum::<f64>().to_string());
    }
    Answer::text(format!("Sums: {}", sums.join(", ")))
}

fn count_words(arguments: &Value) -> Answer {
    let text = match arguments.as_object() {
        Some(object) if object.len() == 1 => object.get("text").and_then(Value::as_str),
        _ => None,
    };
    match text {
        Some(text) if !text.is_empty() => {
            Answer::text(format!("{} words", text.split_whitespace().count()))
        }
        _ => Answer::refusal(
            "count_words takes `text`, a string of at least one character, and nothing else",
        ),
    }
}
