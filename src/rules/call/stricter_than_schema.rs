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
        let is_plain = match row.case.class {
            CaseClass::Generated | CaseClass::Example => true,
            CaseClass::Edge => labels::is_plain_edge(&row.case.label),
            CaseClass::ExtraKey | CaseClass::Coercion | CaseClass::Malformed => false,
        };
        is_plain && refusal(row).is_some_and(strict::is_about_bound)
    };
    let mut tell = |matter: &str, what: &str, refusal: &dyn Fn(&FuzzRow) -> Option<String>| {
        for (first, _) in by_tool(run, |row| refusal(row).is_some()) {
            if declares_schema(evidence, first) {
                let text = refusal(first).unwrap_or_default();
                let case = visible(&first.case.label, 60);
                let message = format!("case `{case}`: {what}: {}", quote(&text));
                reporter.report_call(first, matter, message);
            }
        }
    };
    let own = |is_about: &dyn Fn(&FuzzRow) -> bool, row: &FuzzRow| {
        let text = refusal(row).filter(|_| is_about(row));
        text.map(str::to_owned)
    };
    let what = "a key that the schema allows is refused";
    tell("key", what, &|row| own(&is_about_key, row));
    let what = "a value within the bounds of the schema is refused";
    tell("bound", what, &|row| own(&is_about_bound, row));
    let what =
        "it is taken, and without an argument that the schema lets be left out it is refused";
    tell("required", what, &|row| refusal_without(run, row));
    let what = "a combination of arguments that the schema allows is refused";
    tell("together", what, &|row| {
        own(&|row| is_about_given(run, row), row)
    });
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

/// How a generated call is refused for an argument that it leaves out, where this
/// call, which has it, is taken.
fn refusal_without(run: &FuzzRun, with: &FuzzRow) -> Option<String> {
    let label = with.case.label.as_str();
    let is_optional = label == labels::ALL_OPTIONAL || label.starts_with(labels::GIVEN);
    if !is_optional || with.outcome != Outcome::Ok {
        return None;
    }
    run.rows
        .iter()
        .filter(|plain| plain.tool_index == with.tool_index)
        .filter(|plain| plain.case.class == CaseClass::Generated)
        .find_map(|plain| {
            let text = refusal(plain)?;
            strict::is_about_left_out(text, &more_in(with, plain)).then(|| text.to_owned())
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
