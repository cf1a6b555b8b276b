//! Something that works and is not declared.

use super::super::{Check, Reporter, Rule, Section};
use super::reply;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};
use crate::rules::requirements::needs::UNDECLARED;
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.cap_undeclared_answered",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a feature that works and is not declared",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation",
        keyword: Some("MUST"),
    }),
    why: "Clients do not ask for what is not declared, so nobody sees it.",
    hint: "Declare the capability: `tools`, `prompts`, `resources`, `completions` or `logging`.",
    docs: include_str!("cap_undeclared_answered.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let inventory = &evidence.inventory;
    for (capability, method) in UNDECLARED {
        if inventory.declares(capability) {
            continue;
        }
        let works = match capability {
            "tools" => Works::of_number(inventory.tools.entries.len()),
            _ => reply::probe(evidence, &format!("undeclared:{method}"))
                .map_or(Works::No, |probe| Works::of(probe, capability)),
        };
        let (severity, what) = match works {
            Works::No => continue,
            Works::Lists(number) => (
                Severity::Error,
                format!(
                    "gives {}",
                    count(number, "entry").replace("entrys", "entries")
                ),
            ),
            Works::Empty => (Severity::Info, "gives an empty list".to_owned()),
            Works::Answers => (Severity::Info, "is answered".to_owned()),
        };
        let finding = reporter.report_matter(
            capability,
            format!("`{method}` {what}, and the capability `{capability}` is not declared"),
        );
        finding.severity = severity;
    }
}

/// How well something works that is not declared.
enum Works {
    No,
    /// A list with entries: clients lose them.
    Lists(usize),
    /// A list without any: nothing is lost.
    Empty,
    /// A method that gives no list.
    Answers,
}

impl Works {
    const fn of_number(entries: usize) -> Self {
        match entries {
            0 => Self::No,
            number => Self::Lists(number),
        }
    }

    fn of(probe: &Probe, key: &str) -> Self {
        if probe.taken != Taken::Result {
            return Self::No;
        }
        let result = reply::result(&probe.exchange).unwrap_or_default();
        match result.get(key).and_then(|list| list.as_array()) {
            Some(list) if list.is_empty() => Self::Empty,
            Some(list) => Self::Lists(list.len()),
            // A long list is cut, and no longer JSON.
            None if probe.exchange.reply_bytes.is_some() => Self::Lists(1),
            None => Self::Answers,
        }
    }
}
