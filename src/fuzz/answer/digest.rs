//! Short names for what was said: equal when two answers are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Letters in a row from which on a word is taken for an id.
const ID_LETTERS: usize = 20;

/// Equal for equal values, whatever the order of their members and the time of day that
/// they tell: two calls may lie on both sides of a second.
pub fn digest(value: &Value) -> String {
    short(&without_clock(&canonical(value).to_string()))
}

/// The text with every time of day (`7:05:09`, `17:05:09.25`) told as `#`.
fn without_clock(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let digits = |from: usize, most: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let count = rest
            .iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_digit());
        count.count()
    };
    // The end of a time that begins here, if one does.
    let time = |from: usize| {
        let hours = digits(from, 2);
        let is_colon = |at: usize| bytes.get(at) == Some(&b':');
        let (minutes, seconds) = (from + hours + 1, from + hours + 4);
        let is_time = hours > 0
            && is_colon(minutes - 1)
            && digits(minutes, 2) == 2
            && is_colon(seconds - 1)
            && digits(seconds, 3) == 2;
        let end = seconds + 2;
        let has_fraction = bytes.get(end) == Some(&b'.') && digits(end + 1, 1) == 1;
        is_time.then(|| {
            if has_fraction {
                end + 1 + digits(end + 1, usize::MAX)
            } else {
                end
            }
        })
    };
    let mut told = String::new();
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        let is_start = bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit());
        match is_start.then(|| time(at)).flatten() {
            Some(end) => {
                told.push_str(&text[kept..at]);
                told.push('#');
                (kept, at) = (end, end);
            }
            None => at += 1,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    told.push_str(&text[kept..]);
    Cow::Owned(told)
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
    fn digests_pass_over_the_time_of_day_and_nothing_else() {
        let same = |a: &str, b: &str| digest(&json!(a)) == digest(&json!(b));
        assert!(same("made at 1:59:59 AM", "made at 12:00:00 AM"));
        assert!(same("2026-12-01T09:10:00.123Z", "2026-12-01T09:10:01Z"));
        assert!(same("7:05:09", "17:05:10"));
        for (a, b) in [
            ("2026-12-01T09:10:00Z", "2026-12-02T09:10:00Z"),
            ("at 7:05", "at 7:06"),
            ("1:2:3", "1:2:4"),
            ("ratio 10:20:300", "ratio 10:20:400"),
            ("::1:22:33:44", "::1:22:33:45 more"),
            ("7", "8"),
        ] {
            assert!(!same(a, b), "{a} {b}");
        }
        assert_eq!(without_clock("é 7:05:09é 8:00:00"), "é #é #");
        assert_eq!(without_clock("7:05:09."), "#.");
    }

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
