//! Use of a capability that the client did not declare.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::contact::Answer;
use crate::model::evidence::{Evidence, Seen};
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.undeclared_client_cap",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "use of a capability that the client did not declare",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation",
        keyword: Some("MUST"),
    }),
    why: "The client refuses or ignores such a request, and the call that needs it fails or hangs.",
    hint: "Look at the capabilities that the client declares, and go another way where one is missing.",
    docs: include_str!("undeclared_client_cap.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// What only a client that declares it can answer.
const NEEDS: [(&str, &str); 3] = [
    (ROOTS, "roots"),
    ("sampling/createMessage", "sampling"),
    ("elicitation/create", "elicitation"),
];

/// Servers ask for it beside their work, and go on when it is refused.
const ROOTS: &str = "roots/list";

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    // A client that was told to answer has declared all three.
    let declared = evidence
        .wire
        .answers
        .iter()
        .any(|answered| answered.answer != Answer::Refused);
    if declared {
        return;
    }
    for (method, capability) in NEEDS {
        let is_meant = |seen: &&Seen| seen.method == method;
        let asked = evidence.wire.server_requests.iter().find(is_meant);
        let results = evidence.wire.results.iter();
        let wanted = results
            .flat_map(|facts| &facts.input_requests)
            .find(is_meant);
        let times: u64 = asked.into_iter().chain(wanted).map(|seen| seen.count).sum();
        if times > 0 {
            let finding = reporter.report_matter(
                method,
                format!(
                    "the server asks for `{method}`, and the client did not declare `{capability}`"
                ),
            );
            finding.occurrences = u32::try_from(times).unwrap_or(u32::MAX);
            // A call that stands still for it (`inputRequests`) is another matter.
            if method == ROOTS && wanted.is_none() {
                finding.severity = Severity::Warning;
            }
        }
    }
}
