//! Icons that clients may not load.

use serde_json::Value;

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::reply::kind;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;
use crate::protocol::json;
use crate::wording::{count, names};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.icons",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an icon that clients may not load",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#icons",
        keyword: Some("MUST"),
    }),
    why: "Clients must refuse such an address, and typed ones drop the entry or the whole list.",
    hint: "Give each icon a string `src` that begins with `https:` or `data:`.",
    docs: include_str!("icons.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let inventory = &evidence.inventory;
    let lists = [
        ("tool", &inventory.tools),
        ("prompt", &inventory.prompts),
        ("resource", &inventory.resources),
        ("resource template", &inventory.resource_templates),
    ];
    for (noun, list) in lists {
        let mut worst: Option<Fault> = None;
        let mut labels = Vec::new();
        for (index, raw) in list.entries.iter().enumerate() {
            if !raw.get().contains("\"icons\"") {
                continue;
            }
            let entry = json::read(raw.get()).value;
            let Some(fault) = entry.get("icons").and_then(fault) else {
                continue;
            };
            labels.push(Tool::read(index, raw.get()).label());
            if worst
                .as_ref()
                .is_none_or(|worst| fault.severity < worst.severity)
            {
                worst = Some(fault);
            }
        }
        let Some(worst) = worst else { continue };
        let finding = reporter.report_matter(
            noun,
            format!(
                "{} with bad icons ({}): {}",
                count(labels.len(), noun),
                names(labels.iter().map(String::as_str), 4),
                worst.what
            ),
        );
        finding.severity = worst.severity;
        finding.occurrences = u32::try_from(labels.len()).unwrap_or(u32::MAX);
    }
}

struct Fault {
    severity: Severity,
    what: String,
}

fn fault(icons: &Value) -> Option<Fault> {
    let bad = |what: String| {
        Some(Fault {
            severity: Severity::Warning,
            what,
        })
    };
    let Value::Array(icons) = icons else {
        return bad(format!(
            "`icons` is {}, and must be an array",
            kind(Some(icons))
        ));
    };
    icons.iter().find_map(|icon| {
        let Some(src) = icon.get("src").and_then(Value::as_str) else {
            return bad(format!("`src` is {}", kind(icon.get("src"))));
        };
        let scheme = src
            .split(':')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match scheme.as_str() {
            "https" | "data" => None,
            "http" => Some(Fault {
                severity: Severity::Info,
                what: format!("{} is not loaded over HTTPS", quote(src)),
            }),
            _ => bad(format!("{} is no address that may be loaded", quote(src))),
        }
    })
}
