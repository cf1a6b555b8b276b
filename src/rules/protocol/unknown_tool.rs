//! A call to no tool that is not refused with a protocol error.

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, broke, is_http_refusal, is_tool_error, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.unknown_tool",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a call to no tool that is not refused with a protocol error",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
        keyword: None,
    }),
    why: "A client that tells missing tools by the protocol error does not notice that its list is old.",
    hint: "Answer calls to unknown names with the JSON-RPC error -32602.",
    docs: include_str!("unknown_tool.md"),
    subsumes: &["call.unknown_tool_as_result"],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "unknown-tool") else {
        return;
    };
    let (severity, what) = match probe.taken {
        _ if broke(probe) => (Severity::Error, "ends the server: it is met with"),
        Taken::Error(INVALID_PARAMS) => return,
        Taken::Error(_) => (Severity::Info, "is answered with"),
        // Widely used SDKs do this.
        Taken::Result if is_tool_error(probe) => (Severity::Info, "is answered with"),
        Taken::HttpOnly if is_http_refusal(probe) => (Severity::Info, "is answered with"),
        Taken::Result => (Severity::Error, "is answered with success:"),
        Taken::Silence | Taken::HttpOnly | Taken::Broken | Taken::Closed => {
            (Severity::Error, "is met with")
        }
    };
    let finding = reporter.report(format!(
        "a call to a tool that does not exist {what} {}; the specification names the protocol error -32602",
        told(probe)
    ));
    finding.severity = severity;
    if probe.taken == Taken::Result && severity == Severity::Error {
        finding.why = "A model that mistypes a name believes that the work was done.".into();
    }
}
