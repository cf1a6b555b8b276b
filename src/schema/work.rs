//! How much work judging a value would be.
//!
//! `anyOf` doubled 25 times through `$ref` is a short schema and 33 million
//! evaluations. So every pair of schema and value that judging could look at
//! is counted before anything is judged. Counting stops at its budget and does
//! not recurse.

use serde_json::{Map, Value};

use super::pointer;

/// Pairs that are judged at most.
pub(super) const BUDGET: usize = 200_000;
/// Pairs up to which a verdict is also explained, which costs far more.
pub(super) const EXPLAIN_BUDGET: usize = 20_000;
/// Schemas inside each other while judging, over references too: judging
/// recurses, and must stay within a stack of 2 MiB.
const MAX_NESTING: usize = 150;

/// Whether judging `value` by `schema` takes at most `budget` pairs. References in the
/// schema are local pointers.
pub(super) fn is_within(budget: usize, schema: &Value, value: &Value) -> bool {
    static NAME: Value = Value::Null;
    let mut pending = vec![(schema, value, 0_usize)];
    let mut done = 0_usize;
    while let Some((at, value, nesting)) = pending.pop() {
        done += 1;
        if done > budget || pending.len() > budget || nesting > MAX_NESTING {
            return false;
        }
        let Value::Object(keywords) = at else {
            continue;
        };
        let mut look = |at, value| pending.push((at, value, nesting + 1));
        // Unevaluated keywords look at everything beside them again.
        let times = 1 + usize::from(keywords.keys().any(|key| key.starts_with("unevaluated")));
        for _ in 0..times {
            in_place(schema, keywords, &mut |sub| look(sub, value));
        }
        for (keyword, sub) in keywords {
            match (keyword.as_str(), value, sub) {
                ("properties", Value::Object(members), Value::Object(named)) => {
                    for (name, member) in members {
                        if let Some(sub) = named.get(name) {
                            look(sub, member);
                        }
                    }
                }
                ("patternProperties", Value::Object(members), Value::Object(named)) => {
                    for member in members.values() {
                        for sub in named.values() {
                            look(sub, member);
                        }
                    }
                }
                ("additionalProperties" | "unevaluatedProperties", Value::Object(members), sub) => {
                    for member in members.values() {
                        look(sub, member);
                    }
                }
                ("propertyNames", Value::Object(members), sub) => {
                    for _ in members {
                        look(sub, &NAME);
                    }
                }
                ("items" | "prefixItems", Value::Array(elements), Value::Array(subs)) => {
                    for (element, sub) in elements.iter().zip(subs) {
                        look(sub, element);
                    }
                }
                (
                    "items" | "additionalItems" | "unevaluatedItems" | "contains",
                    Value::Array(elements),
                    sub,
                ) => {
                    for element in elements {
                        look(sub, element);
                    }
                }
                ("enum", _, Value::Array(members)) => done += members.len() / 8,
                _ => {}
            }
        }
    }
    true
}

/// The schemas that apply to the same value.
fn in_place<'a>(
    root: &'a Value,
    keywords: &'a Map<String, Value>,
    look: &mut impl FnMut(&'a Value),
) {
    for (keyword, sub) in keywords {
        match (keyword.as_str(), sub) {
            ("allOf" | "anyOf" | "oneOf", Value::Array(subs)) => subs.iter().for_each(&mut *look),
            ("not" | "if" | "then" | "else", sub) => look(sub),
            ("dependentSchemas" | "dependencies", Value::Object(named)) => {
                named.values().for_each(&mut *look);
            }
            ("$ref", Value::String(reference)) => {
                if let Some(target) = reference
                    .strip_prefix('#')
                    .and_then(|fragment| root.pointer(&pointer::from_fragment(fragment)))
                {
                    look(target);
                }
            }
            _ => {}
        }
    }
}
