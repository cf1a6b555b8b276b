//! A process that ends before it was audited.

use super::super::quote::visible_end;
use super::super::{Check, Reporter, Rule};
use crate::model::evidence::{Evidence, ProbeState};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.exited",
    family: Family::Process,
    severity: Severity::Error,
    summary: "a process that ends before it was audited",
    spec: None,
    why: "A client that starts this server has nothing to talk to.",
    hint: "Run the command by hand and read its standard error; pass what it needs with `--env`.",
    docs: include_str!("exited.md"),
    subsumes: &["protocol.list_failed"],
    check: Check::Evidence(check),
};

/// Characters of standard error that are kept.
const MAX_STDERR: usize = 300;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(failure) = &evidence.failure else {
        return;
    };
    if failure.exit.is_none() && evidence.probe_state != ProbeState::Crash {
        return;
    }
    let how = failure
        .exit
        .map_or_else(String::new, |exit| format!(" with {exit}"));
    let stderr = match failure.stderr_tail.as_deref().map(str::trim) {
        None | Some("") => "; standard error is empty".to_owned(),
        Some(tail) => format!("; standard error ends: {}", visible_end(tail, MAX_STDERR)),
    };
    reporter.report(format!(
        "the server exited{how} before it was audited{stderr}"
    ));
}
