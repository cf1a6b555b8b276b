//! The table of rules polices itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mcprobe::rules::{self, RULES};

use super::fixture;

fn source() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules"))
}

#[test]
fn the_table_is_sorted_and_found_by_code() {
    assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
    for rule in RULES {
        assert!(std::ptr::eq(
            rules::rule(rule.code).expect(rule.code),
            *rule
        ));
    }
    assert!(rules::rule("no.such").is_none());
}

#[test]
fn every_file_of_a_rule_is_in_the_table_and_its_path_is_the_code() {
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(source()).expect("src/rules") {
        let folder = folder.expect("an entry").path();
        if !folder.is_dir() {
            continue;
        }
        let subject = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        for file in fs::read_dir(&folder).expect("a folder of rules") {
            let file = file.expect("an entry").path();
            if file.is_dir() {
                // What rules share may be a folder; a rule is a file.
                continue;
            }
            let text = fs::read_to_string(&file).expect("a text");
            if text.contains("static RULE: Rule") {
                let name = file.file_stem().expect("a name").to_string_lossy();
                let code = format!("{subject}.{name}");
                assert!(
                    text.contains(&format!("code: \"{code}\"")),
                    "{} has another code",
                    file.display()
                );
                assert!(file.with_extension("md").exists(), "{code} has no page");
                found.insert(code);
            }
        }
    }
    let table: BTreeSet<String> = RULES.iter().map(|rule| rule.code.to_owned()).collect();
    assert_eq!(found, table);
}

#[test]
fn every_page_has_its_headings_in_order() {
    for rule in RULES {
        let headings: Vec<&str> = rule
            .docs
            .lines()
            .filter(|line| line.starts_with('#') && !line.starts_with("###"))
            .collect();
        let title = format!("# {}", rule.code);
        assert_eq!(
            headings,
            [
                &title,
                "## What it checks",
                "## Why it matters",
                "## Example",
                "## How to fix"
            ],
            "{}",
            rule.code
        );
        let lines = rule.docs.lines().count();
        assert!(
            (10..=45).contains(&lines),
            "{} has {lines} lines",
            rule.code
        );
    }
}

#[test]
fn every_rule_says_what_it_must() {
    for rule in RULES {
        for text in [rule.summary, rule.why, rule.hint] {
            assert!(!text.trim().is_empty(), "{}", rule.code);
        }
        assert!(
            rule.why.ends_with('.') && rule.hint.ends_with('.'),
            "{}",
            rule.code
        );
        for weaker in rule.subsumes {
            assert!(
                rules::rule(weaker).is_some(),
                "{} subsumes {weaker}",
                rule.code
            );
        }
        if let Some(spec) = rule.spec {
            assert!(spec.link.starts_with("https://"), "{}", rule.code);
        }
    }
}

#[test]
fn every_rule_fires_on_its_bad_fixture_and_stays_silent_on_its_good_one() {
    for rule in RULES {
        for (name, fires) in [("bad.json", true), ("good.json", false)] {
            let findings = fixture::findings(rule.code, name);
            let own = findings
                .iter()
                .filter(|finding| finding.code == rule.code)
                .count();
            assert_eq!(own > 0, fires, "{} on {name}: {findings:#?}", rule.code);
        }
    }
}

#[test]
fn every_fixture_belongs_to_a_rule() {
    for folder in fs::read_dir(fixture::folder()).expect("fixtures") {
        let code = folder
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        assert!(rules::rule(&code).is_some(), "no rule {code}");
    }
}
