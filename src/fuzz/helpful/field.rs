//! What a case bent, and what the schema declares there.

use serde_json::{Map, Value};

use super::words::{has_any, has_word};
use crate::fuzz::flatten::{self, type_names};

/// The most names or values of a schema that a text is searched for.
const SEARCHED: usize = 100;

/// How a case bent its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bend {
    Missing,
    Extra,
    Arguments,
    Value,
}

/// What a case is about.
#[derive(Debug)]
pub(super) struct Subject {
    /// The names of the field, any of which will do.
    pub(super) names: Vec<String>,
    bend: Bend,
    /// The field's plain keywords, or those of all arguments.
    declared: Map<String, Value>,
}

impl Subject {
    /// Reads a label such as `wrong_type:outer.name`.
    pub(super) fn of(label: &str, schema: Option<&Value>) -> Self {
        let (kind, place) = label.split_once(':').unwrap_or((label, ""));
        let root = schema.unwrap_or(&Value::Null);
        if kind.starts_with("arguments_") {
            let names = ["arguments", "params", "input", "object"];
            return Self {
                names: names.map(str::to_owned).to_vec(),
                bend: Bend::Arguments,
                declared: Map::new(),
            };
        }
        if kind == "extra_garbage" {
            return Self {
                names: vec!["__mcprobe_garbage__".to_owned()],
                bend: Bend::Extra,
                declared: plain(root, root),
            };
        }
        if let Some((given, wanted)) = place.split_once("->") {
            return Self {
                names: vec![given.to_owned(), wanted.to_owned()],
                bend: Bend::Extra,
                declared: plain(root, root),
            };
        }
        let steps = steps(place);
        let name = steps.last().copied().unwrap_or_default();
        let bend = match kind {
            "missing_required" => Bend::Missing,
            "extra_key" | "unknown_key" => Bend::Extra,
            _ => Bend::Value,
        };
        Self {
            names: vec![name.to_owned()],
            bend,
            declared: find(root, &steps),
        }
    }

    pub(super) fn says_expected(&self, text: &str) -> bool {
        match self.bend {
            Bend::Missing => has_any(
                text,
                &[
                    "required",
                    "missing",
                    "must be given",
                    "must be provided",
                    "must not be empty",
                    "undefined",
                ],
            ),
            Bend::Extra => has_any(
                text,
                &[
                    "unexpected",
                    "unknown",
                    "unrecognized",
                    "unrecognised",
                    "additional",
                    "not allowed",
                    "extra",
                    "unsupported",
                    "not permitted",
                    "forbidden",
                    "did you mean",
                ],
            ),
            Bend::Arguments => has_any(text, &["object", "dict", "map", "record"]),
            Bend::Value if self.values().is_some() => {
                has_any(
                    text,
                    &[
                        "one of",
                        "enum",
                        "allowed",
                        "expected",
                        "must be",
                        "valid values",
                        "options",
                        "supported",
                    ],
                ) || self.says_type(text)
            }
            Bend::Value => self.says_type(text),
        }
    }

    pub(super) fn says_allowed(&self, text: &str) -> bool {
        match self.bend {
            Bend::Missing => {
                self.says_type(text) || self.says_values(text) || self.says_bound(text)
            }
            Bend::Extra => {
                let known = self.declared.get("properties").and_then(Value::as_object);
                known.is_some_and(|known| {
                    known
                        .keys()
                        .take(SEARCHED)
                        .filter(|key| !self.names.contains(key))
                        .any(|key| has_word(text, &key.to_lowercase()))
                })
            }
            Bend::Arguments => says_received(text),
            Bend::Value if self.values().is_some() => self.says_values(text),
            Bend::Value => self.says_bound(text) || says_received(text),
        }
    }

    fn values(&self) -> Option<Vec<&Value>> {
        match (self.declared.get("enum"), self.declared.get("const")) {
            (Some(Value::Array(values)), _) if !values.is_empty() => {
                Some(values.iter().take(SEARCHED).collect())
            }
            (_, Some(value)) => Some(vec![value]),
            _ => None,
        }
    }

    /// Whether the text lists allowed values: two, or the only one.
    fn says_values(&self, text: &str) -> bool {
        let Some(values) = self.values() else {
            return false;
        };
        let said = values.iter().filter(|value| match value {
            Value::String(word) => has_word(text, &word.to_lowercase()),
            other => has_word(text, &other.to_string()),
        });
        said.count() >= values.len().min(2)
    }

    fn says_type(&self, text: &str) -> bool {
        let Some(types) = self.declared.get("type").map(type_names) else {
            return false;
        };
        types.iter().any(|name| {
            let words: &[&str] = match *name {
                "string" => &["string", "str", "text"],
                "number" => &["number", "numeric", "float", "double", "decimal"],
                "integer" => &["integer", "int", "whole number"],
                "boolean" => &["boolean", "bool", "true or false"],
                "array" => &["array", "list", "sequence", "tuple"],
                "object" => &["object", "dict", "dictionary", "map", "mapping", "record"],
                _ => &[],
            };
            words.iter().any(|word| has_word(text, word))
        })
    }

    /// Whether the text gives a declared bound, pattern or format.
    fn says_bound(&self, text: &str) -> bool {
        const BOUNDS: [&str; 10] = [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
        ];
        let number = |key: &&str| {
            self.declared
                .get(*key)
                .filter(|bound| bound.is_number())
                .is_some_and(|bound| has_word(text, &bound.to_string()))
        };
        let word = |key: &&str| {
            self.declared
                .get(*key)
                .and_then(Value::as_str)
                .is_some_and(|word| !word.is_empty() && text.contains(&word.to_lowercase()))
        };
        BOUNDS.iter().any(number) || ["pattern", "format"].iter().any(word)
    }
}

/// Whether a text says what came in place of what was expected.
fn says_received(text: &str) -> bool {
    has_any(
        text,
        &[
            "received",
            "got ",
            "got:",
            "but was",
            "input_type",
            "input_value",
            "instead",
            "given:",
            "is not of type",
            "found ",
        ],
    )
}

/// `a.b[0].c` as its names.
fn steps(place: &str) -> Vec<&str> {
    place
        .split('.')
        .map(|step| step.split('[').next().unwrap_or_default())
        .filter(|step| !step.is_empty())
        .take(16)
        .collect()
}

/// The keywords of a property, however it is composed; empty when it is not
/// declared.
fn find(root: &Value, steps: &[&str]) -> Map<String, Value> {
    let mut at = plain(root, root);
    for step in steps {
        // A list on the way stands for its items.
        if !at.contains_key("properties")
            && let Some(items) = at.get("items").cloned()
        {
            at = plain(root, &items);
        }
        let Some(next) = at
            .get("properties")
            .and_then(|properties| properties.get(step))
        else {
            return Map::new();
        };
        at = plain(root, &next.clone());
    }
    at
}

fn plain(root: &Value, schema: &Value) -> Map<String, Value> {
    if !schema.is_object() || !crate::fuzz::tidy::is_shallow(root) {
        return Map::new();
    }
    flatten::variants(root, schema)
        .into_iter()
        .next()
        .unwrap_or_default()
}
