//! A server that lists other things in the other era.

use std::collections::BTreeSet;

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::inventory::{ListEnd, Listing};
use crate::model::tool::Tool;
use crate::protocol::json;
use crate::wording::names;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.eras_differ",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a server of both eras that lists other things in each",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions",
        keyword: None,
    }),
    why: "What a model can do then depends on how old the client is, and nobody sees why.",
    hint: "Make both eras list the same tools, prompts and resources.",
    docs: include_str!("eras_differ.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(other) = &evidence.contact.other_era else {
        return;
    };
    let (here, there) = (&evidence.inventory, &other.inventory);
    if let Some(failure) = &other.failure {
        reporter.report_matter(
            "failed",
            format!(
                "the {} era is offered and fails: {}",
                other.era.word(),
                super::super::quote::visible(failure, 200)
            ),
        );
        return;
    }
    let lists = [
        ("tools", "name", &here.tools, &there.tools),
        ("prompts", "name", &here.prompts, &there.prompts),
        ("resources", "uri", &here.resources, &there.resources),
    ];
    for (noun, key, here, there) in lists {
        if !(comparable(here) && comparable(there)) {
            continue;
        }
        let (here, there) = (labels(key, here), labels(key, there));
        let missing: Vec<&str> = here.difference(&there).map(String::as_str).collect();
        let extra: Vec<&str> = there.difference(&here).map(String::as_str).collect();
        let mut parts = Vec::new();
        if !missing.is_empty() {
            parts.push(format!("without {}", names(missing, 4)));
        }
        if !extra.is_empty() {
            parts.push(format!("with {}", names(extra, 4)));
        }
        if !parts.is_empty() {
            reporter.report_matter(
                noun,
                format!(
                    "the {noun} of the {} era are others: {}",
                    other.era.word(),
                    parts.join(", and ")
                ),
            );
        }
    }
}

/// Read whole, or not there because it is not declared.
const fn comparable(list: &Listing) -> bool {
    matches!(list.end, ListEnd::Complete | ListEnd::NotAsked)
}

fn labels(key: &str, list: &Listing) -> BTreeSet<String> {
    let entries = list.entries.iter().enumerate();
    entries
        .map(|(index, raw)| match key {
            "name" => Tool::read(index, raw.get()).label(),
            key => json::read(raw.get())
                .value
                .get(key)
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_else(|| format!("[{index}]")),
        })
        .collect()
}
