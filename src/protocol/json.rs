//! JSON as servers really send it.
//!
//! A strict parser loses a whole document for one lone surrogate or one number
//! that no double can hold. An auditor must not: it reads what is there, repairs
//! what it cannot represent, and remembers each repair as a [`Flaw`].

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer as _, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The deepest nesting that is turned into a tree. Deeper text stays text:
/// building, cloning and dropping deeper trees can exhaust a thread's stack.
pub const MAX_DEPTH: usize = 100;

/// The most values in a text that are turned into a tree. A tree takes many times
/// the room of its text: five million `{}` fit into one message.
pub const MAX_VALUES: usize = 500_000;

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
    /// More than [`MAX_VALUES`] values; read as `null`.
    TooLarge,
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
    let Shape { depth, values } = shape(text);
    let unread = |flaw| Reading {
        value: Value::Null,
        flaws: vec![flaw],
    };
    if depth > MAX_DEPTH {
        return unread(Flaw::TooDeep);
    }
    if values > MAX_VALUES {
        return unread(Flaw::TooLarge);
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

/// The members with these names, each still raw, in the order of the names; of
/// several with one name the last. Others are read over and take no room. `None`
/// when the text is no object.
pub fn pick<const N: usize>(text: &str, names: [&str; N]) -> Option<[Option<Box<RawValue>>; N]> {
    struct Pick<'n, const N: usize>([&'n str; N]);
    impl<'de, const N: usize> serde::de::Visitor<'de> for Pick<'_, N> {
        type Value = [Option<Box<RawValue>>; N];
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(
            self,
            mut map: A,
        ) -> Result<Self::Value, A::Error> {
            let mut found = [const { None }; N];
            while let Some(key) = map.next_key::<String>()? {
                match self.0.iter().position(|name| *name == key) {
                    Some(place) => found[place] = Some(map.next_value()?),
                    None => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            Ok(found)
        }
    }
    let strict = |text: &str| {
        let mut parser = serde_json::Deserializer::from_str(text);
        let found = parser.deserialize_map(Pick(names)).ok()?;
        parser.end().ok()?;
        Some(found)
    };
    strict(text).or_else(|| strict(&repair(text).0))
}

/// The first elements of an array, each still raw, and whether there are more than
/// `most`, which take no room. `None` when the text is no array.
pub fn first_elements(text: &str, most: usize) -> Option<(Vec<Box<RawValue>>, bool)> {
    struct First(usize);
    impl<'de> serde::de::Visitor<'de> for First {
        type Value = (Vec<Box<RawValue>>, bool);
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut seq: A,
        ) -> Result<Self::Value, A::Error> {
            let mut first = Vec::new();
            while first.len() < self.0 {
                match seq.next_element()? {
                    Some(element) => first.push(element),
                    None => return Ok((first, false)),
                }
            }
            let mut more = false;
            while seq.next_element::<IgnoredAny>()?.is_some() {
                more = true;
            }
            Ok((first, more))
        }
    }
    let mut parser = serde_json::Deserializer::from_str(text);
    let found = parser.deserialize_seq(First(most)).ok()?;
    parser.end().ok()?;
    Some(found)
}

/// The elements of an array, each still raw; `None` when the text is no array.
pub fn elements(text: &str) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(text).ok()
}

/// How deep arrays and objects nest in a text, by counting brackets outside
/// strings. Linear, without recursion, right for any input.
pub fn depth(text: &str) -> usize {
    shape(text).depth
}

/// How much of a tree a text is.
struct Shape {
    depth: usize,
    /// No fewer than there are: a comma or an opening bracket begins each but one.
    values: usize,
}

fn shape(text: &str) -> Shape {
    let (mut deepest, mut open, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    let mut values = 1_usize;
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
            b',' => values += 1,
            b'[' | b'{' => {
                values += 1;
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    Shape {
        depth: deepest,
        values,
    }
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
    fn what_would_be_a_huge_tree_stays_text() {
        let text = format!("[{}0]", "{},".repeat(MAX_VALUES));
        assert_eq!(read(&text).flaws, [Flaw::TooLarge]);
        let string = format!("\"{}\"", ",[".repeat(MAX_VALUES));
        assert!(read(&string).flaws.is_empty());
    }

    #[test]
    fn only_what_is_asked_for_is_taken() {
        let text = r#"{"b":1,"x":[1e999,"\ud800"],"a":"\ud800","b":[2]}"#;
        let [a, b, c] = pick(text, ["a", "b", "c"]).expect("an object");
        assert_eq!(a.expect("a").get(), r#""\ud800""#);
        assert_eq!(b.expect("b").get(), "[2]");
        assert!(c.is_none());
        assert!(pick(r#"{"\ud800":0,"a":1}"#, ["a"]).expect("an object")[0].is_some());
        for text in ["[]", "", "{} {}", "{\"a\":NaN}"] {
            assert!(pick(text, ["a"]).is_none(), "{text}");
        }

        let count = |text, most| first_elements(text, most).map(|(all, more)| (all.len(), more));
        assert_eq!(count("[1,{},[3]]", 3), Some((3, false)));
        assert_eq!(count("[1,{},[3]]", 2), Some((2, true)));
        assert_eq!(count("[1]", 0), Some((0, true)));
        assert_eq!(count("[]", 0), Some((0, false)));
        assert_eq!(count("{}", 2), None);
        assert_eq!(count("[1] 2", 2), None);
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
