//! A listed tool that calls are told not to exist.

use std::collections::BTreeSet;

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use super::{by_tool, cases};
use crate::fuzz::denial::Denials;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};
use crate::wording::{self, count};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.listed_but_unknown",
    family: Family::Call,
    severity: Severity::Error,
    summary: "a listed tool that calls are told not to exist",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools",
        keyword: None,
    }),
    why: "A model chooses the tool from the list, and cannot use it whatever it sends.",
    hint: "List a tool only as long as it can be called, and dispatch calls by the very names of the list; where tools come and go, announce each change of the list.",
    docs: include_str!("listed_but_unknown.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Tools that are told of one by one.
const ONE_BY_ONE: usize = 5;

/// Names that a finding about many tools lists.
const LISTED: usize = 6;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let denials = Denials::of(Some(run));
    let withdrawn = withdrawn(run);
    let is_denied = |row: &FuzzRow| denials.denies(row) && !withdrawn.contains(row.tool.as_str());
    let tools: Vec<(&FuzzRow, Vec<&FuzzRow>)> = by_tool(run, is_denied).collect();
    if tools.len() > ONE_BY_ONE {
        report_together(reporter, &tools);
        return;
    }
    for (first, rows) in tools {
        let message = format!(
            "it is listed, and calls are answered as if it did not exist ({}): {}",
            quote(first.error_text.as_deref().unwrap_or_default()),
            cases(&rows)
        );
        let finding = reporter.report_call(first, "", message);
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

/// One finding for all of them: what takes away many tools is one matter.
fn report_together(reporter: &mut Reporter<'_>, tools: &[(&FuzzRow, Vec<&FuzzRow>)]) {
    let Some((first, _)) = tools.first() else {
        return;
    };
    let names = wording::names(tools.iter().map(|(row, _)| row.tool.as_str()), LISTED);
    let finding = reporter.report(format!(
        "{} are listed, and calls are answered as if they did not exist ({}): {}",
        count(tools.len(), "tool"),
        quote(first.error_text.as_deref().unwrap_or_default()),
        visible(&names, 300)
    ));
    finding.occurrences = u32::try_from(tools.len()).unwrap_or(u32::MAX);
}

/// Tools of which the server said itself that they are gone: it announced a list
/// without them.
fn withdrawn(run: &FuzzRun) -> BTreeSet<&str> {
    let announced = run
        .follow_up
        .relistings
        .iter()
        .filter(|relisting| relisting.announced);
    let mut gone = BTreeSet::new();
    for relisting in announced {
        let still: BTreeSet<&str> = relisting
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        let called = run.rows.iter().map(|row| row.tool.as_str());
        gone.extend(called.filter(|name| !still.contains(name)));
    }
    gone
}
