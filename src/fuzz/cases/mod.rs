//! The inputs for one tool: arguments that fit its schema, then the same
//! arguments bent in one way each.
//!
//! A case that claims to break the schema is kept only when the compiled schema
//! refuses it and takes it again with that one bend undone. So each case breaks
//! what its label says and nothing else.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod bend;
mod fields;

use serde_json::{Value, json};

use self::fields::Field;
use super::generate::{self, Root};
use super::{flatten, tidy};
use crate::model::fuzz::{Case, CaseClass};
use crate::schema::compile::{self, Validator};

/// Breaking cases that a tool gets at least, where its schema has room for them.
const ENOUGH_MALFORMED: usize = 3;
/// Cases of one kind for one tool.
const MOST_OF_A_KIND: usize = 25;
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

/// The cases for a tool with this `inputSchema`. `example` are the user's own
/// arguments, which take the place of generated ones. The same schema, example
/// and seed give the same cases, byte for byte.
pub fn cases(schema: Option<&Value>, example: Option<&Value>, seed: u64) -> CaseSet {
    let mut set = CaseSet::default();
    let example = example.filter(|example| {
        let usable = example.is_object() && tidy::is_shallow(example);
        if !usable {
            set.notes
                .push("the example arguments are no object and were not used".to_owned());
        }
        usable
    });
    let schema = match usable(schema) {
        Ok(schema) => schema,
        Err(why) => {
            set.notes.push(why);
            let valid = example.cloned().unwrap_or_else(|| json!({}));
            push(&mut set, "valid", valid_class(example), &valid);
            push_extra_key(&mut set, &valid, None);
            return set;
        }
    };
    let validator = match compile::compile(&schema) {
        Ok(validator) => validator,
        Err(fault) => {
            set.notes.push(format!(
                "the input schema cannot be compiled ({}), so no case could be proven to break it",
                cut(&fault.message)
            ));
            let valid = example
                .cloned()
                .or_else(|| generate::valid_for(&Root::new(&schema), None, seed))
                .unwrap_or_else(|| json!({}));
            push(&mut set, "valid", valid_class(example), &valid);
            return set;
        }
    };

    let root = Root::new(&schema);
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
    let mut fields = fields::of_arguments(&schema, &valid);
    if fields.len() > fields::MAX_FIELDS {
        fields.truncate(fields::MAX_FIELDS);
        set.notes.push(format!(
            "only the first {} properties were tried",
            fields::MAX_FIELDS
        ));
    }
    Bench {
        good: fields
            .iter()
            .map(|field| good(&root, &validator, &valid, field, seed))
            .collect(),
        fields,
        schema,
        validator,
        valid,
        set,
    }
    .fill()
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

fn push(set: &mut CaseSet, label: &str, class: CaseClass, arguments: &Value) {
    let arguments = serde_json::value::to_raw_value(arguments)
        .expect("a tree of JSON values can always be written");
    set.cases.push(Case {
        label: label.to_owned(),
        class,
        arguments,
    });
}

/// The valid arguments and a key that nobody asked for. Whether that breaks
/// anything is for the schema to say.
fn push_extra_key(set: &mut CaseSet, valid: &Value, validator: Option<&Validator>) {
    let mut key = GARBAGE_KEY.to_owned();
    while valid.get(&key).is_some() {
        key.push('_');
    }
    let mut bent = valid.clone();
    bent[key] = Value::Bool(true);
    let refused = validator.and_then(|validator| validator.accepts(&bent)) == Some(false);
    let class = if refused {
        CaseClass::Malformed
    } else {
        CaseClass::ExtraKey
    };
    push(set, "extra_garbage", class, &bent);
}

/// The field's good value: its own in the valid arguments, or one with which
/// the arguments stay valid. `None` when there is none.
fn good(
    root: &Root<'_>,
    validator: &Validator,
    valid: &Value,
    field: &Field,
    seed: u64,
) -> Option<Value> {
    if let Some(value) = field.value(valid) {
        return Some(value.clone());
    }
    let value = generate::property(root, &field.schema, &field.name, seed)?;
    let with = field.with(valid, value.clone())?;
    (validator.accepts(&with) != Some(false)).then_some(value)
}

/// Where one tool's cases are made.
struct Bench {
    schema: Value,
    validator: Validator,
    valid: Value,
    fields: Vec<Field>,
    /// For each field the value that is right there, where one was found.
    good: Vec<Option<Value>>,
    set: CaseSet,
}

impl Bench {
    fn fill(mut self) -> CaseSet {
        let top: Vec<Field> = self
            .fields
            .iter()
            .filter(|field| field.is_top())
            .cloned()
            .collect();
        self.each("missing_required", &top, Self::missing);
        self.each("wrong_type", &top, Self::wrong_type);
        self.each("out_of_enum", &top, Self::out_of_enum);
        push_extra_key(&mut self.set, &self.valid, Some(&self.validator));
        self.coerced(&top);

        let nested: Vec<Field> = self
            .fields
            .iter()
            .filter(|field| !field.is_top())
            .cloned()
            .collect();
        self.until_enough("missing_required", &nested, Self::missing);
        self.until_enough("wrong_type", &nested, Self::wrong_type);
        self.until_enough("null_for", &top, |_, _| Some(Value::Null));
        self.until_enough("too_short", &top, |_, field| bend::too_short(field));
        self.until_enough("out_of_range", &top, |_, field| bend::out_of_range(field));
        self.until_enough("list_for", &top, |_, _| Some(json!([{}])));
        self.set
    }

    /// One case for each field that can be bent this way.
    fn each(
        &mut self,
        kind: &str,
        fields: &[Field],
        bend: impl Fn(&Self, &Field) -> Option<Value>,
    ) {
        let before = self.set.cases.len();
        for (at, field) in fields.iter().enumerate() {
            if self.set.cases.len() - before >= MOST_OF_A_KIND {
                self.set.notes.push(format!(
                    "`{kind}` cases stop after {MOST_OF_A_KIND}; {} properties were not tried",
                    fields.len() - at
                ));
                return;
            }
            self.try_one(kind, field, &bend);
        }
    }

    /// As [`Self::each`], and only as long as the tool has too few breaking cases.
    fn until_enough(
        &mut self,
        kind: &str,
        fields: &[Field],
        bend: impl Fn(&Self, &Field) -> Option<Value>,
    ) {
        for field in fields {
            let malformed = self
                .set
                .cases
                .iter()
                .filter(|case| case.class == CaseClass::Malformed);
            if malformed.count() >= ENOUGH_MALFORMED {
                return;
            }
            self.try_one(kind, field, &bend);
        }
    }

    fn try_one(
        &mut self,
        kind: &str,
        field: &Field,
        bend: &impl Fn(&Self, &Field) -> Option<Value>,
    ) {
        let Some(value) = bend(self, field) else {
            return;
        };
        let arguments = if kind == "missing_required" {
            field.without(&self.valid)
        } else if self.good(field).is_some() {
            field.with(&self.valid, value)
        } else {
            // Whatever stands here, the arguments break: it proves nothing.
            None
        };
        if let Some(arguments) = arguments.filter(|arguments| self.refuses(arguments)) {
            let label = format!("{kind}:{}", field.label);
            push(&mut self.set, &label, CaseClass::Malformed, &arguments);
        }
    }

    fn refuses(&self, arguments: &Value) -> bool {
        self.validator.accepts(arguments) == Some(false)
    }

    fn good(&self, field: &Field) -> Option<&Value> {
        self.good.get(field.index)?.as_ref()
    }

    fn missing(&self, field: &Field) -> Option<Value> {
        (field.required && field.value(&self.valid).is_some()).then_some(Value::Null)
    }

    fn wrong_type(&self, field: &Field) -> Option<Value> {
        let types = fields::declared_types(&self.schema, &field.schema)?;
        bend::wrong_types(&types).into_iter().find(|value| {
            field
                .with(&self.valid, value.clone())
                .is_some_and(|bent| self.refuses(&bent))
        })
    }

    fn out_of_enum(&self, field: &Field) -> Option<Value> {
        let allowed = fields::allowed_values(&self.schema, &field.schema)?;
        bend::outside(&allowed)
    }

    /// One value that converts harmlessly: a number or boolean as text, or a
    /// number where a text that may be a number is asked for.
    fn coerced(&mut self, fields: &[Field]) {
        let (given, left_out): (Vec<&Field>, Vec<&Field>) = fields
            .iter()
            .partition(|field| field.value(&self.valid).is_some());
        let in_turn: Vec<&Field> = given.into_iter().chain(left_out).collect();
        let found = [
            bend::Coercion::NumberAsText,
            bend::Coercion::BooleanAsText,
            bend::Coercion::TextAsNumber,
        ]
        .into_iter()
        .find_map(|coercion| {
            in_turn
                .iter()
                .find_map(|field| self.coerce(field, coercion))
        });
        if let Some((label, bent)) = found {
            push(&mut self.set, &label, CaseClass::Coercion, &bent);
        }
    }

    fn coerce(&self, field: &Field, coercion: bend::Coercion) -> Option<(String, Value)> {
        let types = fields::declared_types(&self.schema, &field.schema)?;
        let good = self.good(field)?;
        let (good, bent) = bend::coerce(coercion, &types, good)?;
        // What the server makes of it must be welcome, or nothing was harmless.
        let converted = field.with(&self.valid, good)?;
        let bent = field.with(&self.valid, bent)?;
        (!self.refuses(&converted) && self.refuses(&bent))
            .then(|| (format!("coerced:{}", field.label), bent))
    }
}

#[cfg(test)]
mod tests;
