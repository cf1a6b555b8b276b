//! A refusal of what the schema allows.

use std::collections::{BTreeMap, BTreeSet};

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule};
use super::by_tool;
use super::strict;
use crate::fuzz::cases::labels;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{CaseClass, FuzzRow, FuzzRun, Outcome, is_same_refusal};
use crate::model::tool::Tool;
use crate::protocol::json;
use crate::schema;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.stricter_than_schema",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a refusal of what `inputSchema` allows",
    spec: None,
    why: "A model that keeps to the schema is refused, and nothing told it so before.",
    hint: "Say it in `inputSchema`: `\"additionalProperties\": false` for unknown names, `minimum`, `maxLength` and the like for bounds, `required` or a choice (`anyOf`, `not`) for arguments that go or do not go together.",
    docs: include_str!("stricter_than_schema.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let mut plain: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for row in run.rows.iter().filter(|row| row.case.class.is_valid()) {
        if let Some(text) = refusal(row) {
            plain.entry(row.tool_index).or_default().insert(text);
        }
    }
    let is_plain = |row: &FuzzRow, text: &str| {
        let said = plain.get(&row.tool_index).into_iter().flatten();
        said.into_iter().any(|said| is_same_refusal(said, text))
    };
    // A tool that refuses its plain valid call in the same words is not stricter
    // about the key.
    let is_about_key = |row: &FuzzRow| {
        row.case.class == CaseClass::ExtraKey
            && refusal(row).is_some_and(|text| {
                strict::is_about_extra_key(text, &row.case) && !is_plain(row, text)
            })
    };
    let is_about_bound = |row: &FuzzRow| {
        matches!(
            row.case.class,
            CaseClass::Generated | CaseClass::Example | CaseClass::Edge
        ) && refusal(row).is_some_and(strict::is_about_bound)
    };
    let mut tell = |matter: &str, what: &str, is_about: &dyn Fn(&FuzzRow) -> bool| {
        for (first, _) in by_tool(run, is_about) {
            if declares_schema(evidence, first) {
                report(reporter, first, matter, what);
            }
        }
    };
    tell("key", "a key that the schema allows", &is_about_key);
    let what = "a value within the bounds of the schema";
    tell("bound", what, &is_about_bound);
    let what = "a call without an argument that the schema lets be left out";
    tell("required", what, &|row| is_about_left_out(run, row));
    let what = "a combination of arguments that the schema allows";
    tell("together", what, &|row| is_about_given(run, row));
}

/// Whether there is a schema to be stricter than. One that is not valid says nothing
/// for sure.
fn declares_schema(evidence: &Evidence, row: &FuzzRow) -> bool {
    let entries = &evidence.inventory.tools.entries;
    // Evidence may hold calls without the list.
    entries.get(row.tool_index).is_none_or(|raw| {
        Tool::read(row.tool_index, raw.get())
            .input_schema()
            .is_some_and(|schema| schema.is_object() && schema::fault(schema).is_none())
    })
}

/// A generated call is refused for an argument that it leaves out, and taken with it.
fn is_about_left_out(run: &FuzzRun, row: &FuzzRow) -> bool {
    row.case.class == CaseClass::Generated
        && refusal(row).is_some_and(|text| {
            optional_rows(run, row.tool_index)
                .filter(|with| with.outcome == Outcome::Ok)
                .any(|with| strict::is_about_left_out(text, &more_in(with, row)))
        })
}

/// Optional arguments are refused together, and the call without them is taken.
fn is_about_given(run: &FuzzRun, row: &FuzzRow) -> bool {
    row.case.label == labels::ALL_OPTIONAL
        && refusal(row).is_some_and(|text| {
            run.rows
                .iter()
                .filter(|plain| plain.tool_index == row.tool_index && plain.case.class.is_valid())
                .filter(|plain| plain.outcome == Outcome::Ok)
                .any(|plain| strict::is_about_pair(text, &more_in(row, plain)))
        })
}

/// The rows of a tool with optional arguments that the valid call leaves out.
fn optional_rows(run: &FuzzRun, tool_index: usize) -> impl Iterator<Item = &FuzzRow> {
    run.rows.iter().filter(move |row| {
        let label = row.case.label.as_str();
        row.tool_index == tool_index
            && (label == labels::ALL_OPTIONAL || label.starts_with(labels::GIVEN))
    })
}

/// The arguments of one call that another does not have.
fn more_in(with: &FuzzRow, without: &FuzzRow) -> Vec<String> {
    let names = |row: &FuzzRow| -> Vec<String> {
        let members = json::members(row.case.arguments.get()).unwrap_or_default();
        members.into_iter().map(|(name, _)| name).collect()
    };
    let known = names(without);
    let mut more = names(with);
    more.retain(|name| !known.contains(name));
    more
}

fn refusal(row: &FuzzRow) -> Option<&str> {
    if row.outcome.is_refusal() {
        row.error_text.as_deref()
    } else {
        None
    }
}

fn report(reporter: &mut Reporter<'_>, row: &FuzzRow, matter: &str, what: &str) {
    let text = refusal(row).unwrap_or_default();
    reporter.report_call(
        row,
        matter,
        format!(
            "case `{}`: {what} is refused: {}",
            visible(&row.case.label, 60),
            quote(text)
        ),
    );
}
