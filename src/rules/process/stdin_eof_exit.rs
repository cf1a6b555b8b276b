//! A server that stays when standard input is closed.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::wire::EndedBy;
use crate::protocol::revision::Revision;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.stdin_eof_exit",
    family: Family::Process,
    severity: Severity::Warning,
    summary: "a server that stays when standard input is closed",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown",
        keyword: Some("SHOULD"),
    }),
    why: "A client that is killed leaves this server behind, and each new session leaves one more.",
    hint: "End the process when reading standard input gives the end of the file.",
    docs: include_str!("stdin_eof_exit.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(ending) = evidence.wire.ending.filter(|ending| ending.full_waits) else {
        return;
    };
    let then = match ending.by {
        EndedBy::Earlier | EndedBy::EndOfInput => return,
        EndedBy::StopSignal => "SIGTERM ended it",
        EndedBy::KillSignal => "only SIGKILL ended it",
    };
    let finding = reporter.report(format!(
        "the server did not exit within 5 s after its standard input was closed; {then}"
    ));
    // Before 2026-07-28 the text speaks of what the client does alone.
    let revision = evidence.inventory.protocol_version.as_deref();
    if revision.is_none_or(|revision| Revision::read(revision) != Revision::V2026_07_28) {
        finding.severity = Severity::Info;
    }
}
