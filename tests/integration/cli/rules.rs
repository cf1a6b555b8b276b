//! `mcprobe rules` and `mcprobe explain`.

use mcprobe::render;
use mcprobe::rules::RULES;
use serde_json::Value;

use super::{mcprobe, run};

fn printed(words: &[&str]) -> String {
    let output = run(mcprobe().args(words));
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_list_has_every_rule_once_and_no_colour_in_a_pipe() {
    let list = printed(&["rules"]);
    for rule in RULES {
        let lines = list
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(rule.code));
        assert_eq!(lines.count(), 1, "{}", rule.code);
    }
    assert!(!list.contains('\u{1b}'));
    assert!(printed(&["rules", "--color", "always"]).contains("\u{1b}[31merror"));
}

#[test]
fn a_family_is_picked() {
    let list = printed(&["rules", "--family", "lint,process"]);
    let codes: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(codes.contains(&"param.untyped") && codes.contains(&"process.exited"));
    assert!(!codes.contains(&"call.crash"));
}

#[test]
fn programs_get_an_array_with_the_pages() {
    let rows: Vec<Value> = serde_json::from_str(&printed(&["rules", "--json"])).expect("JSON");
    assert_eq!(rows.len(), RULES.len());
    for (row, rule) in rows.iter().zip(RULES) {
        assert_eq!(row["code"], rule.code);
        assert_eq!(row["severity"], rule.severity.word());
        assert_eq!(row["docs"], render::rules::page(rule));
        assert_eq!(
            row["spec"]["link"].as_str(),
            rule.spec.map(|spec| spec.link)
        );
    }
}

#[test]
fn a_page_is_that_of_the_reference_without_its_marks_of_headings() {
    for rule in RULES {
        let page = printed(&["explain", rule.code]);
        assert!(page.starts_with(rule.code), "{page}");
        for heading in ["What it checks", "Why it matters", "How to fix"] {
            assert!(
                page.lines().any(|line| line == heading),
                "{}: {heading}",
                rule.code
            );
        }
        let kept = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
        let headings = render::rules::page(rule)
            .lines()
            .filter(|line| line.starts_with("# ") || line.starts_with("## "))
            .count();
        assert_eq!(
            kept(&page),
            kept(&render::rules::page(rule)) + headings,
            "{}",
            rule.code
        );
    }
}
