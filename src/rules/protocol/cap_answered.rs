//! A declared capability that is not answered.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, METHOD_NOT_FOUND};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::ListEnd;
use crate::model::probe::Taken;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.cap_answered",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a declared capability that is not answered",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation",
        keyword: Some("MUST"),
    }),
    why: "Clients ask for what is declared, and many end the connection when that fails.",
    hint: "Answer the methods of every capability that is declared, or do not declare it.",
    docs: include_str!("cap_answered.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Characters of a reason that are kept.
const MAX_REASON: usize = 200;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let inventory = &evidence.inventory;
    let lists = [
        ("prompts", "prompts/list", &inventory.prompts),
        ("resources", "resources/list", &inventory.resources),
        (
            "resources",
            "resources/templates/list",
            &inventory.resource_templates,
        ),
    ];
    for (capability, method, list) in lists {
        let ListEnd::Failed { reason } = &list.end else {
            continue;
        };
        // What was not asked for, because another list failed, is not to blame.
        if reason.starts_with("not asked") || !inventory.declares(capability) {
            continue;
        }
        let finding = reporter.report_matter(
            method,
            format!(
                "`{capability}` is declared, and `{method}` fails: {}",
                visible(reason, MAX_REASON)
            ),
        );
        // Widely used SDKs declare resources as a whole and serve no templates.
        if method.contains("templates") && reason.contains("-32601") {
            finding.severity = Severity::Info;
        }
    }
    let probes = [
        ("completions", "completion/complete", "completion-unknown"),
        ("logging", "logging/setLevel", "log-level"),
    ];
    for (capability, method, name) in probes {
        let taken = reply::probe(evidence, name).map(|probe| probe.taken);
        if taken == Some(Taken::Error(METHOD_NOT_FOUND)) && inventory.declares(capability) {
            reporter.report_matter(
                method,
                format!("`{capability}` is declared, and `{method}` is an unknown method"),
            );
        }
    }
}
