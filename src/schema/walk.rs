//! Every parameter of a schema, however deep it is declared.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::pointer;
use super::seats::{self, Key, Seat};

/// Schemas that are looked at in one walk.
const MAX_SCHEMAS: usize = 20_000;

/// A named property.
#[derive(Debug, Clone, Copy)]
pub struct Property<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its schema as written.
    pub schema: &'a Value,
    /// Its schema with local references followed; the same where there are none
    /// or where they lead nowhere.
    pub resolved: &'a Value,
    /// JSON pointer to the schema as written.
    pub pointer: &'a str,
    /// Whether it is declared anywhere else than in `properties` of the root.
    pub nested: bool,
}

/// Visits each property once, in the order of the document; what is reached by
/// a local `$ref` comes after what is written in place. `at` is the pointer to
/// the schema's root and stands before each property's pointer.
///
/// An alternative (`anyOf` and its kin) that only narrows a property which the
/// object around it declares already is not visited a second time.
pub fn properties(schema: &Value, at: &str, visit: &mut impl FnMut(&Property<'_>)) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let mut walk = Walk {
        root: schema,
        visit,
        seen: BTreeSet::new(),
        pending: Vec::new(),
        left: MAX_SCHEMAS,
    };
    walk.object(keywords, &mut at.to_owned(), Level::Root, &[]);
    // References wait here instead of being entered, so that a chain of them
    // does not deepen the stack.
    let mut next = 0;
    while let Some(target) = walk.pending.get(next).cloned() {
        next += 1;
        if let Some(Value::Object(keywords)) = schema.pointer(&target) {
            walk.object(keywords, &mut format!("{at}{target}"), Level::Below, &[]);
        }
    }
}

/// Follows local references from a schema to one that is none.
pub fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut at = schema;
    for _ in 0..MAX_HOPS {
        let Some(target) = local_target(at).and_then(|pointer| root.pointer(&pointer)) else {
            return at;
        };
        at = target;
    }
    at
}

/// References that are followed one after the other.
const MAX_HOPS: usize = 32;

fn local_target(schema: &Value) -> Option<String> {
    let reference = schema.get("$ref")?.as_str()?;
    let fragment = reference.strip_prefix('#')?;
    (fragment.is_empty() || fragment.starts_with('/')).then(|| pointer::from_fragment(fragment))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Below,
}

struct Walk<'a, 'v, F> {
    root: &'a Value,
    visit: &'v mut F,
    /// Reference targets that were entered or wait to be.
    seen: BTreeSet<String>,
    pending: Vec<String>,
    left: usize,
}

impl<'a, F: FnMut(&Property<'_>)> Walk<'a, '_, F> {
    /// Looks at one schema. `around` are the `properties` of the objects that
    /// speak of the same value.
    fn object(
        &mut self,
        keywords: &'a Map<String, Value>,
        at: &mut String,
        level: Level,
        around: &[&'a Map<String, Value>],
    ) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        if let Some(Value::String(_)) = keywords.get("$ref") {
            self.refer(keywords);
        }
        let own = match keywords.get("properties") {
            Some(Value::Object(named)) => Some(named),
            _ => None,
        };
        let mut beside = around.to_vec();
        beside.extend(own);
        seats::each(keywords, &mut |sub| {
            if sub.seat == Seat::Definition || matches!(sub.keyword, "not" | "if" | "propertyNames")
            {
                return;
            }
            let length = at.len();
            sub.push_to(at);
            if let ("properties", Key::Name(name)) = (sub.keyword, sub.key)
                && !around.iter().any(|named| named.contains_key(name))
            {
                (self.visit)(&Property {
                    name,
                    schema: sub.schema,
                    resolved: resolve(self.root, sub.schema),
                    pointer: at,
                    nested: level == Level::Below,
                });
            }
            if let Value::Object(keywords) = sub.schema {
                let around: &[_] = if sub.seat == Seat::InPlace {
                    &beside
                } else {
                    &[]
                };
                self.object(keywords, at, Level::Below, around);
            }
            at.truncate(length);
        });
    }

    fn refer(&mut self, keywords: &'a Map<String, Value>) {
        let reference = keywords.get("$ref").and_then(Value::as_str);
        let Some(fragment) = reference.and_then(|text| text.strip_prefix('#')) else {
            return;
        };
        let target = pointer::from_fragment(fragment);
        if !target.is_empty() && self.seen.insert(target.clone()) {
            self.pending.push(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(schema: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        properties(schema, "/s", &mut |property| {
            let nested = if property.nested { " nested" } else { "" };
            lines.push(format!(
                "{}{nested} {}",
                property.pointer, property.resolved
            ));
        });
        lines
    }

    #[test]
    fn every_place_of_a_property_is_visited_once() {
        let schema = json!({
            "properties": {
                "a": {"properties": {"b/c": {}}},
                "list": {"items": {"properties": {"d": true}}},
                "tuple": {"prefixItems": [{"properties": {"e": {}}}]},
                "map": {"additionalProperties": {"properties": {"f": {}}}},
                "ref": {"$ref": "#/$defs/Node"},
            },
            "anyOf": [{"properties": {"a": {"const": 1}, "g": {}}}],
            "not": {"properties": {"no": {}}},
            "$defs": {
                "Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}},
                "Unused": {"properties": {"no": {}}},
            },
        });
        let node = r##"{"properties":{"next":{"$ref":"#/$defs/Node"}}}"##;
        let pointers: Vec<String> = seen(&schema)
            .into_iter()
            .filter(|line| line.contains(" nested"))
            .collect();
        assert_eq!(
            pointers,
            [
                "/s/properties/a/properties/b~1c nested {}".to_owned(),
                "/s/properties/list/items/properties/d nested true".to_owned(),
                "/s/properties/tuple/prefixItems/0/properties/e nested {}".to_owned(),
                "/s/properties/map/additionalProperties/properties/f nested {}".to_owned(),
                "/s/anyOf/0/properties/g nested {}".to_owned(),
                format!("/s/$defs/Node/properties/next nested {node}"),
            ]
        );
        assert_eq!(seen(&schema).len(), 11);
    }

    #[test]
    fn circles_and_dangling_references_end() {
        let circle =
            json!({"properties": {"a": {"$ref": "#/properties/a"}, "b": {"$ref": "#/no"}}});
        assert_eq!(seen(&circle).len(), 2);
        assert_eq!(seen(&json!({"$ref": "#"})).len(), 0);
    }
}
