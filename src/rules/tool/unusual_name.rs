//! A name of unusual style.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "tool.unusual_name",
    family: Family::Lint,
    severity: Severity::Warning,
    summary: "a name that is neither snake_case nor kebab-case",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names",
        keyword: Some("SHOULD"),
    }),
    why: "Names of mixed style are mistyped by models, and some model APIs refuse characters beyond letters, digits, `_` and `-`.",
    hint: "Use lower-case words joined by `_` or `-`, such as `read_file`.",
    docs: include_str!("unusual_name.md"),
    subsumes: &[],
    check: Check::Tool(check),
};

fn check(tool: &Tool, reporter: &mut Reporter<'_>) {
    let Some(name) = tool.name.as_deref() else {
        return;
    };
    if !name.is_empty() && !is_usual(name) {
        reporter.report(format!(
            "the name {} is neither snake_case nor kebab-case",
            quote(name)
        ));
    }
}

/// Words of lower-case letters and digits, joined by single `_` or `-`.
fn is_usual(name: &str) -> bool {
    name.split(['_', '-']).all(|word| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::is_usual;

    #[test]
    fn words_joined_by_single_marks_are_usual() {
        for usual in ["read_file", "read-file", "a-b_c", "42", "x"] {
            assert!(is_usual(usual), "{usual}");
        }
        for unusual in ["a__b", "_x", "x-", "readFile", "files.read", "a b", "ä"] {
            assert!(!is_usual(unusual), "{unusual}");
        }
    }
}
