//! A ping that is not answered as it should be.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.ping",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a ping that is not answered with an empty result",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping",
        keyword: Some("MUST"),
    }),
    why: "Clients take a server that does not answer a ping for dead, and start it again.",
    hint: "Answer `ping` at once with the result `{}`.",
    docs: include_str!("ping.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(probe) = reply::probe(evidence, "ping") else {
        return;
    };
    if probe.taken != Taken::Result {
        reporter.report(format!(
            "`ping` is met with {}, not with an empty result",
            told(probe)
        ));
        return;
    }
    let Some(result) = reply::result(&probe.exchange) else {
        return;
    };
    let Value::Object(members) = &result else {
        reporter.report("the result of `ping` is no object");
        return;
    };
    let extra: Vec<&str> = members
        .keys()
        .map(String::as_str)
        .filter(|key| *key != "_meta")
        .collect();
    if !extra.is_empty() {
        reporter
            .report(format!(
                "the result of `ping` is not empty: {}",
                crate::wording::names(extra, 4)
            ))
            .severity = Severity::Warning;
    }
}
