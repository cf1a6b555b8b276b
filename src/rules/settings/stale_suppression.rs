//! A suppression that matches nothing any more.

use super::super::{Check, Reporter, Rule};
use crate::model::finding::{Family, Severity};
use crate::model::suppression::{Suppressed, SuppressionState};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "settings.stale_suppression",
    family: Family::Settings,
    severity: Severity::Info,
    summary: "a suppression that matches nothing",
    spec: None,
    why: "It would hide the same fault without a word, should it come back.",
    hint: "Remove the entry; where it never matched, compare tool and pointer with a report.",
    docs: include_str!("stale_suppression.md"),
    subsumes: &[],
    check: Check::Suppression(check),
};

fn check(entry: &Suppressed, reporter: &mut Reporter<'_>) {
    if entry.state != SuppressionState::Stale {
        return;
    }
    reporter.report_matter(
        &super::matter(&entry.suppression),
        format!(
            "the suppression of {} matches no finding",
            super::place(&entry.suppression)
        ),
    );
}
