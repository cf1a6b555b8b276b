//! Making a schema speak of itself alone.
//!
//! References are resolved here, by `$id`, anchor and pointer (JSON Schema core,
//! sections 8.2 and 9), and rewritten to plain pointers into the same document.
//! Nothing is fetched: what points out of the document becomes [`UNKNOWN`].

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use url::Url;

use super::compile::SchemaFault;
use super::dialect::Dialect;
use super::pattern::Pattern;
use super::{pointer, seats};

/// The keyword that stands where a schema cannot be judged.
pub(super) const UNKNOWN: &str = "x-mcprobe-unknown";

/// The keyword that `pattern` is renamed to, so that our engine tries it and no
/// other judges its syntax.
pub(super) const PATTERN: &str = "x-mcprobe-pattern";

/// The base of a schema that names none.
const NO_BASE: &str = "schema:///root";

/// Where the references of a schema lead, before anything is rewritten.
pub(super) struct References {
    dialect: Dialect,
    /// Resources by URI without fragment: the pointer to each.
    resources: BTreeMap<String, String>,
    /// Anchors by resource and name: the pointer to each.
    anchors: BTreeMap<(String, String), String>,
    found: Vec<Reference>,
    /// Pointers of schemas that carry identifiers.
    named: Vec<String>,
    /// Pointers of everything that sits where a schema does.
    seen: BTreeSet<String>,
    fault: Option<SchemaFault>,
}

struct Reference {
    pointer: String,
    keyword: &'static str,
    base: Option<Url>,
    target: String,
}

enum Leads {
    To(String),
    Outside,
    Nowhere,
}

impl References {
    /// Reads all references of a schema of bounded depth.
    pub(super) fn of(schema: &Value, dialect: Dialect) -> Self {
        let mut references = Self {
            dialect,
            resources: BTreeMap::new(),
            anchors: BTreeMap::new(),
            found: Vec::new(),
            named: Vec::new(),
            seen: BTreeSet::from([String::new()]),
            fault: None,
        };
        let base = Url::parse(NO_BASE).ok();
        references
            .resources
            .insert(NO_BASE.to_owned(), String::new());
        if let Value::Object(keywords) = schema {
            references.read(keywords, &mut String::new(), base.as_ref());
        }
        references
    }

    /// The first identifier or reference that is wrong.
    pub(super) fn fault(&self, schema: &Value) -> Option<SchemaFault> {
        if self.fault.is_some() {
            return self.fault.clone();
        }
        self.found.iter().find_map(|reference| {
            let Leads::Nowhere = self.resolve(reference, schema) else {
                return None;
            };
            Some(SchemaFault {
                pointer: format!("{}/{}", reference.pointer, reference.keyword),
                message: format!(
                    "unresolved reference: `{}` leads nowhere in this schema",
                    reference.target
                ),
            })
        })
    }

    /// The same schema with pointers for references and without identifiers.
    pub(super) fn rewrite(&self, schema: &Value) -> Value {
        let mut copy = schema.clone();
        for pointer in &self.named {
            if let Some(Value::Object(keywords)) = copy.pointer_mut(pointer) {
                for name in TAKEN_OUT {
                    keywords.remove(name);
                }
            }
        }
        for reference in &self.found {
            let leads = self.resolve(reference, schema);
            let Some(Value::Object(keywords)) = copy.pointer_mut(&reference.pointer) else {
                continue;
            };
            keywords.remove(reference.keyword);
            match leads {
                Leads::To(target) if !keywords.contains_key("$ref") => {
                    let fragment = format!("#{}", pointer::to_fragment(&target));
                    keywords.insert("$ref".to_owned(), fragment.into());
                }
                _ => {
                    if self.dialect.ref_hides_siblings() {
                        keywords.retain(|key, _| key == "$defs" || key == "definitions");
                    }
                    keywords.insert(UNKNOWN.to_owned(), true.into());
                }
            }
        }
        copy
    }

    fn read(&mut self, keywords: &Map<String, Value>, at: &mut String, base: Option<&Url>) {
        let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
        let refers = text("$ref").is_some();
        let mut base = base.cloned();
        if TAKEN_OUT.iter().any(|name| keywords.contains_key(*name)) {
            self.named.push(at.clone());
        }
        if !(refers && self.dialect.ref_hides_siblings())
            && let Some(id) = text(self.dialect.id_keyword())
        {
            base = self.identify(id, at, base);
        }
        let resource = base.as_ref().map(without_fragment).unwrap_or_default();
        for name in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
            self.anchors
                .entry((resource.clone(), name.to_owned()))
                .or_insert_with(|| at.clone());
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = text(keyword) {
                self.found.push(Reference {
                    pointer: at.clone(),
                    keyword,
                    base: base.clone(),
                    target: target.to_owned(),
                });
            }
        }
        seats::each(keywords, &mut |sub| {
            let length = at.len();
            sub.push_to(at);
            self.seen.insert(at.clone());
            if let Value::Object(keywords) = sub.schema {
                self.read(keywords, at, base.as_ref());
            }
            at.truncate(length);
        });
    }

    /// Takes an identifier and gives the base below it.
    fn identify(&mut self, id: &str, at: &str, base: Option<Url>) -> Option<Url> {
        if id
            .chars()
            .any(|char| char.is_control() || char.is_whitespace() || "<>\"{}|\\^`".contains(char))
        {
            self.fault.get_or_insert_with(|| SchemaFault {
                pointer: format!("{at}/{}", self.dialect.id_keyword()),
                message: format!("{id:?} is no URI reference"),
            });
            return base;
        }
        let resource = base.as_ref().map(without_fragment).unwrap_or_default();
        if let Some(name) = id.strip_prefix('#') {
            self.anchors
                .entry((resource, name.to_owned()))
                .or_insert_with(|| at.to_owned());
            return base;
        }
        let joined = match &base {
            Some(base) => base.join(id),
            None => Url::parse(id),
        };
        let joined = joined.ok()?;
        self.resources
            .entry(without_fragment(&joined))
            .or_insert_with(|| at.to_owned());
        Some(joined)
    }

    fn resolve(&self, reference: &Reference, schema: &Value) -> Leads {
        let (document, fragment) = match reference.target.split_once('#') {
            Some((document, fragment)) => (document, fragment),
            None => (reference.target.as_str(), ""),
        };
        let joined = match &reference.base {
            Some(base) if document.is_empty() => Ok(base.clone()),
            Some(base) => base.join(document),
            None => Url::parse(document),
        };
        let Ok(joined) = joined else {
            return Leads::Outside;
        };
        let resource = without_fragment(&joined);
        let Some(root) = self.resources.get(&resource) else {
            // A relative reference without any base can lead to no document.
            return if resource.starts_with("schema:///") {
                Leads::Nowhere
            } else {
                Leads::Outside
            };
        };
        let fragment = pointer::from_fragment(fragment);
        let target = if fragment.is_empty() {
            Some(root.clone())
        } else if fragment.starts_with('/') {
            Some(format!("{root}{fragment}"))
        } else {
            self.anchors.get(&(resource, fragment)).cloned()
        };
        match target {
            Some(target) if self.seen.contains(&target) => Leads::To(target),
            // Under a keyword of its own, where nothing was inspected.
            Some(target)
                if schema
                    .pointer(&target)
                    .is_some_and(|found| found.is_object() || found.is_boolean()) =>
            {
                Leads::Outside
            }
            _ => Leads::Nowhere,
        }
    }
}

/// Renames every `pattern` to [`PATTERN`], and takes out the
/// `patternProperties` whose pattern cannot be tried for sure together with
/// what depends on them.
pub(super) fn settle_patterns(schema: &mut Value) {
    let mut found: Vec<(String, Found)> = Vec::new();
    if let Value::Object(keywords) = &*schema {
        find_patterns(keywords, &mut String::new(), &mut found);
    }
    for (pointer, found) in found {
        let Some(Value::Object(keywords)) = schema.pointer_mut(&pointer) else {
            continue;
        };
        match found {
            Found::Pattern => {
                if let Some(pattern) = keywords.remove("pattern") {
                    keywords.insert(PATTERN.to_owned(), pattern);
                }
            }
            Found::Doubtful(pattern) => {
                if let Some(Value::Object(named)) = keywords.get_mut("patternProperties") {
                    named.remove(&pattern);
                }
                keywords.remove("additionalProperties");
                keywords.remove("unevaluatedProperties");
                keywords.insert(UNKNOWN.to_owned(), true.into());
            }
        }
    }
}

enum Found {
    Pattern,
    Doubtful(String),
}

fn find_patterns(keywords: &Map<String, Value>, at: &mut String, found: &mut Vec<(String, Found)>) {
    if keywords.get("pattern").is_some_and(Value::is_string) {
        found.push((at.clone(), Found::Pattern));
    }
    if let Some(Value::Object(named)) = keywords.get("patternProperties") {
        let doubtful = named.keys().filter(|key| !Pattern::is_linear(key));
        found.extend(doubtful.map(|key| (at.clone(), Found::Doubtful(key.clone()))));
    }
    seats::each(keywords, &mut |sub| {
        if let Value::Object(keywords) = sub.schema {
            let length = at.len();
            sub.push_to(at);
            find_patterns(keywords, at, found);
            at.truncate(length);
        }
    });
}

/// Identifiers, which are resolved, and our own keywords, which no server may
/// use to make itself unjudged.
const TAKEN_OUT: [&str; 9] = [
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    PATTERN,
    UNKNOWN,
];

fn without_fragment(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.into()
}
