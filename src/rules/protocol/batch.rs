//! A batch that is not taken.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.batch",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a batch that is not taken",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-03-26/basic#batching",
        keyword: Some("MUST"),
    }),
    why: "Clients of this revision may send batches, and wait for the reply.",
    hint: "Read an array as several messages, and answer with an array; or speak a later revision.",
    docs: include_str!("batch.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let probes = evidence.probes.as_ref();
    let Some(probe) = probes.and_then(|probes| probes.get("batch")) else {
        return;
    };
    let how = match probe.taken {
        Taken::Result => return,
        Taken::Error(code) => format!("refused (error {code})"),
        Taken::Silence => "not answered".to_owned(),
        Taken::Closed => "the end of the server".to_owned(),
        Taken::Broken | Taken::HttpOnly => "answered with something that is no reply".to_owned(),
    };
    reporter.report(format!("a batch with one `ping` is {how}"));
}
