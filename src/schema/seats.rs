//! Where schemas sit inside a schema.
//!
//! The one table of keywords that everything here walks by. Whatever is no
//! seat (`default`, `enum`, `examples`, unknown keywords) is data.

use serde_json::{Map, Value};

use super::pointer;

/// What a subschema is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seat {
    /// The same value as its parent.
    InPlace,
    /// A part of the value.
    Part,
    /// Nothing, unless something refers to it.
    Definition,
}

/// How a keyword holds its subschemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    One,
    List,
    OneOrList,
    Named,
}

/// One subschema and the way to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sub<'a> {
    pub(super) keyword: &'a str,
    pub(super) key: Key<'a>,
    pub(super) seat: Seat,
    pub(super) schema: &'a Value,
}

/// The token below the keyword, where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'a> {
    Direct,
    Name(&'a str),
    Index(usize),
}

impl Sub<'_> {
    /// Appends the tokens from the parent schema to this one.
    pub(super) fn push_to(&self, pointer: &mut String) {
        pointer::push(pointer, self.keyword);
        match self.key {
            Key::Direct => {}
            Key::Name(name) => pointer::push(pointer, name),
            Key::Index(index) => pointer::push_index(pointer, index),
        }
    }
}

/// Visits every direct subschema, in the order of the document.
pub(super) fn each<'a>(schema: &'a Map<String, Value>, visit: &mut impl FnMut(Sub<'a>)) {
    for (keyword, value) in schema {
        let Some((seat, holds)) = seat_of(keyword) else {
            continue;
        };
        let mut found = |key, schema: &'a Value| {
            if schema.is_object() || schema.is_boolean() {
                visit(Sub {
                    keyword,
                    key,
                    seat,
                    schema,
                });
            }
        };
        match (holds, value) {
            (Holds::Named, Value::Object(named)) => {
                for (name, schema) in named {
                    found(Key::Name(name), schema);
                }
            }
            (Holds::List | Holds::OneOrList, Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    found(Key::Index(index), schema);
                }
            }
            (Holds::One | Holds::OneOrList, schema) => found(Key::Direct, schema),
            (Holds::Named | Holds::List, _) => {}
        }
    }
}

fn seat_of(keyword: &str) -> Option<(Seat, Holds)> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" => (Seat::InPlace, Holds::List),
        "not" | "if" | "then" | "else" => (Seat::InPlace, Holds::One),
        "dependentSchemas" | "dependencies" => (Seat::InPlace, Holds::Named),
        "properties" | "patternProperties" => (Seat::Part, Holds::Named),
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains" => (Seat::Part, Holds::One),
        "items" => (Seat::Part, Holds::OneOrList),
        "prefixItems" => (Seat::Part, Holds::List),
        "contentSchema" => (Seat::Definition, Holds::One),
        "$defs" | "definitions" => (Seat::Definition, Holds::Named),
        _ => return None,
    })
}
