//! A list of tools that calls change.

use std::collections::BTreeSet;

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use crate::fuzz::listed::Listed;
use crate::model::answer::ListedTool;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;
use crate::wording;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.tools_changed",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a list of tools that is another one after calls",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification",
        keyword: Some("SHOULD"),
    }),
    why: "What the user looked at and allowed is no longer what the model sees.",
    hint: "Keep the list as it is during a session, or declare `listChanged` and announce each change.",
    docs: include_str!("tools_changed.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Names that a message lists of a kind.
const LISTED: usize = 4;

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let first = Listed::of(&evidence.inventory);
    // The first difference tells it; later ones are mostly the same.
    let Some((relisting, before)) = run.follow_up.relistings.first().zip(first.tools()) else {
        return;
    };
    let what = difference(before, &relisting.tools);
    if what.is_empty() {
        return;
    }
    let when = match &relisting.after_tool {
        Some(tool) => format!("after calls to `{}`", visible(tool, 60)),
        None => "after the calls of this run".to_owned(),
    };
    let how = if relisting.announced {
        "the server announced it"
    } else {
        "the server did not announce it"
    };
    let finding = reporter.report(format!(
        "{when} the list of tools is another one: {what}; {how}"
    ));
    if relisting.announced {
        finding.severity = Severity::Info;
    }
}

/// What came, went and changed, in words.
fn difference(before: &[ListedTool], after: &[ListedTool]) -> String {
    let names = |tools: &[ListedTool]| -> BTreeSet<String> {
        tools.iter().map(|tool| tool.name.clone()).collect()
    };
    let (old, new) = (names(before), names(after));
    let entries: BTreeSet<&ListedTool> = before.iter().collect();
    let changed: BTreeSet<String> = after
        .iter()
        .filter(|tool| old.contains(&tool.name) && !entries.contains(tool))
        .map(|tool| tool.name.clone())
        .collect();
    let told = [
        ("new", new.difference(&old).cloned().collect()),
        ("gone", old.difference(&new).cloned().collect()),
        ("changed", changed),
    ];
    let told: Vec<String> = told
        .into_iter()
        .filter(|(_, names): &(&str, BTreeSet<String>)| !names.is_empty())
        .map(|(how, names)| {
            let names = wording::names(names.iter().map(String::as_str), LISTED);
            format!("{how}: {}", visible(&names, 300))
        })
        .collect();
    told.join("; ")
}
