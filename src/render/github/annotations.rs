//! Annotations: the answer and the worst findings, no more of a kind than the
//! runner takes.

use super::{Kind, annotation};
use crate::model::finding::Severity;
use crate::model::report::Report;
use crate::render::digest::{self, Group};
use crate::render::escape::terminal;
use crate::wording::{count, cut};

/// How many of a kind the runner shows of one step.
const MOST: usize = 10;

/// The most places that one annotation names.
const PLACES: usize = 5;

/// How a step that does not pass is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The step fails.
    Failing,
    /// The step succeeds all the same, because the user wanted it so.
    Lenient,
}

/// The annotations of a report, the worst first, and a line that counts what is
/// left out. `taken` of notices are already used.
pub fn annotations(report: &Report, tone: Tone, taken: usize) -> String {
    let mut page = String::new();
    let mut room = [MOST, MOST, MOST.saturating_sub(taken)];
    if !report.verdict.passed {
        let kind = match tone {
            Tone::Failing => Kind::Error,
            Tone::Lenient => Kind::Warning,
        };
        room[kind as usize] -= 1;
        let title = format!("mcprobe: {}", report.verdict.kind.word());
        let reasons: Vec<String> = report
            .verdict
            .reasons
            .iter()
            .map(|reason| terminal(&cut(reason, 1500)))
            .collect();
        page.push_str(&annotation(kind, &title, &reasons.join("\n")));
    }
    let mut left = [0; 3];
    for group in digest::groups(&report.findings) {
        let kind = kind(group.severity);
        let place = kind as usize;
        if room[place] == 0 {
            left[place] += group.findings.len();
            continue;
        }
        room[place] -= 1;
        page.push_str(&annotation(kind, &title(&group), &message(&group)));
    }
    let words: Vec<String> = Severity::ALL
        .into_iter()
        .zip(left)
        .filter(|(_, number)| *number > 0)
        .map(|(severity, number)| count(number, &format!("more {severity}")))
        .collect();
    if !words.is_empty() {
        page.push_str("mcprobe: not annotated: ");
        page.push_str(&words.join(", "));
        page.push_str("; the report has them all\n");
    }
    page
}

/// The one annotation of a run that came to no report. `text` is any text.
pub fn problem(word: &str, text: &str, tone: Tone) -> String {
    let kind = match tone {
        Tone::Failing => Kind::Error,
        Tone::Lenient => Kind::Warning,
    };
    annotation(
        kind,
        &format!("mcprobe: {word}"),
        &terminal(&cut(text, 1500)),
    )
}

const fn kind(severity: Severity) -> Kind {
    match severity {
        Severity::Error => Kind::Error,
        Severity::Warning => Kind::Warning,
        Severity::Info => Kind::Notice,
    }
}

fn title(group: &Group<'_>) -> String {
    let number = group.findings.len();
    let times = if number > 1 {
        format!(" ({})", count(number, "finding"))
    } else {
        String::new()
    };
    format!("mcprobe: {}{times}", terminal(group.code))
}

/// One finding in full; of several the first, then where the others are.
fn message(group: &Group<'_>) -> String {
    let Some(first) = group.findings.first() else {
        return String::new();
    };
    let mut lines = vec![format!(
        "{}: {}",
        terminal(&digest::place(first)),
        terminal(&cut(&first.message, 600))
    )];
    let others: Vec<String> = group.findings[1..]
        .iter()
        .take(PLACES)
        .map(|finding| terminal(&digest::place(finding)))
        .collect();
    if !others.is_empty() {
        let rest = group.findings.len() - 1 - others.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        lines.push(format!("Also: {}{more}", others.join(", ")));
    }
    if !group.hint().is_empty() {
        lines.push(format!("Fix: {}", terminal(&cut(group.hint(), 400))));
    }
    lines.join("\n")
}
