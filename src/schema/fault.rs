//! What is wrong with a schema: meta-schema, patterns, references.

use std::sync::LazyLock;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value, json};

use super::compile::SchemaFault;
use super::dialect::{Declared, Dialect};
use super::localise::References;
use super::{pattern, plain, pointer, seats};
use crate::protocol::json::MAX_DEPTH;

/// Values in one schema that are looked at.
const MAX_VALUES: usize = 100_000;

/// The first fault of a schema in its declared dialect, 2020-12 by default.
///
/// `None` when there is none, and when the schema is too deep or too large to
/// be judged. A reference out of the document is no fault.
pub fn fault(schema: &Value) -> Option<SchemaFault> {
    if plain::is_surely_valid(schema) {
        return None;
    }
    match inspect(schema, Declared::of(schema).dialect()) {
        Inspection::Faulty(fault) => Some(fault),
        Inspection::Sound(_) | Inspection::NotJudged(_) => None,
    }
}

/// The same for one given dialect.
pub fn fault_in(schema: &Value, dialect: Dialect) -> Option<SchemaFault> {
    match inspect(schema, dialect) {
        Inspection::Faulty(fault) => Some(fault),
        Inspection::Sound(_) | Inspection::NotJudged(_) => None,
    }
}

/// What an inspection comes to.
pub(super) enum Inspection {
    Sound(References),
    Faulty(SchemaFault),
    NotJudged(&'static str),
}

pub(super) fn inspect(schema: &Value, dialect: Dialect) -> Inspection {
    if !is_within(schema, MAX_DEPTH, MAX_VALUES) {
        return Inspection::NotJudged("it is too deep or too large to be judged");
    }
    let meta = meta_validator(dialect);
    if !meta.is_valid(schema) {
        return Inspection::Faulty(explain(meta, schema));
    }
    let mut fault = None;
    if let Value::Object(keywords) = schema {
        find_bad_pattern(keywords, &mut String::new(), &mut fault);
    }
    if let Some(fault) = fault {
        return Inspection::Faulty(fault);
    }
    let references = References::of(schema, dialect);
    match references.fault(schema) {
        Some(fault) => Inspection::Faulty(fault),
        None => Inspection::Sound(references),
    }
}

/// Whether a value nests at most so deep and holds at most so many values.
/// Does not recurse.
pub(super) fn is_within(value: &Value, depth: usize, values: usize) -> bool {
    let (mut pending, mut seen) = (vec![(value, 0)], 0);
    while let Some((value, at)) = pending.pop() {
        seen += 1;
        if at > depth || seen > values {
            return false;
        }
        match value {
            Value::Array(elements) => pending.extend(elements.iter().map(|v| (v, at + 1))),
            Value::Object(members) => pending.extend(members.values().map(|v| (v, at + 1))),
            _ => {}
        }
    }
    true
}

/// The meta-schema of a dialect, without its `format`s: patterns and
/// identifiers are judged here by better engines.
fn meta_validator(dialect: Dialect) -> &'static jsonschema::Validator {
    type Meta = LazyLock<jsonschema::Validator>;
    static METAS: [Meta; 5] = [
        LazyLock::new(|| build_meta(Dialect::Draft4)),
        LazyLock::new(|| build_meta(Dialect::Draft6)),
        LazyLock::new(|| build_meta(Dialect::Draft7)),
        LazyLock::new(|| build_meta(Dialect::Draft201909)),
        LazyLock::new(|| build_meta(Dialect::Draft202012)),
    ];
    &METAS[dialect as usize]
}

fn build_meta(dialect: Dialect) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(dialect.draft())
        .should_validate_formats(false)
        .build(&json!({ "$ref": dialect.uri() }))
        .expect("the meta-schemas of all drafts come with the engine")
}

fn explain(meta: &jsonschema::Validator, schema: &Value) -> SchemaFault {
    match meta.validate(schema) {
        Ok(()) => SchemaFault {
            pointer: String::new(),
            message: "it does not fit its meta-schema".to_owned(),
        },
        Err(error) => {
            let error = innermost(&error);
            let pointer = error.instance_path().to_string();
            let is_alternative = matches!(error.kind(), ValidationErrorKind::AnyOf { .. });
            let message = if is_alternative && pointer.ends_with("/type") {
                format!("{} is no type of JSON Schema", error.instance())
            } else {
                error.to_string()
            };
            SchemaFault { pointer, message }
        }
    }
}

/// Of an error about alternatives, the one that got furthest.
fn innermost<'e, 'i>(error: &'e ValidationError<'i>) -> &'e ValidationError<'i> {
    let mut error = error;
    while let ValidationErrorKind::AnyOf { context }
    | ValidationErrorKind::OneOfNotValid { context } = error.kind()
    {
        let depth =
            |error: &ValidationError<'_>| pointer::tokens(&error.instance_path().to_string()).len();
        let here = depth(error);
        let mut best: Option<&'e ValidationError<'i>> = None;
        for inner in context.iter().flatten() {
            if depth(inner) > best.map_or(here, depth) {
                best = Some(inner);
            }
        }
        let Some(inner) = best else {
            return error;
        };
        error = inner;
    }
    error
}

fn find_bad_pattern(
    keywords: &Map<String, Value>,
    at: &mut String,
    fault: &mut Option<SchemaFault>,
) {
    if fault.is_some() {
        return;
    }
    let own = keywords.get("pattern").and_then(Value::as_str);
    let named = match keywords.get("patternProperties") {
        Some(Value::Object(named)) => Some(named.keys()),
        _ => None,
    };
    let all = own.map(|pattern| ("pattern", pattern)).into_iter().chain(
        named
            .into_iter()
            .flatten()
            .map(|key| ("patternProperties", key.as_str())),
    );
    for (keyword, pattern) in all {
        if let Some(reason) = pattern::illegal(pattern) {
            let mut pointer = at.clone();
            pointer::push(&mut pointer, keyword);
            if keyword == "patternProperties" {
                pointer::push(&mut pointer, pattern);
            }
            *fault = Some(SchemaFault {
                pointer,
                message: format!("the pattern {pattern:?} does not compile: {reason}"),
            });
            return;
        }
    }
    seats::each(keywords, &mut |sub| {
        if let Value::Object(keywords) = sub.schema {
            let length = at.len();
            sub.push_to(at);
            find_bad_pattern(keywords, at, fault);
            at.truncate(length);
        }
    });
}
