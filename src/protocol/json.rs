//! JSON as servers really send it.
//!
//! A strict parser loses a whole document for one lone surrogate or one number
//! that no double can hold. An auditor must not: it reads what is there, repairs
//! what it cannot represent, and remembers each repair as a [`Flaw`].

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The deepest nesting that is turned into a tree. Deeper text stays text:
/// building, cloning and dropping deeper trees can exhaust a thread's stack.
pub const MAX_DEPTH: usize = 100;

/// What had to be repaired before a text could be represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Flaw {
    /// A `\uD800`–`\uDFFF` escape without its partner; read as U+FFFD.
    LoneSurrogate,
    /// A number beyond the range of a double; read as the nearest finite one.
    NumberOutOfRange,
    /// Nested deeper than [`MAX_DEPTH`]; read as `null`.
    TooDeep,
    /// Not JSON at all; read as `null`.
    NotJson,
}

/// A JSON text as a tree, with what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The tree; `null` where the text could not be read.
    pub value: Value,
    /// Each kind of repair, once, in order.
    pub flaws: Vec<Flaw>,
}

/// Reads any text as JSON. Total: a bad text gives `null` and a flaw.
pub fn read(text: &str) -> Reading {
    if depth(text) > MAX_DEPTH {
        return Reading {
            value: Value::Null,
            flaws: vec![Flaw::TooDeep],
        };
    }
    if let Ok(value) = serde_json::from_str(text) {
        return Reading {
            value,
            flaws: Vec::new(),
        };
    }
    let (repaired, mut flaws) = repair(text);
    let value = serde_json::from_str(&repaired).unwrap_or_else(|_| {
        flaws.push(Flaw::NotJson);
        Value::Null
    });
    Reading { value, flaws }
}

/// The members of an object in their order, each still raw; `None` when the
/// text is no object. Duplicate keys are all kept.
pub fn members(text: &str) -> Option<Vec<(String, Box<RawValue>)>> {
    fn strict(text: &str) -> Option<Vec<(String, Box<RawValue>)>> {
        struct Members(Vec<(String, Box<RawValue>)>);
        struct MembersVisitor;
        impl<'de> serde::de::Visitor<'de> for MembersVisitor {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut found = Vec::new();
                while let Some(member) = map.next_entry()? {
                    found.push(member);
                }
                Ok(Members(found))
            }
        }
        impl<'de> Deserialize<'de> for Members {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                d.deserialize_map(MembersVisitor)
            }
        }
        serde_json::from_str::<Members>(text)
            .ok()
            .map(|members| members.0)
    }
    strict(text).or_else(|| strict(&repair(text).0))
}

/// The elements of an array, each still raw; `None` when the text is no array.
pub fn elements(text: &str) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(text).ok()
}

/// How deep arrays and objects nest in a text, by counting brackets outside
/// strings. Linear, without recursion, right for any input.
pub fn depth(text: &str) -> usize {
    let (mut deepest, mut open, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Replaces what `serde_json` cannot hold: lone surrogate escapes and numbers
/// beyond a double. Everything else is copied as it stands.
fn repair(text: &str) -> (String, Vec<Flaw>) {
    let bytes = text.as_bytes();
    let (mut out, mut flaws) = (String::with_capacity(text.len()), Vec::new());
    let (mut at, mut copied) = (0, 0);
    let mut note = |flaw| {
        if !flaws.contains(&flaw) {
            flaws.push(flaw);
        }
    };
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    if bytes[at] != b'\\' {
                        at += 1;
                        continue;
                    }
                    match surrogate(bytes, at) {
                        None => at += 2,
                        Some(Half::Pair) => at += 12,
                        Some(Half::Lone) => {
                            note(Flaw::LoneSurrogate);
                            out.push_str(&text[copied..at]);
                            out.push_str("\\ufffd");
                            at += 6;
                            copied = at;
                        }
                    }
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let start = at;
                while at < bytes.len()
                    && matches!(bytes[at], b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
                {
                    at += 1;
                }
                if text[start..at].parse::<f64>().is_ok_and(f64::is_infinite) {
                    note(Flaw::NumberOutOfRange);
                    out.push_str(&text[copied..start]);
                    out.push_str(if bytes[start] == b'-' {
                        "-1.7976931348623157e308"
                    } else {
                        "1.7976931348623157e308"
                    });
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    (out, flaws)
}

enum Half {
    Pair,
    Lone,
}

/// Whether the escape at `at` is a surrogate, and whether it has its partner.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let unit = |at: usize| -> Option<u16> {
        let escape = bytes.get(at..at + 6)?;
        let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
        u16::from_str_radix(digits, 16).ok()
    };
    match unit(at)? {
        0xD800..=0xDBFF if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => Some(Half::Pair),
        0xD800..=0xDFFF => Some(Half::Lone),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_what_cannot_be_held_and_says_so() {
        let reading =
            read(r#"{"a":"x\ud800y","b":1e999,"c":"\ud83d\ude00","d":"q\\ud800","e":-1e999}"#);
        assert_eq!(reading.flaws, [Flaw::LoneSurrogate, Flaw::NumberOutOfRange]);
        assert_eq!(reading.value["a"], "x\u{fffd}y");
        assert_eq!(reading.value["b"], f64::MAX);
        assert_eq!(reading.value["c"], "😀");
        assert_eq!(reading.value["d"], "q\\ud800");
        assert_eq!(reading.value["e"], f64::MIN);
    }

    #[test]
    fn deep_text_and_no_json_are_flaws() {
        assert_eq!(read(&"[".repeat(200_000)).flaws, [Flaw::TooDeep]);
        assert_eq!(read("{\"a\": NaN}").flaws, [Flaw::NotJson]);
        assert_eq!(read("\"\\").flaws, [Flaw::NotJson]);
    }

    #[test]
    fn members_keep_order_duplicates_and_bad_strings() {
        let found = members(r#"{"b":1,"a":"\ud800","b":[2]}"#).expect("an object");
        let flat: Vec<_> = found
            .iter()
            .map(|(key, raw)| (key.as_str(), raw.get()))
            .collect();
        assert_eq!(flat, [("b", "1"), ("a", r#""\ud800""#), ("b", "[2]")]);
        assert!(members("[]").is_none());
    }
}
