//! A schema to make values for, and what is known beside it.

use serde_json::Value;

use super::place::Place;
use super::quoted::{self, Quoted};
use super::scratch::{Paths, Touch};
use crate::fuzz::tidy;
use crate::rules::verbs;

/// Schema nodes compiled in checks for one answer.
const CHECKED_NODES: usize = 400_000;
/// Validators compiled for one answer.
const MAX_CHECKS: usize = 400;

/// What is known of a tool besides its schema.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// Its name; empty when it has none.
    pub name: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// What exists in the folders that the server was given, absolute; folders
    /// end in a slash.
    pub scratch_paths: &'a [String],
    /// Whether it is known to read only.
    pub touch: Touch,
}

/// A tidied schema, how much of it there is, and what is known beside it.
pub(in crate::fuzz) struct Root<'a> {
    pub(in crate::fuzz) schema: &'a Value,
    /// Checks of parts that one answer may cost: a part is compiled with all
    /// definitions, so large schemas get fewer.
    pub(super) checks: usize,
    /// Examples in the tool's description.
    quoted: Vec<Quoted>,
    /// Whether the arguments have one property, so that all examples are its.
    has_one_property: bool,
    pub(super) paths: Paths,
}

impl<'a> Root<'a> {
    pub(in crate::fuzz) fn new(schema: &'a Value, context: Context<'_>) -> Self {
        let checks = CHECKED_NODES / tidy::nodes(schema).max(1);
        let properties = schema.get("properties").and_then(Value::as_object);
        Self {
            schema,
            checks: checks.clamp(20, MAX_CHECKS),
            quoted: quoted::examples(context.description.unwrap_or_default()),
            has_one_property: properties.is_some_and(|all| all.len() == 1),
            paths: Paths::new(
                context.scratch_paths,
                context.touch,
                &verbs::words(context.name),
            ),
        }
    }

    /// Examples in the tool's description that are about a property of the
    /// arguments.
    pub(super) fn quoted_for<'r>(&'r self, place: &Place) -> impl Iterator<Item = &'r str> {
        let (last, is_top) = (place.words.last().cloned(), place.depth == 1);
        let about = move |quoted: &&Quoted| {
            let named = last
                .as_ref()
                .is_some_and(|last| quoted.before.contains(last));
            is_top && (self.has_one_property || named)
        };
        self.quoted
            .iter()
            .filter(about)
            .map(|quoted| quoted.text.as_str())
    }
}
