//! Arguments that fit a schema: minimal, plausible, the same for the same seed.
//!
//! A schema is first worked into plain keyword maps (`flatten`). For each of
//! them candidates are made by type, and what cannot be right by construction is
//! checked on the spot. The whole has to pass the compiled schema; when it does
//! not, the next round tries another style.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod keywords;
mod number;
mod pattern;
mod place;
mod quoted;
mod root;
mod scratch;
mod structure;
mod style;
mod text;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;
use serde_json::{Map, Value, json};

use self::keywords::{CHECKED, has_checked, is_one_of, refers, types};
use self::number::NumberKind;
use self::place::{Place, Shape};
pub use self::root::Context;
pub(super) use self::root::Root;
pub use self::scratch::Touch;
use self::style::{Literals, ROUNDS, Style};
use super::flatten::{self, type_names};
use super::tidy;
use crate::schema::compile::{self, Validator};

/// An arguments object that fits the whole schema, or `None` when none could be
/// built. Optional properties are left out. The same schema and seed give the
/// same value.
///
/// Where the schema cannot be judged (it does not compile, or holds something
/// that no validator can tell), the value is the best that could be made.
pub fn valid(schema: &Value, seed: u64) -> Option<Value> {
    if !tidy::is_shallow(schema) {
        return None;
    }
    let schema = tidy::tidy(schema);
    let validator = compile::compile(&schema).ok();
    let root = Root::new(&schema, Context::default());
    valid_for(&root, validator.as_ref(), seed)
}

/// [`valid`] for a tidied schema whose validator is at hand.
pub(super) fn valid_for(
    root: &Root<'_>,
    validator: Option<&Validator>,
    seed: u64,
) -> Option<Value> {
    let mut unjudged = None;
    for (round, style) in ROUNDS.iter().enumerate() {
        let mut generator = Generator::new(root, seed.wrapping_add(round as u64), *style);
        let Some(value) = generator.value(root.schema, &Place::ROOT) else {
            continue;
        };
        match validator.and_then(|validator| validator.accepts(&value)) {
            Some(true) => return Some(value),
            None if unjudged.is_none() => unjudged = Some(value),
            None | Some(false) => {}
        }
    }
    unjudged
}

/// A value for one property of a schema.
pub(super) fn property(root: &Root<'_>, schema: &Value, name: &str, seed: u64) -> Option<Value> {
    let mut generator = Generator::for_part(root, seed, ROUNDS[0]);
    generator.value(schema, &Place::ROOT.property(name, Shape::Free))
}

/// Several values for one property, made without what its author offers.
pub(super) fn alternatives(root: &Root<'_>, schema: &Value, name: &str, seed: u64) -> Vec<Value> {
    let mut generator = Generator::for_part(root, seed, ROUNDS[1]);
    let place = Place::ROOT.property(name, Shape::Free);
    let mut found: Vec<Value> = Vec::new();
    for salt in 0..ALTERNATIVES {
        let place = Place {
            salt,
            ..place.clone()
        };
        let value = generator.value(schema, &place);
        found.extend(value.filter(|value| !found.contains(value)));
    }
    found
}

/// The validator of one part of the schema, by the dialect and with the
/// definitions of the whole; `None` when it cannot be compiled.
pub(super) fn part(root: &Root<'_>, part: &Value) -> Option<Validator> {
    let mut alone = json!({ "allOf": [part] });
    for keyword in ["$schema", "$defs", "definitions"] {
        if let Some(value) = root.schema.get(keyword)
            && (keyword == "$schema" || refers(part))
        {
            alone[keyword] = value.clone();
        }
    }
    compile::compile(&alone).ok()
}

/// Deeper values are not made: required recursion has no end.
const MAX_DEPTH: usize = 14;
/// Values made for one answer; long texts count more than once.
const MAX_VALUES: usize = 4_000;
/// Bytes of text that count as one value.
const TEXT_SHARE: usize = 256;
/// Different values made for one property.
const ALTERNATIVES: usize = 4;

struct Generator<'a> {
    whole: &'a Root<'a>,
    root: &'a Value,
    style: Style,
    rng: ChaCha8Rng,
    values_left: usize,
    checks_left: usize,
}

/// A value to try.
struct Candidate {
    value: Value,
    /// Right by construction, as far as we can tell.
    sure: bool,
}

impl<'a> Generator<'a> {
    fn new(root: &'a Root<'a>, seed: u64, style: Style) -> Self {
        Self {
            whole: root,
            root: root.schema,
            style,
            rng: ChaCha8Rng::seed_from_u64(seed),
            values_left: MAX_VALUES,
            checks_left: root.checks,
        }
    }

    /// For one of many parts: it gets a smaller share of the work.
    fn for_part(root: &'a Root<'a>, seed: u64, style: Style) -> Self {
        let mut generator = Self::new(root, seed, style);
        generator.values_left /= 20;
        generator.checks_left /= 20;
        generator
    }

    /// A value for the schema: the first candidate of its first feasible variant.
    fn value(&mut self, schema: &Value, place: &Place) -> Option<Value> {
        if place.depth > MAX_DEPTH || self.values_left == 0 {
            return None;
        }
        self.values_left -= 1;
        let mut variants = flatten::variants(self.root, schema);
        // Something rather than null, where there is a choice.
        variants.sort_by_key(|keywords| keywords.get("type") == Some(&json!("null")));

        let mut judge = Judge::Unasked;
        let mut unsure = None;
        for keywords in &variants {
            let needs_check =
                has_checked(schema) || CHECKED.iter().any(|key| keywords.contains_key(*key));
            for literal in self.literals(keywords, place) {
                let fits_shape = place.shape == Shape::Free || literal.is_object();
                if fits_shape && self.judged(&mut judge, schema, &literal) != Some(false) {
                    return Some(literal);
                }
            }
            if keywords.contains_key("enum") || keywords.contains_key("const") {
                continue;
            }
            for type_name in types(keywords, place) {
                for candidate in self.candidates(type_name, keywords, place) {
                    let verdict = if needs_check || !candidate.sure {
                        self.judged(&mut judge, schema, &candidate.value)
                    } else {
                        Some(true)
                    };
                    match verdict {
                        Some(true) => return Some(candidate.value),
                        None if candidate.sure => return Some(candidate.value),
                        None => {
                            unsure.get_or_insert(candidate.value);
                        }
                        Some(false) => {}
                    }
                }
            }
        }
        unsure
    }

    /// What the schema's author offers, in order: an example, the default, the
    /// allowed values, what a description quotes.
    fn literals(&self, keywords: &Map<String, Value>, place: &Place) -> Vec<Value> {
        let takes_offers = self.style.literals == Literals::Used && place.salt == 0;
        let mut offered = Vec::new();
        if takes_offers {
            let examples = keywords.get("examples").and_then(Value::as_array);
            offered.extend(examples.into_iter().flatten().take(3));
            offered.extend(keywords.get("default").filter(|value| !value.is_null()));
        }
        let allowed = keywords.get("enum").and_then(Value::as_array);
        offered.extend(allowed.into_iter().flatten().skip(place.salt).take(50));
        offered.extend(keywords.get("const"));
        let lists_all = allowed.is_some() || keywords.contains_key("const");
        let mut offered: Vec<Value> = offered.into_iter().cloned().collect();
        if takes_offers && !lists_all {
            offered.extend(self.quoted(keywords, place));
        }
        offered
    }

    /// Values of the right type that the property's description quotes as
    /// examples, then those of its list's and of the tool's.
    fn quoted(&self, keywords: &Map<String, Value>, place: &Place) -> Vec<Value> {
        let types = keywords.get("type").map(type_names).unwrap_or_default();
        let own = keywords.get("description").and_then(Value::as_str);
        let of_list = place.list_description.as_deref();
        let mut texts: Vec<String> = [own, of_list]
            .into_iter()
            .flatten()
            .flat_map(quoted::examples)
            .map(|quoted| quoted.text)
            .collect();
        texts.extend(self.whole.quoted_for(place).map(str::to_owned));
        let mut values = Vec::new();
        for text in texts {
            // Quoted JSON is meant as such only where a text is not.
            let meant = match types.as_slice() {
                [] => Some(Value::from(text)),
                types if types.contains(&"string") => Some(Value::from(text)),
                types => serde_json::from_str(&text)
                    .ok()
                    .filter(|value| is_one_of(value, types) && tidy::is_shallow(value)),
            };
            values.extend(meant);
        }
        values
    }

    fn candidates(
        &mut self,
        type_name: &str,
        keywords: &Map<String, Value>,
        place: &Place,
    ) -> Vec<Candidate> {
        let sure = |value: Value| Candidate { value, sure: true };
        match type_name {
            "string" => {
                let paths = &self.whole.paths;
                let texts = text::texts(keywords, &place.words, paths, place.salt, &mut self.rng);
                let made = texts.plausible.iter().chain(&texts.from_pattern);
                let bytes: usize = made.map(String::len).sum();
                self.values_left = self.values_left.saturating_sub(bytes / TEXT_SHARE);
                let has_pattern = keywords.contains_key("pattern");
                let plausible = texts.plausible.into_iter().map(|text| Candidate {
                    value: Value::from(text),
                    sure: !has_pattern,
                });
                let made = texts.from_pattern.into_iter().map(Value::from).map(sure);
                plausible.chain(made).collect()
            }
            "integer" | "number" => {
                let kind = if type_name == "integer" {
                    NumberKind::Whole
                } else {
                    NumberKind::Any
                };
                number::numbers(keywords, kind, &place.words, place.salt)
                    .into_iter()
                    .map(sure)
                    .collect()
            }
            "boolean" => {
                let first = place.salt % 2 == 1;
                vec![sure(Value::from(first)), sure(Value::from(!first))]
            }
            "null" => vec![sure(Value::Null)],
            "array" => self.arrays(keywords, place).into_iter().map(sure).collect(),
            "object" => self.object(keywords, place).into_iter().map(sure).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the value fits this part of the schema; `None` when that cannot
    /// be told here. The whole is judged at the end in any case.
    fn judged(&mut self, judge: &mut Judge, schema: &Value, value: &Value) -> Option<bool> {
        if matches!(judge, Judge::Unasked) {
            *judge = self.judge(schema);
        }
        match judge {
            Judge::Ready(validator) => validator.accepts(value),
            Judge::Unasked | Judge::Absent => None,
        }
    }

    fn judge(&mut self, schema: &Value) -> Judge {
        if self.checks_left == 0 {
            return Judge::Absent;
        }
        self.checks_left -= 1;
        match part(self.whole, schema) {
            Some(validator) => Judge::Ready(Box::new(validator)),
            None => Judge::Absent,
        }
    }
}

/// A part's validator, compiled when first needed.
enum Judge {
    Unasked,
    Ready(Box<Validator>),
    Absent,
}

#[cfg(test)]
mod tests;
