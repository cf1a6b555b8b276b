//! Objects and arrays: which members they need, and enough of them.

use serde_json::{Map, Value, json};

use super::Generator;
use super::place::{Place, Shape};
use super::style::{Arrays, Fill};
use super::text::length;
use crate::fuzz::flatten;

/// More elements or members than this are not made.
const MOST: usize = 500;
/// Values tried for one member of a set.
const SALTS: usize = 24;
/// Elements are made where none are asked for down to this depth; below it
/// recursive schemas would unfold for nothing.
const TELLING_DEPTH: usize = 3;

impl Generator<'_> {
    /// The object with its required members; `None` when one of them has no value.
    pub(super) fn object(&mut self, keywords: &Map<String, Value>, place: &Place) -> Option<Value> {
        let mut keywords = keywords.clone();
        let mut made = Map::new();
        // Each name may bring others along (`dependentRequired`).
        loop {
            let missing = self.wanted(&keywords, &made);
            if missing.is_empty() {
                break;
            }
            if made.len() + missing.len() > MOST {
                return None;
            }
            for name in missing {
                let schema = self.member_schema(&keywords, &name)?;
                let value = self.value(&schema, &place.property(&name, Shape::Free))?;
                if let Some(more) = dependent_schema(&keywords, &name) {
                    let both = json!({"allOf": [Value::Object(keywords), more]});
                    keywords = flatten::variants(self.root, &both).into_iter().next()?;
                }
                made.insert(name, value);
            }
        }
        let least = length(&keywords, "minProperties").unwrap_or(0);
        if made.len() < least {
            self.add_members(&keywords, place, &mut made, least);
        }
        Some(Value::Object(made))
    }

    /// Names that have to be there and are not yet: declared ones in their
    /// order, then the rest.
    fn wanted(&self, keywords: &Map<String, Value>, made: &Map<String, Value>) -> Vec<String> {
        let mut required: Vec<&str> = strings(keywords.get("required"));
        for keyword in ["dependentRequired", "dependencies"] {
            for (name, needs) in keywords
                .get(keyword)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                if made.contains_key(name) {
                    required.extend(strings(Some(needs)));
                }
            }
        }
        let declared = keywords.get("properties").and_then(Value::as_object);
        let declared = declared.into_iter().flat_map(Map::keys).map(String::as_str);
        let everything = self.style.fill == Fill::Everything;
        let mut names: Vec<String> = Vec::new();
        let all = declared
            .filter(|name| everything || required.contains(name))
            .chain(required.iter().copied());
        for name in all {
            if !made.contains_key(name) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The schema that a member of this name has to fit; `None` when no such
    /// member is allowed.
    fn member_schema(&mut self, keywords: &Map<String, Value>, name: &str) -> Option<Value> {
        let declared = keywords.get("properties").and_then(|all| all.get(name));
        let mut parts: Vec<Value> = declared.into_iter().cloned().collect();
        let patterned = keywords.get("patternProperties").and_then(Value::as_object);
        for (pattern, schema) in patterned.into_iter().flatten() {
            let pattern = json!({ "pattern": pattern });
            let mut judge = self.judge(&pattern);
            if self.judged(&mut judge, &pattern, &Value::from(name)) == Some(true) {
                parts.push(schema.clone());
            }
        }
        if parts.is_empty() {
            parts.extend(keywords.get("additionalProperties").cloned());
        }
        match parts.len() {
            0 => Some(Value::Bool(true)),
            1 => parts.pop().filter(|schema| schema != &Value::Bool(false)),
            _ => Some(json!({ "allOf": parts })),
        }
    }

    /// Adds optional members, declared ones first, until there are enough.
    fn add_members(
        &mut self,
        keywords: &Map<String, Value>,
        place: &Place,
        made: &mut Map<String, Value>,
        least: usize,
    ) {
        let declared = keywords.get("properties").and_then(Value::as_object);
        let mut names: Vec<String> = declared.into_iter().flat_map(Map::keys).cloned().collect();
        if least <= MOST {
            names.extend(self.invented_names(keywords, least));
        }
        for name in names {
            if made.len() >= least {
                return;
            }
            if made.contains_key(&name) {
                continue;
            }
            let value = self
                .member_schema(keywords, &name)
                .and_then(|schema| self.value(&schema, &place.property(&name, Shape::Free)));
            if let Some(value) = value {
                made.insert(name, value);
            }
        }
    }

    /// Names that `propertyNames` and `patternProperties` let through.
    fn invented_names(&mut self, keywords: &Map<String, Value>, count: usize) -> Vec<String> {
        let rule = keywords.get("propertyNames").cloned();
        let mut schemas = vec![rule.clone().unwrap_or(Value::Bool(true))];
        let patterned = keywords.get("patternProperties").and_then(Value::as_object);
        for pattern in patterned.into_iter().flat_map(Map::keys) {
            let rule = rule.clone().unwrap_or(Value::Bool(true));
            schemas.push(json!({"allOf": [rule, {"pattern": pattern}]}));
        }
        let place = Place::ROOT.property("key", Shape::Free);
        let mut names = Vec::new();
        for schema in schemas {
            let typed = json!({"allOf": [{"type": "string"}, schema]});
            for salt in 0..count + 4 {
                let place = Place {
                    salt,
                    ..place.clone()
                };
                if let Some(Value::String(name)) = self.value(&typed, &place)
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Arrays to try: a telling one, then the shortest.
    pub(super) fn arrays(&mut self, keywords: &Map<String, Value>, place: &Place) -> Vec<Value> {
        let least = length(keywords, "minItems").unwrap_or(0);
        let most = length(keywords, "maxItems").unwrap_or(usize::MAX);
        if least > MOST || least > most {
            return Vec::new();
        }
        let describes = ["items", "prefixItems"]
            .iter()
            .any(|key| keywords.get(*key).is_some_and(|items| !items.is_boolean()));
        let telling =
            describes && self.style.arrays == Arrays::Telling && place.depth <= TELLING_DEPTH;
        let prefix = prefix(keywords).len();
        let wanted = if telling { prefix.max(1).min(most) } else { 0 };
        let mut lengths = vec![wanted.max(least), least];
        lengths.dedup();
        lengths
            .into_iter()
            .filter_map(|length| self.array(keywords, place, length))
            .collect()
    }

    fn array(
        &mut self,
        keywords: &Map<String, Value>,
        place: &Place,
        length_wanted: usize,
    ) -> Option<Value> {
        let prefix = prefix(keywords);
        let rest = rest(keywords);
        let unique = keywords.get("uniqueItems") == Some(&Value::Bool(true));
        let mut needed = match keywords.get("contains") {
            Some(_) => length(keywords, "minContains").unwrap_or(1),
            None => 0,
        };
        let description = keywords.get("description").and_then(Value::as_str);
        let description = description.map(str::to_owned);
        let mut made: Vec<Value> = Vec::new();
        while made.len() < length_wanted || needed > 0 {
            if made.len() >= MOST {
                return None;
            }
            let mut schema = match prefix.get(made.len()) {
                Some(schema) => (*schema).clone(),
                None => rest.clone(),
            };
            if let Some(contained) = keywords.get("contains")
                && needed > 0
                && made.len() >= prefix.len()
            {
                schema = json!({"allOf": [contained, schema]});
                needed -= 1;
            }
            let first = if unique { made.len() } else { 0 };
            let element = (first..first + SALTS)
                .chain(0..first.min(SALTS))
                .find_map(|salt| {
                    let place = Place {
                        list_description: description.clone(),
                        ..place.element(salt)
                    };
                    self.value(&schema, &place)
                        .filter(|element| !unique || !made.contains(element))
                })?;
            made.push(element);
        }
        Some(Value::Array(made))
    }
}

/// The schemas of the first elements, in either spelling.
fn prefix(keywords: &Map<String, Value>) -> Vec<&Value> {
    let list = ["prefixItems", "items"]
        .iter()
        .find_map(|key| keywords.get(*key)?.as_array());
    list.into_iter().flatten().collect()
}

/// The schema of all further elements.
fn rest(keywords: &Map<String, Value>) -> Value {
    let keyword = match keywords.get("items") {
        Some(Value::Array(_)) => "additionalItems",
        _ => "items",
    };
    keywords.get(keyword).cloned().unwrap_or(Value::Bool(true))
}

fn dependent_schema(keywords: &Map<String, Value>, name: &str) -> Option<Value> {
    ["dependentSchemas", "dependencies"]
        .iter()
        .filter_map(|keyword| keywords.get(*keyword)?.get(name))
        .find(|schema| !schema.is_array())
        .cloned()
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
