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
    for (first, rows) in by_tool(run, |row| told(run, row).is_some()) {
        if is_about_failures(evidence, first.tool_index) {
            continue;
        }
        // A refusal that arrives as an answer is the worse of the two.
        let refused = rows.iter().find(|row| row.silently_accepted);
        let row = refused.copied().unwrap_or(first);
        let what = match refused {
            Some(_) => "breaks the schema, and the refusal comes as a success",
            None => "succeeds, and what it says is a failure",
        };
        let finding = reporter.report_call(
            row,
            "",
            format!(
                "case `{}` {what}: {}",
                visible(&row.case.label, 60),
                quote(told(run, row).unwrap_or_default())
            ),
        );
        finding.occurrences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        if refused.is_some() {
            finding.severity = Severity::Error;
        }
    }
}

/// Whether a success on bad arguments is a refusal in words, which is told here.
pub(super) fn is_refusal(evidence: &Evidence, run: &FuzzRun, row: &FuzzRow) -> bool {
    row.silently_accepted
        && told(run, row).is_some()
        && !is_about_failures(evidence, row.tool_index)
}

/// Whether a success may be a refusal in words, so that it does not show that the
/// arguments were taken.
pub(super) fn may_refuse(evidence: &Evidence, run: &FuzzRun, row: &FuzzRow) -> bool {
    let Some(answer) = &row.answer else {
        return false;
    };
    let tells = answer.failure.is_some() || answer.refusal.is_some() && !is_usual(run, row);
    tells && !is_about_failures(evidence, row.tool_index)
}

/// The failure that a success tells of.
fn told<'r>(run: &FuzzRun, row: &'r FuzzRow) -> Option<&'r str> {
    let answer = row.answer.as_ref()?;
    if let Some(failure) = &answer.failure {
        return Some(failure);
    }
    let refusal = answer
        .refusal
        .as_deref()
        .filter(|_| row.silently_accepted)?;
    (!is_usual(run, row)).then_some(refusal)
}

/// Words of refusing may stand in a good answer: then the good call has them too.
fn is_usual(run: &FuzzRun, row: &FuzzRow) -> bool {
    let Some(own) = &row.answer else {
        return false;
    };
    run.rows
        .iter()
        .filter(|other| other.tool_index == row.tool_index && other.case.class.is_valid())
        .filter_map(|other| other.answer.as_ref())
        .any(|usual| usual.shape == own.shape)
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
