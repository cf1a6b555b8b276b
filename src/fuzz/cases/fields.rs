//! The places in valid arguments that can be bent, and what is declared there.

use serde_json::{Map, Value};

use crate::fuzz::flatten::{self, type_names};

/// Objects within objects that are looked into.
const MAX_DEPTH: usize = 3;
/// Fields of one tool that are looked at.
pub(super) const MAX_FIELDS: usize = 200;

/// One declared property, at the top or inside a value of the arguments.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// `name`, or `outer.name`, `list[0].name` below the top.
    pub(super) label: String,
    pub(super) name: String,
    pub(super) schema: Value,
    /// Its place in the list of all fields.
    pub(super) index: usize,
    /// Whether its object requires it.
    pub(super) required: bool,
    /// The members and elements that lead to its object.
    way: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Member(String),
    Element(usize),
}

impl Field {
    pub(super) const fn is_top(&self) -> bool {
        self.way.is_empty()
    }

    /// Its value in the arguments.
    pub(super) fn value<'v>(&self, arguments: &'v Value) -> Option<&'v Value> {
        let mut at = arguments;
        for step in &self.way {
            at = match step {
                Step::Member(name) => at.get(name)?,
                Step::Element(index) => at.get(index)?,
            };
        }
        at.get(&self.name)
    }

    /// The arguments with this value in the field.
    pub(super) fn with(&self, arguments: &Value, value: Value) -> Option<Value> {
        let mut changed = arguments.clone();
        self.object(&mut changed)?.insert(self.name.clone(), value);
        Some(changed)
    }

    /// The arguments without the field; `None` when it is not in them.
    pub(super) fn without(&self, arguments: &Value) -> Option<Value> {
        let mut changed = arguments.clone();
        self.object(&mut changed)?.shift_remove(&self.name)?;
        Some(changed)
    }

    fn object<'v>(&self, arguments: &'v mut Value) -> Option<&'v mut Map<String, Value>> {
        let mut at = arguments;
        for step in &self.way {
            at = match step {
                Step::Member(name) => at.get_mut(name)?,
                Step::Element(index) => at.get_mut(index)?,
            };
        }
        at.as_object_mut()
    }
}

/// All fields: those of the arguments in the order of their declaration, then
/// those inside values that are there.
pub(super) fn of_arguments(schema: &Value, arguments: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    collect(schema, schema, arguments, "", &[], &mut found);
    found.sort_by_key(|field| field.way.len());
    for (index, field) in found.iter_mut().enumerate() {
        field.index = index;
    }
    found
}

fn collect(
    root: &Value,
    schema: &Value,
    value: &Value,
    label: &str,
    way: &[Step],
    found: &mut Vec<Field>,
) {
    if way.len() > MAX_DEPTH || found.len() > MAX_FIELDS {
        return;
    }
    let Some(keywords) = flatten::variants(root, schema).into_iter().next() else {
        return;
    };
    match value {
        Value::Object(members) => {
            let required: Vec<&str> = keywords
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let declared = keywords.get("properties").and_then(Value::as_object);
            let undeclared = required
                .iter()
                .filter(|name| declared.is_none_or(|all| !all.contains_key(**name)))
                .map(|name| ((*name).to_owned(), Value::Bool(true)));
            let all: Vec<(String, Value)> = declared
                .into_iter()
                .flatten()
                .map(|(name, schema)| (name.clone(), schema.clone()))
                .chain(undeclared)
                .collect();
            for (name, schema) in all.into_iter().take(MAX_FIELDS + 1) {
                let field = Field {
                    label: format!("{label}{name}"),
                    index: 0,
                    required: required.contains(&name.as_str()),
                    way: way.to_vec(),
                    name,
                    schema,
                };
                let below = members
                    .get(&field.name)
                    .filter(|value| value.is_object() || value.is_array());
                if let Some(value) = below {
                    let way = [way, &[Step::Member(field.name.clone())]].concat();
                    let label = format!("{}.", field.label);
                    collect(root, &field.schema, value, &label, &way, found);
                }
                found.push(field);
            }
        }
        Value::Array(elements) => {
            let schema = keywords.get("items").filter(|items| items.is_object());
            if let (Some(element), Some(schema)) = (elements.first(), schema) {
                let way = [way, &[Step::Element(0)]].concat();
                let label = format!("{}[0].", label.trim_end_matches('.'));
                collect(root, schema, element, &label, &way, found);
            }
        }
        _ => {}
    }
}

/// Every type that the schema allows; `None` when it leaves the type open.
pub(super) fn declared_types(root: &Value, schema: &Value) -> Option<Vec<String>> {
    let variants = flatten::variants(root, schema);
    let mut types: Vec<String> = Vec::new();
    for keywords in &variants {
        let names = type_names(keywords.get("type")?);
        if names.is_empty() {
            return None;
        }
        types.extend(names.into_iter().map(str::to_owned));
    }
    (!types.is_empty()).then_some(types)
}

/// What the keyword says in the first way to fit the schema that has it.
pub(super) fn keyword(root: &Value, schema: &Value, keyword: &str) -> Option<Value> {
    flatten::variants(root, schema)
        .into_iter()
        .find_map(|mut keywords| keywords.shift_remove(keyword))
}

/// Every value that the schema allows; `None` when they are not listed.
pub(super) fn allowed_values(root: &Value, schema: &Value) -> Option<Vec<Value>> {
    let variants = flatten::variants(root, schema);
    let mut values = Vec::new();
    for keywords in &variants {
        let listed = keywords.get("enum").and_then(Value::as_array);
        match (keywords.get("const"), listed) {
            (Some(value), _) => values.push(value.clone()),
            (None, Some(listed)) => values.extend(listed.iter().cloned()),
            // A nullable choice lists all its values but null.
            (None, None) if keywords.get("type").is_some_and(|t| t == "null") => {
                values.push(Value::Null);
            }
            (None, None) => return None,
        }
    }
    (!values.is_empty()).then_some(values)
}
