//! Short names for what was said: equal when two answers are.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Letters in a row from which on a word is taken for an id.
const ID_LETTERS: usize = 20;

/// Equal for equal values, whatever the order of their members.
pub fn digest(value: &Value) -> String {
    short(&canonical(value).to_string())
}

/// Equal for values that differ in numbers, dates and ids alone.
pub fn shape(value: &Value) -> String {
    shape_of_text(&canonical(value).to_string())
}

/// The same for a text.
pub fn shape_of_text(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    let mut word = String::new();
    for char in text.chars().chain([' ']) {
        if char.is_alphanumeric() || matches!(char, '_' | '-' | '+' | '.') {
            word.push(char);
            continue;
        }
        shape.push_str(stable(&word));
        word.clear();
        shape.push(char);
    }
    short(&shape)
}

/// The word, or `#` where it holds a number or looks like an id.
fn stable(word: &str) -> &str {
    let varies = word.chars().any(char::is_numeric) || word.chars().count() >= ID_LETTERS;
    if varies { "#" } else { word }
}

/// The value with its members sorted. Its depth is bounded by whoever read it.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(members) => {
            let sorted: BTreeMap<&String, Value> = members
                .iter()
                .map(|(key, member)| (key, canonical(member)))
                .collect();
            Value::Object(
                sorted
                    .into_iter()
                    .map(|(key, member)| (key.clone(), member))
                    .collect(),
            )
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn short(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    format!("{:016x}", u64::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shapes_pass_over_what_varies_by_itself_and_nothing_else() {
        let same = |a: &str, b: &str| shape_of_text(a) == shape_of_text(b);
        assert!(same(
            "done at 2026-11-30T10:00:05Z in 12 ms",
            "done at 2026-12-01T09:10:00Z in 7 ms"
        ));
        assert!(same("id a9f3c2", "id 77b1d0"));
        assert!(same(
            "token QWERTYuiopASDFGHjklzXX",
            "token zxcvbnmASDFGHJKqwertyuo"
        ));
        assert!(same("-1.5 °C", "3 °C"));
        assert!(!same("open", "closed"));
        assert!(!same("found 3 of 4", "found none"));
        assert_eq!(
            shape(&json!({"b": 1, "a": "x"})),
            shape(&json!({"a": "x", "b": 2}))
        );
        assert_ne!(
            digest(&json!({"b": 1, "a": "x"})),
            digest(&json!({"a": "x", "b": 2}))
        );
    }
}
