//! Lines on standard output that are no messages.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::EnvelopeKind;
use crate::model::target::TransportKind;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "process.stdout_noise",
    family: Family::Process,
    severity: Severity::Error,
    summary: "lines on standard output that are no messages",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
        keyword: Some("MUST NOT"),
    }),
    why: "Strict clients close the connection at the first line that is no message.",
    hint: "Write logs and banners to standard error; standard output belongs to the protocol.",
    docs: include_str!("stdout_noise.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let wire = &evidence.wire;
    // Over HTTP what is no message stands in a body or an event, and no stream breaks.
    if wire.noise_lines == 0 || evidence.target.transport == TransportKind::Http {
        return;
    }
    let first = match wire.noise_first.first() {
        Some(line) => format!(", the first is {}", quote(line)),
        None => String::new(),
    };
    let count = match wire.noise_lines {
        1 => "one line".to_owned(),
        count => format!("{count} lines"),
    };
    let logs = wire
        .envelope
        .faults
        .iter()
        .find(|fault| fault.kind == EnvelopeKind::JsonNoise)
        .map_or(0, |fault| fault.count);
    let all_logs = logs >= wire.noise_lines;
    let what = if all_logs {
        "JSON and no JSON-RPC messages, as a structured log is"
    } else {
        "no JSON-RPC messages"
    };
    let finding = reporter.report(format!("{count} on standard output that are {what}{first}"));
    if all_logs {
        finding.hint =
            "Point the logger at standard error; standard output belongs to the protocol.".into();
    }
    finding.occurrences = u32::try_from(wire.noise_lines).unwrap_or(u32::MAX);
}
