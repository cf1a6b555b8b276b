//! A cursor that was never given, and is taken.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, broke, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.bad_cursor",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a cursor that was never given and is not refused with -32602",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination#error-handling",
        keyword: Some("SHOULD"),
    }),
    why: "A client with an old cursor reads some page of some list without noticing.",
    hint: "Answer a cursor that cannot be read with the JSON-RPC error -32602.",
    docs: include_str!("bad_cursor.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "bad-cursor") else {
        return;
    };
    let severity = match probe.taken {
        _ if broke(probe) => Severity::Error,
        Taken::Error(INVALID_PARAMS) => return,
        // A server that has no pages has no cursors either.
        Taken::Result if evidence.inventory.tools.pages < 2 => return,
        Taken::Result | Taken::Error(_) | Taken::HttpOnly => Severity::Info,
        Taken::Silence | Taken::Broken | Taken::Closed => Severity::Error,
    };
    reporter
        .report(format!(
            "`tools/list` with a cursor that was never given is met with {}, not with error -32602",
            told(probe)
        ))
        .severity = severity;
}
