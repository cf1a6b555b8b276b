//! The rules themselves: the page of one, the list of all, the reference in
//! `docs/rules/`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::model::finding::Family;
use crate::rules::{RULES, Rule};

/// The page of a rule, in Markdown: what it looks for, its severity and source, and
/// what the rule's author says of it.
pub fn page(rule: &Rule) -> String {
    let (title, rest) = rule.docs.split_once('\n').unwrap_or((rule.docs, ""));
    let mut facts = format!("{} · family `{}`", rule.severity, rule.family);
    if let Some(spec) = rule.spec {
        let keyword = spec
            .keyword
            .map_or_else(String::new, |keyword| format!(" ({keyword})"));
        let _ = write!(facts, " · [specification]({}){keyword}", spec.link);
    }
    format!("{title}\n\n{facts}\n\n{}.\n{rest}", sentence(rule.summary))
}

/// The index of all rules, in Markdown, by family.
pub fn index() -> String {
    let mut text =
        "# Rules\n\nEach rule has a page. Only the family `lint` is scored; the others gate.\n"
            .to_owned();
    for family in Family::ALL {
        let mut rules = RULES.iter().filter(|rule| rule.family == family).peekable();
        if rules.peek().is_none() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {family}\n\n| rule | severity | looks for |\n| --- | --- | --- |\n"
        );
        for rule in rules {
            let _ = writeln!(
                text,
                "| [`{0}`]({0}.md) | {1} | {2} |",
                rule.code, rule.severity, rule.summary
            );
        }
    }
    text
}

/// Rules for programs: a JSON array, each with `code`, `family`, `severity`, `summary`,
/// `why`, `hint`, `spec` (`link` and `keyword`, or `null`) and `docs` (Markdown).
pub fn json(rules: &[&Rule]) -> String {
    let rows = rules.iter().map(|rule| {
        json!({
            "code": rule.code,
            "family": rule.family,
            "severity": rule.severity,
            "summary": rule.summary,
            "why": rule.why,
            "hint": rule.hint,
            "spec": rule.spec.map(|spec| json!({"link": spec.link, "keyword": spec.keyword})),
            "docs": page(rule),
        })
    });
    format!("{:#}\n", rows.collect::<Value>())
}

fn sentence(summary: &str) -> String {
    let mut chars = summary.chars();
    // Code keeps its case.
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
