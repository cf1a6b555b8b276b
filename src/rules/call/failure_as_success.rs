//! A failure told as success.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use super::by_tool;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRow, FuzzRun};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.failure_as_success",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "a failure told as success",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
        keyword: None,
    }),
    why: "A model takes the error for the answer, and a client that counts failures sees none.",
    hint: "Answer with `isError: true` and the same text.",
    docs: include_str!("failure_as_success.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(evidence: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let told = by_tool(run, |row| {
        row.case.class.is_valid() && failure(row).is_some()
    });
    for (first, _) in told {
        if is_about_failures(evidence, first.tool_index) {
            continue;
        }
        let text = failure(first).unwrap_or_default();
        reporter.report_call(
            first,
            "",
            format!(
                "case `{}` succeeds, and what it says is a failure: {}",
                visible(&first.case.label, 60),
                quote(text)
            ),
        );
    }
}

fn failure(row: &FuzzRow) -> Option<&str> {
    row.answer.as_ref()?.failure.as_deref()
}

/// Words in the name of a tool whose answers are about failures.
const ABOUT_FAILURES: [&str; 13] = [
    "crash",
    "debug",
    "diagnose",
    "diagnostic",
    "error",
    "exception",
    "failed",
    "failure",
    "issue",
    "lint",
    "log",
    "trace",
    "traceback",
];

/// Whether a text that begins with an error may be what the tool is for.
fn is_about_failures(evidence: &Evidence, index: usize) -> bool {
    let Some(raw) = evidence.inventory.tools.entries.get(index) else {
        return false;
    };
    let name = Tool::read(index, raw.get()).label();
    words(&name).any(|word| {
        let one = word.strip_suffix('s').unwrap_or(&word);
        ABOUT_FAILURES.contains(&one)
    })
}

/// The words of a name, in lower case: `getErrorLog` and `get_error_log` alike.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::new();
    let mut before = ' ';
    for char in name.chars() {
        if char.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.extend(char.to_lowercase());
        before = char;
    }
    let words: Vec<String> = spaced
        .split(|char: char| !char.is_alphanumeric())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        let of = |name| words(name).collect::<Vec<_>>();
        assert_eq!(of("getErrorLogs"), ["get", "error", "logs"]);
        assert_eq!(of("read-catalog.v2"), ["read", "catalog", "v2"]);
    }
}
