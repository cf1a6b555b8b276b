//! A list of tools too large for a model.

use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::wording::count;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "compat.large_list",
    family: Family::Compat,
    severity: Severity::Warning,
    summary: "a list of tools of over 25,000 tokens",
    spec: Some(Section {
        link: "https://github.com/anthropics/claude-code/issues/12241",
        keyword: None,
    }),
    why: "A client that hands the list to a model pays for it in every request, and has that much less room for the work.",
    hint: "Shorten the longest descriptions and schemas first, and offer fewer tools at a time.",
    docs: include_str!("large_list.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// Tokens from which Claude Code 2.0.50 (November 2025) warns.
const MAX_TOKENS: usize = 25_000;

/// Characters that make a token, about.
const CHARS_PER_TOKEN: usize = 4;

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let tools = &evidence.inventory.tools.entries;
    let chars: usize = tools.iter().map(|entry| compact_chars(entry.get())).sum();
    if chars <= MAX_TOKENS * CHARS_PER_TOKEN {
        return;
    }
    reporter.report(format!(
        "{} come to {chars} characters, about {} tokens, where Claude Code warns from {MAX_TOKENS} on",
        count(tools.len(), "tool"),
        chars / CHARS_PER_TOKEN
    ));
}

/// The characters of a JSON text without the white space between its parts.
fn compact_chars(json: &str) -> usize {
    let (mut chars, mut in_string, mut escaped) = (0, false, false);
    for byte in json.bytes() {
        let continues = byte & 0xC0 == 0x80;
        let is_space = !in_string && byte.is_ascii_whitespace();
        chars += usize::from(!continues && !is_space);
        if escaped {
            escaped = false;
        } else if byte == b'\\' {
            escaped = in_string;
        } else if byte == b'"' {
            in_string = !in_string;
        }
    }
    chars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_the_parts_costs_nothing() {
        for (json, chars) in [
            (r#"{"a":"b c"}"#, 11),
            ("{\n  \"a\" :\t\"b c\"\r\n}", 11),
            (r#"["\" ", "é€𝄞"]"#, 13),
            (r#"["\\" , 1]"#, 8),
            ("", 0),
        ] {
            assert_eq!(compact_chars(json), chars, "{json}");
        }
    }

    #[test]
    fn the_bound_is_a_hundred_thousand_characters() {
        for (length, fires) in [(100_000, false), (100_001, true)] {
            let entry = format!("\"{}\"", "x".repeat(length - 2));
            assert_eq!(compact_chars(&entry), length);
            assert_eq!(length > MAX_TOKENS * CHARS_PER_TOKEN, fires);
        }
    }
}
