//! `docs/rules/` is made from the table; `MCPROBE_UPDATE=1` rewrites it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use mcprobe::model::finding::Family;
use mcprobe::rules::{RULES, Rule};

#[test]
fn the_reference_of_rules_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let wanted = reference();
    if std::env::var_os("MCPROBE_UPDATE").is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("docs/rules can be made");
        for (name, text) in &wanted {
            fs::write(folder.join(name), text).expect("a page can be written");
        }
    }
    let mut found = BTreeMap::new();
    for file in fs::read_dir(&folder).expect("docs/rules; run with MCPROBE_UPDATE=1") {
        let path = file.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        found.insert(name, fs::read_to_string(&path).expect("a text"));
    }
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&wanted), "run with MCPROBE_UPDATE=1");
    for (name, text) in &wanted {
        assert_eq!(
            &found[name], text,
            "{name} is old; run with MCPROBE_UPDATE=1"
        );
    }
}

fn reference() -> BTreeMap<String, String> {
    let mut pages: BTreeMap<String, String> = RULES
        .iter()
        .map(|rule| (format!("{}.md", rule.code), page(rule)))
        .collect();
    pages.insert("README.md".to_owned(), index());
    pages
}

fn page(rule: &Rule) -> String {
    let (title, rest) = rule.docs.split_once('\n').expect("a page has a title");
    let mut facts = format!("{} · family `{}`", rule.severity, rule.family);
    if let Some(spec) = rule.spec {
        let keyword = spec
            .keyword
            .map_or_else(String::new, |keyword| format!(" ({keyword})"));
        let _ = write!(facts, " · [specification]({}){keyword}", spec.link);
    }
    format!("{title}\n\n{facts}\n\n{}.\n{rest}", sentence(rule.summary))
}

fn index() -> String {
    let mut text =
        "# Rules\n\nEach rule has a page. Only the family `lint` is scored; the others gate.\n"
            .to_owned();
    for family in [
        Family::Lint,
        Family::Safety,
        Family::Text,
        Family::Compat,
        Family::Protocol,
        Family::Process,
        Family::Call,
    ] {
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

fn sentence(summary: &str) -> String {
    let mut chars = summary.chars();
    // Code keeps its case.
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
