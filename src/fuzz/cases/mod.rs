//! The inputs for one tool: arguments that fit its schema, then the same
//! arguments bent in one way each.
//!
//! A case that claims to break the schema is kept only when the compiled schema
//! refuses it and takes it again with that one bend undone. So each case breaks
//! what its label says and nothing else. Edge cases are kept only when the
//! schema takes them.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod bench;
mod bend;
mod broken;
mod edge;
mod fields;
pub mod labels;
mod limits;
mod near;
mod optional;
mod room;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use self::bench::Bench;
use super::generate::{self, Context, Root};
use super::{flatten, tidy};
use crate::model::fuzz::{Case, CaseClass};
use crate::schema::compile::{self, Validator};

/// The largest schema, as JSON text, that arguments are made for. The work grows
/// faster than the schema, and a model could not read a larger one anyway.
const MAX_SCHEMA_BYTES: usize = 256 * 1024;

/// The key that no tool asks for.
const GARBAGE_KEY: &str = "__mcprobe_garbage__";

/// All inputs for one tool, in the order in which they are sent.
#[derive(Debug, Clone, Default)]
pub struct CaseSet {
    /// The inputs; empty when not even valid arguments could be made.
    pub cases: Vec<Case>,
    /// What was left out or could not be judged, a sentence each.
    pub notes: Vec<String>,
}

/// What cases are made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseRequest<'a> {
    /// `inputSchema` as declared.
    pub schema: Option<&'a Value>,
    /// The user's own arguments, which take the place of generated ones.
    pub example: Option<&'a Value>,
    /// What is known of the tool besides its schema.
    pub context: Context<'a>,
    /// Where chance begins.
    pub seed: u64,
    /// Cases of the tool at most; the usual measure when absent.
    pub most: Option<usize>,
}

/// The cases for a tool. The same request gives the same cases, byte for byte.
pub fn cases(request: &CaseRequest<'_>) -> CaseSet {
    let mut set = all(request);
    room::keep(&mut set, request.most);
    set
}

fn all(request: &CaseRequest<'_>) -> CaseSet {
    let seed = request.seed;
    let mut set = CaseSet::default();
    let example = request.example.filter(|example| {
        let usable = example.is_object() && tidy::is_shallow(example);
        if !usable {
            set.notes
                .push("the example arguments are no object and were not used".to_owned());
        }
        usable
    });
    let schema = match usable(request.schema) {
        Ok(schema) => schema,
        Err(why) => {
            set.notes.push(why);
            let valid = example.cloned().unwrap_or_else(|| json!({}));
            push(&mut set, "valid", valid_class(example), &valid);
            push_extra_key(&mut set, &valid, None);
            return set;
        }
    };
    let root = Root::new(&schema, request.context);
    let validator = match compile::compile(&schema) {
        Ok(validator) => validator,
        Err(fault) => {
            set.notes.push(format!(
                "the input schema cannot be compiled ({}), so no case could be proven to break it",
                cut(&fault.message)
            ));
            let valid = example
                .cloned()
                .or_else(|| generate::valid_for(&root, None, seed))
                .unwrap_or_else(|| json!({}));
            push(&mut set, "valid", valid_class(example), &valid);
            return set;
        }
    };

    let example_fits = example.map(|example| validator.accepts(example) != Some(false));
    if example_fits == Some(false) {
        set.notes.push(
            "the example arguments do not fit the input schema; the bent cases start from generated ones"
                .to_owned(),
        );
    }
    let valid = match example.filter(|_| example_fits == Some(true)) {
        Some(example) => Some(example.clone()),
        None => generate::valid_for(&root, Some(&validator), seed),
    };
    if let Some(sent) = example.or(valid.as_ref()) {
        push(&mut set, "valid", valid_class(example), sent);
    }
    let Some(valid) = valid.filter(Value::is_object) else {
        set.notes
            .push("no arguments that fit the input schema could be made".to_owned());
        return set;
    };
    if validator.accepts(&valid).is_none() {
        set.notes
            .push("whether arguments fit the input schema can be judged only in part".to_owned());
    }
    Bench::new(root, &validator, valid, seed, request.most, set).fill()
}

/// The tidied schema, or why it cannot steer anything.
fn usable(schema: Option<&Value>) -> Result<Value, String> {
    let Some(schema) = schema else {
        return Err("there is no input schema; an empty object was sent".to_owned());
    };
    if !tidy::is_shallow(schema) {
        return Err(
            "the input schema nests too deep to be read; an empty object was sent".to_owned(),
        );
    }
    if !schema.is_object() {
        return Err("the input schema is no object; an empty object was sent".to_owned());
    }
    if serde_json::to_string(schema).is_ok_and(|text| text.len() > MAX_SCHEMA_BYTES) {
        return Err("the input schema is larger than 256 KiB; an empty object was sent".to_owned());
    }
    let schema = tidy::tidy(schema);
    let types = schema
        .get("type")
        .map(flatten::type_names)
        .unwrap_or_default();
    if !types.is_empty() && !types.contains(&"object") {
        return Err("the input schema describes no object; an empty object was sent".to_owned());
    }
    Ok(schema)
}

const fn valid_class(example: Option<&Value>) -> CaseClass {
    if example.is_some() {
        CaseClass::Example
    } else {
        CaseClass::Generated
    }
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(160).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}

fn case(label: &str, class: CaseClass, arguments: &Value) -> Case {
    Case {
        label: label.to_owned(),
        class,
        arguments: raw(arguments),
    }
}

fn raw(arguments: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(arguments).expect("a tree of JSON values can always be written")
}

fn push(set: &mut CaseSet, label: &str, class: CaseClass, arguments: &Value) {
    set.cases.push(case(label, class, arguments));
}

/// The valid arguments and a key that nobody asked for. Whether that breaks
/// anything is for the schema to say.
fn push_extra_key(set: &mut CaseSet, valid: &Value, validator: Option<&Validator>) {
    let mut bent = valid.clone();
    bent[unused_key(valid)] = Value::Bool(true);
    let refused = validator.and_then(|validator| validator.accepts(&bent)) == Some(false);
    let class = if refused {
        CaseClass::Malformed
    } else {
        CaseClass::ExtraKey
    };
    push(set, "extra_garbage", class, &bent);
}

fn unused_key(object: &Value) -> String {
    let mut key = GARBAGE_KEY.to_owned();
    while object.get(&key).is_some() {
        key.push('_');
    }
    key
}

#[cfg(test)]
mod tests;
