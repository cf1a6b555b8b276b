//! Broken JSON that breaks the server.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, broke, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.parse_error",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "broken JSON that breaks the server",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#messages",
        keyword: None,
    }),
    why: "One cut message ends the work of everyone who uses the server.",
    hint: "Catch what the parser raises, answer with error -32700, and read on.",
    docs: include_str!("parse_error.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "parse-error") else {
        return;
    };
    if broke(probe) {
        reporter.report(format!(
            "a message that is no JSON is met with {}, and the server answers nothing after it",
            told(probe)
        ));
        return;
    }
    if probe.taken == Taken::Closed {
        reporter
            .report("a message that is no JSON is met with the end of the connection; the server answers again after it")
            .severity = Severity::Info;
        return;
    }
    // Over stdio silence is fine as well; over HTTP there is a status.
    let severity = match probe.exchange.http_status {
        None | Some(400..=499) => return,
        Some(500..) => Severity::Warning,
        Some(_) if matches!(probe.taken, Taken::Error(_)) => Severity::Info,
        Some(_) => Severity::Warning,
    };
    reporter
        .report(format!(
            "a body that is no JSON is answered with {}, not with HTTP 400",
            match probe.exchange.http_status {
                Some(status) if probe.taken != Taken::HttpOnly =>
                    format!("HTTP {status} and {}", told(probe)),
                _ => told(probe),
            }
        ))
        .severity = severity;
}
