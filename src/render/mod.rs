//! Pictures of a report: text for people and for programs.
//!
//! Pure: no clock, no colour detection, no width detection; what a picture
//! needs arrives as an argument. Text that a server wrote goes through
//! [`escape`] on its way into every picture.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod digest;
pub mod escape;
pub mod github;
pub mod json;
pub mod markdown;
pub mod rules;
mod suppressed;
pub mod terminal;

use crate::model::report::Report;

/// The answer in one line, with a line feed: both scores, the verdict, what is held
/// back, and the first reason where it is not a pass.
pub fn headline(report: &Report) -> String {
    let mut line = format!(
        "{} · {} · {}",
        digest::mark(report.score()),
        digest::other_mark(report),
        report.verdict.kind.word()
    );
    if let Some(sentence) = suppressed::sentence(report) {
        line.push_str(" (");
        line.push_str(&sentence);
        line.push(')');
    }
    if !report.verdict.passed
        && let Some(reason) = report.verdict.reasons.first()
    {
        line.push_str(": ");
        line.push_str(reason);
    }
    escape::terminal(&line) + "\n"
}
