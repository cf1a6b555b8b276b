//! A server that ignores the stop signal.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::wire::EndedBy;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.ignores_stop_signal",
    family: Family::Process,
    severity: Severity::Warning,
    summary: "a server that ignores the stop signal",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown",
        keyword: None,
    }),
    why: "Clients and service managers have to kill it, so it cannot tidy up behind itself.",
    hint: "Leave SIGTERM its default, or end the process in the handler.",
    docs: include_str!("ignores_stop_signal.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let ending = evidence.wire.ending.filter(|ending| ending.full_waits);
    if ending.is_some_and(|ending| ending.by == EndedBy::KillSignal) {
        reporter.report("the server did not exit within 2 s after SIGTERM; SIGKILL ended it");
    }
}
