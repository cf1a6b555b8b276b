//! How tools behave when they are called.

pub(super) mod answer_depends_on_order;
pub(super) mod coerced;
pub(super) mod content_block;
pub(super) mod crash;
mod credential;
pub(super) mod empty_success;
pub(super) mod error_leak;
pub(super) mod extra_key;
pub(super) mod failure_as_success;
pub(super) mod idempotent_repeat_fails;
pub(super) mod internal_error;
pub(super) mod invalid_json;
pub(super) mod large_answer;
mod leak;
pub(super) mod listed_but_unknown;
pub(super) mod near_miss_dropped;
pub(super) mod not_called;
pub(super) mod not_utf8;
pub(super) mod output_schema;
pub(super) mod read_only_writes;
pub(super) mod secret_in_error;
pub(super) mod silent_accept;
pub(super) mod slow;
mod strict;
pub(super) mod stricter_than_schema;
pub(super) mod timeout;
pub(super) mod tools_changed;
pub(super) mod unknown_tool_as_result;

use std::collections::BTreeMap;

use super::quote::visible;
use crate::model::fuzz::{FuzzRow, FuzzRun};

/// Labels that a message lists.
const LISTED: usize = 5;

/// The rows of each tool that fit, tool by tool in the order of the list; with
/// the first of them.
fn by_tool(
    run: &FuzzRun,
    fits: impl Fn(&FuzzRow) -> bool,
) -> impl Iterator<Item = (&FuzzRow, Vec<&FuzzRow>)> {
    let mut tools: BTreeMap<usize, Vec<&FuzzRow>> = BTreeMap::new();
    for row in run.rows.iter().filter(|row| fits(row)) {
        tools.entry(row.tool_index).or_default().push(row);
    }
    tools
        .into_values()
        .filter_map(|rows| Some((*rows.first()?, rows)))
}

/// The labels of some rows, for a message.
fn cases(rows: &[&FuzzRow]) -> String {
    let listed: Vec<String> = rows
        .iter()
        .take(LISTED)
        .map(|row| format!("`{}`", visible(&row.case.label, 60)))
        .collect();
    match rows.len().saturating_sub(LISTED) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}
