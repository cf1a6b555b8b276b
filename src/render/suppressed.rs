//! What several pictures say of suppressions alike, and their section in Markdown.

use std::fmt::Write as _;

use crate::model::report::Report;
use crate::model::suppression::{
    Suppressed, Suppression, SuppressionSection, SuppressionState, SuppressionWord,
};
use crate::render::escape::{markdown_code as code, markdown_prose as prose};
use crate::wording::{count, cut};

/// The most of them in one list.
pub(super) const LISTED: usize = 100;

/// "score 91, would be 84 without 3 suppressions; 5 findings are held back"; `None`
/// where nothing is.
pub(super) fn sentence(report: &Report) -> Option<String> {
    let section = report.suppressions.as_ref()?;
    let number = count(section.in_use(), "suppression");
    let held = match section.findings {
        0 => return None,
        1 => "1 finding is held back".to_owned(),
        findings => format!("{findings} findings are held back"),
    };
    let without = section.without.of(report.score_model).overall;
    Some(match (report.score().overall, without) {
        (Some(now), Some(then)) if now == then => {
            format!("score {now}, and the same without {number}; {held}")
        }
        (Some(now), Some(then)) => {
            format!("score {now}, would be {then} without {number}; {held}")
        }
        _ => format!("{held} by {number}"),
    })
}

/// "3 in use, 1 stale, 2 not tested".
pub(super) fn tally(section: &SuppressionSection) -> String {
    use SuppressionWord::{Expired, InUse, NotTested, Stale};
    let of = |word: SuppressionWord| {
        let entries = section.entries.iter();
        let number = entries.filter(|entry| entry.state.word() == word).count();
        (number > 0).then(|| format!("{number} {}", word.word()))
    };
    let parts: Vec<String> = [InUse, Expired, Stale, NotTested]
        .into_iter()
        .filter_map(of)
        .collect();
    parts.join(", ")
}

/// Where it holds: "`search` /inputSchema", "everywhere".
pub(super) fn place(suppression: &Suppression) -> String {
    let tool = suppression.tool.as_deref().map(|tool| cut(tool, 64));
    let pointer = suppression.pointer.as_deref().map(|at| cut(at, 160));
    match (tool, pointer) {
        (None, None) => "everywhere".to_owned(),
        (Some(place), None) | (None, Some(place)) => place,
        (Some(tool), Some(pointer)) => format!("{tool} {pointer}"),
    }
}

/// What came of it: "holds back 2 findings until 2026-06-30".
pub(super) fn fate(entry: &Suppressed) -> String {
    let day = entry.suppression.expires;
    let until = day.map_or_else(String::new, |day| format!(" until {day}"));
    match &entry.state {
        SuppressionState::InUse { findings } => {
            format!("holds back {}{until}", count(*findings, "finding"))
        }
        SuppressionState::Expired => match day {
            Some(day) => format!("expired, its last day was {day}"),
            None => "expired".to_owned(),
        },
        SuppressionState::Stale => "stale, it matches nothing".to_owned(),
        SuppressionState::NotTested { because } => format!("not tested, {because}"),
    }
}

/// The section of a Markdown page.
pub(super) fn markdown(page: &mut String, section: &SuppressionSection) {
    let _ = writeln!(page, "\n## Suppressed\n\n{}\n", tally(section));
    for entry in section.entries.iter().take(LISTED) {
        let suppression = &entry.suppression;
        let _ = writeln!(
            page,
            "- {} {}: {} – {}",
            code(&suppression.code),
            code(&place(suppression)),
            fate(entry),
            prose(&cut(&suppression.reason, 300))
        );
    }
    let rest = section.entries.len().saturating_sub(LISTED);
    if rest > 0 {
        let _ = writeln!(
            page,
            "\n{} in the JSON report.",
            count(rest, "more suppression")
        );
    }
}
