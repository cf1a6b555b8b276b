//! Where one tool's cases are made: its valid arguments, its fields, and what
//! may be put into each of them.

use serde_json::{Value, json};

use super::fields::{self, Field};
use super::room::Candidates;
use super::{
    CaseSet, bend, broken, case, edge, limits, near, optional, push_extra_key, room, unused_key,
};
use crate::fuzz::generate::{self, Root};
use crate::model::fuzz::{Case, CaseClass};
use crate::schema::compile::Validator;

/// Breaking cases that a tool gets at least, where its schema has room for them.
const ENOUGH_MALFORMED: usize = 3;
/// Cases of one kind for one tool.
const MOST_OF_A_KIND: usize = 25;

pub(super) struct Bench<'a> {
    pub(super) root: Root<'a>,
    pub(super) validator: &'a Validator,
    /// Arguments that fit the schema.
    pub(super) valid: Value,
    /// All fields, those at the top first.
    pub(super) fields: Vec<Field>,
    pub(super) seed: u64,
    /// For each field the value that is right there, where one was found.
    good: Vec<Option<Value>>,
    /// Cases that the user allows for the tool.
    most: Option<usize>,
    set: CaseSet,
}

/// A way to bend one field: the value to put there, `None` where the way has no
/// place.
type Bend = fn(&Bench<'_>, &Field) -> Option<Value>;

/// Kinds that every tool gets as far as there is room, in the order in which
/// they are sent.
const FURTHER: [(&str, Bend); 11] = [
    ("null_for", null_for_required),
    ("too_short", broken::too_short),
    ("out_of_range", broken::out_of_range),
    ("over_maximum", broken::over_maximum),
    ("not_multiple", broken::not_multiple),
    ("fraction_for", broken::fraction),
    ("too_long", broken::too_long),
    ("bad_pattern", broken::bad_pattern),
    ("bad_format", broken::bad_format),
    ("wrong_item", broken::wrong_item),
    ("duplicate_items", broken::duplicate_items),
];

impl<'a> Bench<'a> {
    pub(super) fn new(
        root: Root<'a>,
        validator: &'a Validator,
        valid: Value,
        seed: u64,
        most: Option<usize>,
        mut set: CaseSet,
    ) -> Self {
        let mut fields = fields::of_arguments(root.schema, &valid);
        if fields.len() > fields::MAX_FIELDS {
            fields.truncate(fields::MAX_FIELDS);
            set.notes.push(format!(
                "only the first {} properties were tried",
                fields::MAX_FIELDS
            ));
        }
        let mut bench = Self {
            root,
            validator,
            valid,
            fields,
            seed,
            good: Vec::new(),
            most,
            set,
        };
        bench.good = bench
            .fields
            .iter()
            .map(|field| bench.find_good(field))
            .collect();
        bench
    }

    /// All cases, in the order in which they are sent.
    pub(super) fn fill(mut self) -> CaseSet {
        let (top, nested): (Vec<Field>, Vec<Field>) =
            self.fields.iter().cloned().partition(Field::is_top);
        self.each("missing_required", &top, missing);
        self.each("wrong_type", &top, wrong_type);
        self.each("out_of_enum", &top, out_of_enum);
        push_extra_key(&mut self.set, &self.valid, Some(self.validator));
        self.coerced(&top);

        self.further(&nested);
        let list_for: Bend = |_, _| Some(json!([{}]));
        self.until_enough("null_for", &top, |_, _| Some(Value::Null));
        self.until_enough("list_for", &top, list_for);

        for more in [optional::cases, near::cases, limits::cases, edge::cases] {
            let more = more(&self);
            self.set.cases.extend(more);
        }
        self.set
    }

    /// One case for each field that can be bent this way.
    fn each(&mut self, kind: &str, fields: &[Field], bend: Bend) {
        let mut made = 0;
        for (at, field) in fields.iter().enumerate() {
            if made >= MOST_OF_A_KIND {
                self.set.notes.push(format!(
                    "`{kind}` cases stop after {MOST_OF_A_KIND}; {} properties were not tried",
                    fields.len() - at
                ));
                return;
            }
            if let Some(case) = self.bent(kind, field, bend) {
                self.set.cases.push(case);
                made += 1;
            }
        }
    }

    /// As [`Self::each`], and only as long as the tool has too few breaking cases.
    fn until_enough(&mut self, kind: &str, fields: &[Field], bend: Bend) {
        for field in fields {
            if self.bent_arguments() >= ENOUGH_MALFORMED {
                return;
            }
            let label = format!("{kind}:{}", field.label);
            if self.set.cases.iter().any(|case| case.label == label) {
                continue;
            }
            let case = self.bent(kind, field, bend);
            self.set.cases.extend(case);
        }
    }

    /// Breaking cases that are still arguments: what replaces them whole is
    /// often refused before the tool is asked.
    fn bent_arguments(&self) -> usize {
        let cases = self.set.cases.iter();
        cases
            .filter(|case| case.class == CaseClass::Malformed)
            .filter(|case| case.arguments.get().starts_with('{'))
            .count()
    }

    fn malformed(&self) -> usize {
        let cases = self.set.cases.iter();
        cases
            .filter(|case| case.class == CaseClass::Malformed)
            .count()
    }

    /// The kinds below and beside the usual ones, as many as there is room for.
    fn further(&mut self, nested: &[Field]) {
        let mut kinds = vec![
            self.candidates("missing_required", nested, missing),
            self.candidates("wrong_type", nested, wrong_type),
            self.candidates("out_of_enum", nested, out_of_enum),
        ];
        for (kind, bend) in FURTHER {
            kinds.push(self.candidates(kind, &self.fields, bend));
        }
        kinds.push(self.nested_extra_keys());
        let list = self
            .valid
            .as_object()
            .into_iter()
            .flat_map(serde_json::Map::values);
        let list = Value::Array(list.cloned().collect());
        kinds.push(self.replaced("arguments_array", &list));
        let text = Value::from(self.valid.to_string());
        kinds.push(self.replaced("arguments_string", &text));
        let room = room::for_malformed(self.most, self.malformed());
        let (chosen, note) = room::choose(kinds, room);
        self.set.cases.extend(chosen);
        self.set.notes.extend(note);
    }

    fn candidates(&self, kind: &'static str, fields: &[Field], bend: Bend) -> Candidates {
        let cases = fields
            .iter()
            .filter_map(|field| self.bent(kind, field, bend))
            .take(MOST_OF_A_KIND)
            .collect();
        Candidates { kind, cases }
    }

    /// The valid arguments with one field bent, when the schema refuses them.
    fn bent(&self, kind: &str, field: &Field, bend: Bend) -> Option<Case> {
        let value = bend(self, field)?;
        let arguments = if kind == "missing_required" {
            field.without(&self.valid)?
        } else {
            // Where no value is right the arguments break whatever stands
            // there: it proves nothing.
            self.good(field)?;
            field.with(&self.valid, value)?
        };
        let label = format!("{kind}:{}", field.label);
        self.refuses(&arguments)
            .then(|| case(&label, CaseClass::Malformed, &arguments))
    }

    /// An unknown key in each closed object inside the arguments.
    fn nested_extra_keys(&self) -> Candidates {
        let cases = self
            .fields
            .iter()
            .filter_map(|field| {
                let mut object = field.value(&self.valid)?.clone();
                let key = unused_key(&object);
                object.as_object_mut()?.insert(key, Value::Bool(true));
                let bent = field.with(&self.valid, object)?;
                let label = format!("extra_garbage:{}", field.label);
                self.refuses(&bent)
                    .then(|| case(&label, CaseClass::Malformed, &bent))
            })
            .take(MOST_OF_A_KIND)
            .collect();
        Candidates {
            kind: "extra_garbage",
            cases,
        }
    }

    /// Something else in place of the arguments.
    fn replaced(&self, kind: &'static str, value: &Value) -> Candidates {
        let refused = self.refuses(value);
        let case = refused.then(|| case(kind, CaseClass::Malformed, value));
        Candidates {
            kind,
            cases: case.into_iter().collect(),
        }
    }

    pub(super) fn refuses(&self, arguments: &Value) -> bool {
        self.validator.accepts(arguments) == Some(false)
    }

    /// Whether the schema certainly takes the arguments.
    pub(super) fn takes(&self, arguments: &Value) -> bool {
        self.validator.accepts(arguments) == Some(true)
    }

    /// The value that is right in the field: its own, or one that could stand there.
    pub(super) fn good(&self, field: &Field) -> Option<&Value> {
        self.good.get(field.index)?.as_ref()
    }

    /// The field's own value in the valid arguments, or one with which they stay
    /// valid.
    fn find_good(&self, field: &Field) -> Option<Value> {
        if let Some(value) = field.value(&self.valid) {
            return Some(value.clone());
        }
        let value = generate::property(&self.root, &field.schema, &field.name, self.seed)?;
        let with = field.with(&self.valid, value.clone())?;
        (!self.refuses(&with)).then_some(value)
    }

    /// Values that convert harmlessly, one of each kind: a number or boolean as text,
    /// or a number where a text that may be a number is asked for; and a boolean for a
    /// number, which a check that knows no difference between them lets pass.
    fn coerced(&mut self, fields: &[Field]) {
        use bend::Coercion::{BooleanAsText, FalseForZero, NumberAsText, TextAsNumber, TrueForOne};
        let kinds: [(&str, &[bend::Coercion]); 2] = [
            ("coerced", &[NumberAsText, BooleanAsText, TextAsNumber]),
            ("boolean_for", &[TrueForOne, FalseForZero]),
        ];
        for (kind, coercions) in kinds {
            let found = coercions.iter().find_map(|coercion| {
                self.given_first(fields)
                    .find_map(|field| self.coerce(kind, field, *coercion))
            });
            self.set.cases.extend(found);
        }
    }

    /// The fields that the valid arguments hold, then the others.
    pub(super) fn given_first<'f>(
        &self,
        fields: &'f [Field],
    ) -> impl Iterator<Item = &'f Field> + use<'f> {
        let (given, left_out): (Vec<&Field>, Vec<&Field>) = fields
            .iter()
            .partition(|field| field.value(&self.valid).is_some());
        given.into_iter().chain(left_out)
    }

    fn coerce(&self, kind: &str, field: &Field, coercion: bend::Coercion) -> Option<Case> {
        let types = fields::declared_types(self.root.schema, &field.schema)?;
        let good = self.good(field)?;
        let (good, bent) = bend::coerce(coercion, &types, good)?;
        // What the server makes of it must be welcome, or nothing was harmless.
        let converted = field.with(&self.valid, good)?;
        let bent = field.with(&self.valid, bent)?;
        let label = format!("{kind}:{}", field.label);
        (!self.refuses(&converted) && self.refuses(&bent))
            .then(|| case(&label, CaseClass::Coercion, &bent))
    }
}

fn missing(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    (field.required && field.value(&bench.valid).is_some()).then_some(Value::Null)
}

fn wrong_type(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let types = fields::declared_types(bench.root.schema, &field.schema)?;
    bend::wrong_types(&types).into_iter().find(|value| {
        field
            .with(&bench.valid, value.clone())
            .is_some_and(|bent| bench.refuses(&bent))
    })
}

fn out_of_enum(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let allowed = fields::allowed_values(bench.root.schema, &field.schema)?;
    bend::outside(&allowed)
}

/// Many clients send `null` for what they leave out; only for what must be there
/// is it always a mistake.
fn null_for_required(_: &Bench<'_>, field: &Field) -> Option<Value> {
    field.required.then_some(Value::Null)
}
