//! A resource without an address or a name.

use serde_json::Value;

use super::super::{Check, Reporter, Rule, Section};
use super::reply::kind;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::Listing;
use crate::protocol::json;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.resource_entry",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a resource without an address or a name",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource",
        keyword: Some("MUST"),
    }),
    why: "Clients cannot read or show such a resource, and typed ones drop the whole list.",
    hint: "Send `uri` and `name` with each resource, and `uriTemplate` and `name` with each template, as strings.",
    docs: include_str!("resource_entry.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Entries that a message names.
const LISTED: usize = 5;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let inventory = &evidence.inventory;
    let lists = [
        ("resources", "uri", &inventory.resources),
        (
            "resourceTemplates",
            "uriTemplate",
            &inventory.resource_templates,
        ),
    ];
    for (list, address, listing) in lists {
        report(reporter, list, &[address, "name"], listing);
    }
}

/// Reports the entries of a list that lack one of these texts.
pub(super) fn report(reporter: &mut Reporter<'_>, list: &str, keys: &[&str], listing: &Listing) {
    let faults = faults(list, keys, listing);
    if faults.is_empty() {
        return;
    }
    let shown = faults[..faults.len().min(LISTED)].join("; ");
    let more = match faults.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let finding = reporter.report_matter(list, format!("{shown}{more}"));
    finding.occurrences = u32::try_from(faults.len()).unwrap_or(u32::MAX);
}

fn faults(list: &str, keys: &[&str], listing: &Listing) -> Vec<String> {
    let entries = listing.entries.iter().enumerate();
    entries
        .filter_map(|(index, raw)| {
            let entry = json::read(raw.get()).value;
            let fault = fault(&entry, keys)?;
            Some(format!("/{list}/{index}: {fault}"))
        })
        .collect()
}

fn fault(entry: &Value, keys: &[&str]) -> Option<String> {
    if !entry.is_object() {
        return Some(format!(
            "the entry is {}, and must be an object",
            kind(Some(entry))
        ));
    }
    keys.iter().find_map(|key| match entry.get(key) {
        Some(Value::String(text)) if text.is_empty() => Some(format!("`{key}` is empty")),
        Some(Value::String(_)) => None,
        found => Some(format!("`{key}` is {}", kind(found))),
    })
}
