//! Progress that breaks its rules.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::fault::count;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.progress_rules",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "progress that breaks its rules",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress",
        keyword: Some("MUST"),
    }),
    why: "Clients drop progress that they cannot place, or show a bar that runs backwards.",
    hint: "Send progress only with the token of a request in flight, each value greater than the last, none after the reply.",
    docs: include_str!("progress_rules.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let progress = &evidence.wire.progress;
    let first = progress
        .first
        .as_deref()
        .map(|text| format!("; the first is `{}`", visible(text, MAX_CHARS)))
        .unwrap_or_default();
    for (matter, times, what) in [
        (
            "token",
            progress.unknown_token,
            "with a token that no request gave",
        ),
        (
            "late",
            progress.after_reply,
            "after the reply to its request",
        ),
        (
            "value",
            progress.not_increasing,
            "that is not greater than the one before, or no number",
        ),
    ] {
        if times > 0 {
            let said = count(times, "progress notification");
            let finding = reporter.report_matter(matter, format!("{said} {what}{first}"));
            finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
        }
    }
}

/// Characters of the notification that are shown.
const MAX_CHARS: usize = 160;
