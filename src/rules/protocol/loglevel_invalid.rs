//! A log level that does not exist, and is taken.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, broke, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.loglevel_invalid",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a log level that does not exist and is not refused with -32602",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#error-handling",
        keyword: Some("SHOULD"),
    }),
    why: "A client with a mistyped level gets all messages, or none, and does not know why.",
    hint: "Answer levels other than the eight of the text with the JSON-RPC error -32602.",
    docs: include_str!("loglevel_invalid.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "log-level-invalid") else {
        return;
    };
    let severity = match probe.taken {
        _ if broke(probe) => Severity::Error,
        Taken::Error(INVALID_PARAMS) => return,
        Taken::Error(_) | Taken::Result | Taken::HttpOnly => Severity::Info,
        Taken::Silence | Taken::Broken | Taken::Closed => Severity::Error,
    };
    reporter
        .report(format!(
            "the log level `loud`, which does not exist, is met with {}, not with error -32602",
            told(probe)
        ))
        .severity = severity;
}
