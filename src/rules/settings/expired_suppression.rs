//! A suppression whose day is over.

use super::super::{Check, Reporter, Rule};
use crate::model::finding::{Family, Severity};
use crate::model::suppression::{Suppressed, SuppressionState};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "settings.expired_suppression",
    family: Family::Settings,
    severity: Severity::Warning,
    summary: "a suppression whose day is over",
    spec: None,
    why: "Someone promised to mend this by that day; what it held back is shown, gated and scored again.",
    hint: "Mend what it held back and remove the entry, or give it a new day and say why.",
    docs: include_str!("expired_suppression.md"),
    subsumes: &[],
    check: Check::Suppression(check),
};

fn check(entry: &Suppressed, reporter: &mut Reporter<'_>) {
    let (SuppressionState::Expired, Some(day)) = (&entry.state, entry.suppression.expires) else {
        return;
    };
    let suppression = &entry.suppression;
    reporter.report_matter(
        &super::matter(suppression),
        format!(
            "the suppression of {} expired: its last day was {day}",
            super::place(suppression)
        ),
    );
}
