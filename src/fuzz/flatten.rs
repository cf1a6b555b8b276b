//! A schema without composition: `$ref`, `allOf`, `anyOf`, `oneOf` and
//! `if`/`then`/`else` are worked into plain keyword maps, one for each way to
//! satisfy the schema.
//!
//! The result steers the generator and is no proof: what is made from it is
//! checked by a validator. So a rare lossy merge costs a try, not the truth.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::{Map, Value, json};

/// Ways of one schema that are followed.
const MAX_VARIANTS: usize = 24;
/// References and compositions followed one into another.
const MAX_DEPTH: usize = 32;
/// Schemas looked at for one expansion.
const MAX_STEPS: usize = 400;

/// The plain keyword maps that satisfy the schema, the first branches first.
/// Empty when no way is seen.
pub(super) fn variants(root: &Value, schema: &Value) -> Vec<Map<String, Value>> {
    Expansion {
        root,
        steps_left: MAX_STEPS,
    }
    .expand(schema, 0)
}

struct Expansion<'a> {
    root: &'a Value,
    steps_left: usize,
}

impl Expansion<'_> {
    fn expand(&mut self, schema: &Value, depth: usize) -> Vec<Map<String, Value>> {
        let keywords = match schema {
            Value::Bool(false) => return Vec::new(),
            Value::Object(keywords) => keywords,
            _ => return vec![Map::new()],
        };
        if depth > MAX_DEPTH || self.steps_left == 0 {
            return Vec::new();
        }
        self.steps_left -= 1;

        let mut ways = vec![plain(keywords)];
        for target in references(self.root, keywords) {
            let parts = self.expand(target, depth + 1);
            ways = cross(&ways, &parts);
        }
        for part in branches(keywords, "allOf") {
            let parts = self.expand(part, depth + 1);
            ways = cross(&ways, &parts);
        }
        for choice in ["anyOf", "oneOf"] {
            if keywords.get(choice).is_some_and(Value::is_array) {
                let mut parts = Vec::new();
                for part in branches(keywords, choice) {
                    parts.extend(self.expand(part, depth + 1));
                }
                ways = cross(&ways, &parts);
            }
        }
        if let Some(condition) = keywords.get("if") {
            let when_true =
                json!({"allOf": [condition, keywords.get("then").unwrap_or(&Value::Bool(true))]});
            let mut parts = self.expand(&when_true, depth + 1);
            let otherwise = keywords.get("else").unwrap_or(&Value::Bool(true));
            parts.extend(self.expand(otherwise, depth + 1));
            ways = cross(&ways, &parts);
        }
        ways
    }
}

/// The keywords without composition.
fn plain(keywords: &Map<String, Value>) -> Map<String, Value> {
    keywords
        .iter()
        .filter(|(keyword, _)| {
            !matches!(
                keyword.as_str(),
                "$ref"
                    | "$dynamicRef"
                    | "$recursiveRef"
                    | "allOf"
                    | "anyOf"
                    | "oneOf"
                    | "if"
                    | "then"
                    | "else"
                    | "$defs"
                    | "definitions"
                    | "$schema"
                    | "$id"
            )
        })
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}

fn branches<'a>(keywords: &'a Map<String, Value>, keyword: &str) -> Vec<&'a Value> {
    keywords
        .get(keyword)
        .and_then(Value::as_array)
        .map(|list| list.iter().collect())
        .unwrap_or_default()
}

/// What the reference keywords point at, as far as it lies in the document.
fn references<'a>(root: &'a Value, keywords: &Map<String, Value>) -> Vec<&'a Value> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .filter_map(|keyword| resolve(root, keywords.get(keyword)?.as_str()?))
        .collect()
}

fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let own_id = root.get("$id").and_then(Value::as_str).unwrap_or_default();
    let local = reference.strip_prefix(own_id).unwrap_or(reference);
    match local.strip_prefix('#') {
        Some("") => return Some(root),
        Some(pointer) if pointer.starts_with('/') => {
            return root
                .pointer(pointer)
                .or_else(|| root.pointer(&percent_decoded(pointer)));
        }
        _ => {}
    }
    let anchor = local.strip_prefix('#');
    ["$defs", "definitions"]
        .into_iter()
        .filter_map(|keyword| root.get(keyword)?.as_object())
        .flat_map(Map::values)
        .find(|schema| {
            let text = |key: &str| schema.get(key).and_then(Value::as_str);
            text("$id") == Some(reference)
                || anchor.is_some_and(|anchor| {
                    text("$anchor") == Some(anchor) || text("$dynamicAnchor") == Some(anchor)
                })
        })
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escape = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escape.unwrap_or(bytes[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Every way of the one together with every way of the other.
fn cross(ways: &[Map<String, Value>], parts: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    // The parts vary slowest: the first branch stands first.
    parts
        .iter()
        .flat_map(|part| ways.iter().filter_map(|way| merge(way, part)))
        .take(MAX_VARIANTS)
        .collect()
}

/// Both maps at once; `None` when they exclude each other.
fn merge(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut merged = one.clone();
    for (keyword, theirs) in other {
        let Some(ours) = one.get(keyword) else {
            merged.insert(keyword.clone(), theirs.clone());
            continue;
        };
        if ours == theirs {
            continue;
        }
        merged.insert(keyword.clone(), both(keyword, ours, theirs)?);
    }
    Some(merged)
}

fn both(keyword: &str, ours: &Value, theirs: &Value) -> Option<Value> {
    match keyword {
        "type" => common_types(ours, theirs),
        "enum" => {
            let (ours, theirs) = (ours.as_array()?, theirs.as_array()?);
            let shared: Vec<_> = ours
                .iter()
                .filter(|value| theirs.contains(value))
                .cloned()
                .collect();
            (!shared.is_empty()).then_some(Value::Array(shared))
        }
        "const" => None,
        "required" => Some(union(ours, theirs)),
        "properties" | "patternProperties" | "dependentSchemas" => {
            Some(by_name(ours, theirs, |a, b| json!({"allOf": [a, b]})))
        }
        "dependentRequired" => Some(by_name(ours, theirs, union)),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
        | "minContains" | "multipleOf" => Some(pick(ours, theirs, |a, b| b > a)),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
        | "maxContains" => Some(pick(ours, theirs, |a, b| b < a)),
        "uniqueItems" => Some(Value::Bool(
            ours == &Value::Bool(true) || theirs == &Value::Bool(true),
        )),
        "items" | "additionalProperties" | "propertyNames" | "contains" => {
            Some(json!({"allOf": [ours, theirs]}))
        }
        "not" => Some(json!({"anyOf": [ours, theirs]})),
        _ => Some(ours.clone()),
    }
}

/// The types that both allow; `integer` is a part of `number`.
fn common_types(ours: &Value, theirs: &Value) -> Option<Value> {
    let (ours, theirs) = (type_names(ours), type_names(theirs));
    let mut shared = Vec::new();
    for name in &ours {
        if theirs.contains(name) || (*name == "integer" && theirs.contains(&"number")) {
            shared.push(*name);
        } else if *name == "number" && theirs.contains(&"integer") {
            shared.push("integer");
        }
    }
    (!shared.is_empty()).then(|| json!(shared))
}

/// The names in a `type`, be it one or a list.
pub(super) fn type_names(declared: &Value) -> Vec<&str> {
    match declared {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn union(ours: &Value, theirs: &Value) -> Value {
    let mut all = ours.as_array().cloned().unwrap_or_default();
    for value in theirs.as_array().into_iter().flatten() {
        if !all.contains(value) {
            all.push(value.clone());
        }
    }
    Value::Array(all)
}

fn by_name(ours: &Value, theirs: &Value, join: impl Fn(&Value, &Value) -> Value) -> Value {
    let mut all = ours.as_object().cloned().unwrap_or_default();
    for (name, value) in theirs.as_object().into_iter().flatten() {
        let joined = match all.get(name) {
            Some(known) if known != value => join(known, value),
            _ => value.clone(),
        };
        all.insert(name.clone(), joined);
    }
    Value::Object(all)
}

fn pick(ours: &Value, theirs: &Value, theirs_wins: impl Fn(f64, f64) -> bool) -> Value {
    match (ours.as_f64(), theirs.as_f64()) {
        (Some(a), Some(b)) if theirs_wins(a, b) => theirs.clone(),
        (None, Some(_)) => theirs.clone(),
        _ => ours.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_compositions_become_plain_ways() {
        let schema = json!({
            "$defs": {"a/b": {"type": "object", "required": ["x"]}},
            "$ref": "#/$defs/a~1b",
            "anyOf": [{"required": ["y"]}, false, {"type": "array"}, {"minProperties": 3}],
        });
        let ways = variants(&schema, &schema);
        assert_eq!(
            ways.into_iter().map(Value::Object).collect::<Value>(),
            json!([
                {"type": "object", "required": ["x", "y"]},
                {"type": "object", "required": ["x"], "minProperties": 3},
            ])
        );
    }

    #[test]
    fn circles_and_doublings_end() {
        let circle = json!({"$ref": "#"});
        assert!(variants(&circle, &circle).is_empty());
        let mut defs = Map::new();
        for level in 0..25 {
            let below = json!({"$ref": format!("#/$defs/l{}", level + 1)});
            defs.insert(format!("l{level}"), json!({"anyOf": [below, below]}));
        }
        let doubled = json!({"$defs": defs, "$ref": "#/$defs/l0"});
        assert!(variants(&doubled, &doubled).len() <= MAX_VARIANTS);
    }
}
