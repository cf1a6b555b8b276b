//! Arguments that may be left out, given: one by one, and all together.
//!
//! The valid call leaves them out, so what a tool does with them shows here alone.

use serde_json::Value;

use super::bench::Bench;
use super::fields::Field;
use super::{case, labels};
use crate::fuzz::generate;
use crate::model::fuzz::{Case, CaseClass};

/// Arguments that are given one by one.
const MOST_ALONE: usize = 3;

/// The cases of a tool.
pub(super) fn cases(bench: &Bench<'_>) -> Vec<Case> {
    let left_out: Vec<&Field> = bench
        .fields
        .iter()
        .filter(|field| !field.required && field.value(&bench.valid).is_none())
        .collect();
    let alone = left_out.iter().filter(|field| field.is_top());
    let mut cases: Vec<Case> = alone
        .filter_map(|field| {
            let with = field.with(&bench.valid, telling_value(bench, field)?)?;
            let label = format!("{}{}", labels::GIVEN, field.label);
            Some(case(&label, CaseClass::Edge, &with))
        })
        .take(MOST_ALONE)
        .collect();
    cases.extend(together(bench, &left_out));
    cases
}

/// All of them that the schema takes beside each other, where they are several.
fn together(bench: &Bench<'_>, left_out: &[&Field]) -> Option<Case> {
    let mut all = bench.valid.clone();
    let mut given = 0;
    for field in left_out {
        let value = telling_value(bench, field).or_else(|| bench.good(field).cloned());
        let with = value.and_then(|value| field.with(&all, value));
        if let Some(with) = with.filter(|with| bench.takes(with)) {
            all = with;
            given += 1;
        }
    }
    (given > 1).then(|| case(labels::ALL_OPTIONAL, CaseClass::Edge, &all))
}

/// A value that the property takes and that changes the answer when it is heard:
/// neither its default nor what stands there already.
pub(super) fn telling_value(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let usual = field.schema.get("default");
    let given = field.value(&bench.valid);
    generate::alternatives(&bench.root, &field.schema, &field.name, bench.seed)
        .into_iter()
        .filter(|value| Some(value) != usual && Some(value) != given)
        .find(|value| {
            field
                .with(&bench.valid, value.clone())
                .is_some_and(|with| bench.takes(&with))
        })
}
