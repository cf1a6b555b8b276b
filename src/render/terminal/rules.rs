//! Rules at a terminal: the list of them, and the page of one.

use super::Style;
use super::page::{Ink, Page};
use crate::model::finding::{Family, Severity};
use crate::rules::Rule;

/// The list, by family: code, severity, what the rule looks for.
pub fn list(rules: &[&Rule], style: &Style) -> String {
    let mut page = Page::new(style);
    let widest = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    for family in Family::ALL {
        let mut of_family = rules.iter().filter(|rule| rule.family == family).peekable();
        if of_family.peek().is_none() {
            continue;
        }
        let title = page.ink(Ink::Bold, family.word());
        page.line(&title);
        for rule in of_family {
            // Padded before it is inked: the codes of colours have a width of their own.
            let severity = page.ink(ink(rule.severity), &format!("{:<7}", rule.severity));
            page.line(&format!(
                "  {:<widest$}  {severity}  {}",
                rule.code, rule.summary
            ));
        }
        page.gap();
    }
    let count = rules.len();
    let end = format!(
        "{count} rule{}; mcprobe explain CODE shows the page of one",
        if count == 1 { "" } else { "s" }
    );
    page.line(&end);
    page.finish()
}

/// The page of a rule, its headings in bold.
pub fn explained(rule: &Rule, style: &Style) -> String {
    let mut page = Page::new(style);
    let text = crate::render::rules::page(rule);
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        match line.trim_start_matches('#').strip_prefix(' ') {
            Some(title) if !is_code && line.starts_with('#') => {
                let title = page.ink(Ink::Bold, title);
                page.line(&title);
            }
            _ => page.line(line),
        }
    }
    page.finish()
}

const fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Red,
        Severity::Warning => Ink::Yellow,
        Severity::Info => Ink::Dim,
    }
}
