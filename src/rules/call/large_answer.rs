//! An answer too large for a model.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use super::by_tool;
use crate::fuzz::cases::labels;
use crate::model::answer::Answer;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.large_answer",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "an answer too large for a model",
    spec: None,
    why: "Clients cut or refuse it, and what is left fills the model's context.",
    hint: "Return pages or a summary, and let an argument ask for more.",
    docs: include_str!("large_answer.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Tokens that a widely used client takes of one answer.
const MAX_TOKENS: usize = 25_000;

/// Characters of text that make a token, about.
const CHARS_PER_TOKEN: usize = 4;

/// The largest answer in bytes.
const MAX_BYTES: usize = 1024 * 1024;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    // Whoever asks for the most gets the most.
    let is_surprise = |row: &FuzzRow| {
        !row.case.label.starts_with(labels::AT_MAXIMUM) && row.answer.as_ref().is_some_and(is_large)
    };
    for (first, rows) in by_tool(run, is_surprise) {
        let Some(answer) = &first.answer else {
            continue;
        };
        let size = if answer.text_chars > MAX_TOKENS * CHARS_PER_TOKEN {
            format!(
                "{} characters of text, about {} tokens where clients take {MAX_TOKENS}",
                answer.text_chars,
                answer.text_chars / CHARS_PER_TOKEN
            )
        } else {
            format!("{} bytes, more than 1 MiB", answer.bytes)
        };
        let finding = reporter.report_call(
            first,
            "",
            format!(
                "the answer to case `{}` has {size}",
                visible(&first.case.label, 60)
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    }
}

const fn is_large(answer: &Answer) -> bool {
    answer.text_chars > MAX_TOKENS * CHARS_PER_TOKEN || answer.bytes > MAX_BYTES
}
