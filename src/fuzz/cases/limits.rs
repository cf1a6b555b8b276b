//! Values at the very bounds of the schema: the least and the greatest number, the
//! shortest and the longest text or list. A tool that refuses one has other bounds
//! than it declares.

use serde_json::{Value, json};

use super::bench::Bench;
use super::fields::{self, Field};
use super::{case, labels};
use crate::fuzz::flatten::{self, type_names};
use crate::fuzz::generate;
use crate::model::fuzz::{Case, CaseClass};
use crate::rules::verbs;

/// Fields of one tool that are tried at each bound.
const MOST_OF_A_KIND: usize = 3;

/// The longest text that is made, in characters, and the longest list.
const LONGEST_TEXT: u64 = 16 * 1024;
const LONGEST_LIST: u64 = 100;

/// Beyond it a bound is the limit of a type, and says nothing about the tool.
const LARGEST: f64 = 1e9;

/// Words in the name of a number that says how long to wait: its greatest value
/// would be waited for.
const WAITS: [&str; 14] = [
    "delay",
    "duration",
    "interval",
    "minutes",
    "ms",
    "period",
    "seconds",
    "sleep",
    "timeout",
    "ttl",
    "wait",
    "millis",
    "milliseconds",
    "secs",
];

/// The value at a bound of a field; `None` where the field has no such bound.
type Bound = fn(&Bench<'_>, &Field) -> Option<Value>;

/// The cases of a tool, kind by kind.
pub(super) fn cases(bench: &Bench<'_>) -> Vec<Case> {
    let kinds: [(&str, Bound); 6] = [
        (labels::AT_MINIMUM, least),
        (labels::AT_MAXIMUM, greatest),
        (labels::SHORTEST, shortest_text),
        (labels::LONGEST, longest_text),
        (labels::FEWEST, fewest),
        (labels::MOST, most),
    ];
    let of_kind = |(kind, bound): (&'static str, Bound)| {
        bench
            .given_first(&bench.fields)
            .filter_map(move |field| at_bound(bench, field, kind, bound))
            .take(MOST_OF_A_KIND)
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

fn at_bound(bench: &Bench<'_>, field: &Field, kind: &str, bound: Bound) -> Option<Case> {
    let root = bench.root.schema;
    if fields::allowed_values(root, &field.schema).is_some() {
        return None;
    }
    let value = bound(bench, field)?;
    if field.value(&bench.valid) == Some(&value) {
        return None;
    }
    let with = field
        .with(&bench.valid, value)
        .filter(|with| bench.takes(with))?;
    Some(case(
        &format!("{kind}{}", field.label),
        CaseClass::Edge,
        &with,
    ))
}

fn least(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    number(bench, field, "minimum")
}

fn greatest(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let words = verbs::words(&field.name);
    if words.iter().any(|word| WAITS.contains(&word.as_str())) {
        return None;
    }
    number(bench, field, "maximum")
}

fn number(bench: &Bench<'_>, field: &Field, bound: &str) -> Option<Value> {
    let limit = declared(bench, field, bound, &["integer", "number"])?;
    (limit.as_f64()?.abs() <= LARGEST).then_some(limit)
}

/// Of one character where nothing is declared.
fn shortest_text(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let length = match declared(bench, field, "minLength", &["string"]) {
        Some(length) => length.as_u64()?,
        None => 1,
    };
    text(bench, field, length)
}

fn longest_text(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let length = declared(bench, field, "maxLength", &["string"])?.as_u64()?;
    text(bench, field, length)
}

/// A text of that length that has no form to keep.
fn text(bench: &Bench<'_>, field: &Field, length: u64) -> Option<Value> {
    let types = fields::declared_types(bench.root.schema, &field.schema)?;
    let has_form = ["pattern", "format"]
        .iter()
        .any(|keyword| fields::keyword(bench.root.schema, &field.schema, keyword).is_some());
    if !types.iter().any(|name| name == "string") || has_form || length > LONGEST_TEXT {
        return None;
    }
    let length = usize::try_from(length).ok()?;
    // Words rather than one word without an end.
    let text: String = "sea road ".chars().cycle().take(length).collect();
    Some(Value::from(match text.strip_suffix(' ') {
        Some(shorter) => format!("{shorter}s"),
        None => text,
    }))
}

fn fewest(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let length = declared(bench, field, "minItems", &["array"])?.as_u64()?;
    list(bench, field, length)
}

fn most(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let length = declared(bench, field, "maxItems", &["array"])?.as_u64()?;
    list(bench, field, length)
}

/// A list of that length, made for the schema with its bounds drawn together.
fn list(bench: &Bench<'_>, field: &Field, length: u64) -> Option<Value> {
    if length > LONGEST_LIST {
        return None;
    }
    let mut keywords = flatten::variants(bench.root.schema, &field.schema)
        .into_iter()
        .find(|keywords| {
            let types = keywords.get("type").map(type_names).unwrap_or_default();
            types.contains(&"array")
        })?;
    for bound in ["minItems", "maxItems"] {
        keywords.insert(bound.to_owned(), json!(length));
    }
    // What is offered as an example has a length of its own.
    for offered in ["examples", "default"] {
        keywords.shift_remove(offered);
    }
    let schema = Value::Object(keywords);
    generate::property(&bench.root, &schema, &field.name, bench.seed)
}

/// What the keyword says in the first way to fit the field that has it and allows
/// one of the types.
fn declared(bench: &Bench<'_>, field: &Field, keyword: &str, types: &[&str]) -> Option<Value> {
    flatten::variants(bench.root.schema, &field.schema)
        .into_iter()
        .find(|keywords| {
            let declared = keywords.get("type").map(type_names).unwrap_or_default();
            keywords.contains_key(keyword) && types.iter().any(|name| declared.contains(name))
        })?
        .shift_remove(keyword)
}
