//! How far a schema reaches: what it refers to outside of itself, how deep and how
//! wide it is.

use std::collections::BTreeSet;

use serde_json::Value;

use super::dialect::Declared;
use super::seats;

/// Schemas that are looked at.
const MAX_SCHEMAS: usize = 50_000;

/// References that are kept.
const MAX_OUTWARD: usize = 100;

/// A reference that leads out of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outward {
    /// JSON pointer to the keyword.
    pub pointer: String,
    /// What it names, as written.
    pub target: String,
}

/// How much of a schema there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Schemas inside each other; 1 for a schema without subschemas.
    pub depth: usize,
    /// Schemas below the root.
    pub subschemas: usize,
}

/// References by an absolute address to another document than this one, in the order
/// of the document, 100 at most. One to an embedded resource (`$id`) stays inside; one
/// that is relative and leads nowhere is a fault of the schema.
pub fn outward(schema: &Value) -> Vec<Outward> {
    let id_keyword = Declared::of(schema).dialect().id_keyword();
    let mut ids = BTreeSet::new();
    let mut references = Vec::new();
    let mut left = MAX_SCHEMAS;
    walk(
        schema,
        &mut String::new(),
        1,
        &mut left,
        &mut |schema, at, _| {
            if let Some(id) = schema.get(id_keyword).and_then(Value::as_str) {
                ids.insert(last_segment(id).to_owned());
            }
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                let Some(target) = schema.get(keyword).and_then(Value::as_str) else {
                    continue;
                };
                if is_absolute(target) {
                    references.push(Outward {
                        pointer: format!("{at}/{keyword}"),
                        target: target.to_owned(),
                    });
                }
            }
        },
    );
    references.retain(|reference| !ids.contains(last_segment(&reference.target)));
    references.truncate(MAX_OUTWARD);
    references
}

/// Measures a schema.
pub fn size(schema: &Value) -> Size {
    let mut size = Size::default();
    let mut left = MAX_SCHEMAS;
    walk(
        schema,
        &mut String::new(),
        1,
        &mut left,
        &mut |_, _, depth| {
            size.depth = size.depth.max(depth);
            size.subschemas += usize::from(depth > 1);
        },
    );
    size
}

/// Visits every schema with its place and depth. The depth of the tree is bounded by
/// its reader.
fn walk<'a>(
    schema: &'a Value,
    at: &mut String,
    depth: usize,
    left: &mut usize,
    visit: &mut impl FnMut(&'a Value, &str, usize),
) {
    let Some(rest) = left.checked_sub(1) else {
        return;
    };
    *left = rest;
    visit(schema, at, depth);
    let Value::Object(keywords) = schema else {
        return;
    };
    seats::each(keywords, &mut |sub| {
        let length = at.len();
        sub.push_to(at);
        walk(sub.schema, at, depth + 1, left, visit);
        at.truncate(length);
    });
}

/// Whether a reference begins with a scheme (RFC 3986, section 3.1).
fn is_absolute(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else {
        return false;
    };
    let mut letters = scheme.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
}

/// What tells resources of one schema apart, without resolving addresses: the last
/// part of the path, without fragment.
fn last_segment(uri: &str) -> &str {
    let uri = uri.split('#').next().unwrap_or_default();
    uri.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_out_of_the_document_are_found_and_data_is_none() {
        let schema = json!({
            "$id": "https://example.com/root.json",
            "properties": {
                "a": {"$ref": "#/$defs/A"},
                "b": {"$ref": "root.json#/$defs/A"},
                "c": {"items": {"$ref": "https://example.com/c"}},
                "d": {"enum": [{"$ref": "https://example.com/d"}]},
                "e": {"$ref": "https://example.com/item"},
                "f": {"$ref": "other.json"},
            },
            "$defs": {"A": {}, "I": {"$id": "https://example.com/item"}},
        });
        let found = outward(&schema);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].pointer, "/properties/c/items/$ref");
        assert_eq!(found[0].target, "https://example.com/c");
    }

    #[test]
    fn depth_and_width_are_counted() {
        assert_eq!(
            size(&json!(true)),
            Size {
                depth: 1,
                subschemas: 0
            }
        );
        let schema = json!({"anyOf": [{}, {"properties": {"a": {}}}]});
        assert_eq!(
            size(&schema),
            Size {
                depth: 3,
                subschemas: 3
            }
        );
    }
}
