//! A prompt without a name.

use super::super::{Check, Reporter, Rule, Section};
use super::resource_entry;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.prompt_entry",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a prompt without a name",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/prompts#prompt",
        keyword: Some("MUST"),
    }),
    why: "Nobody can ask for such a prompt, and typed clients drop the whole list.",
    hint: "Send a `name` with each prompt, as a string.",
    docs: include_str!("prompt_entry.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    resource_entry::report(reporter, "prompts", &["name"], &evidence.inventory.prompts);
}
