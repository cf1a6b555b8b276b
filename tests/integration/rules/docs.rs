//! `docs/rules/` is made from the table; `MCPROBE_UPDATE=1` rewrites it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mcprobe::render::rules;
use mcprobe::rules::RULES;

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
        .map(|rule| (format!("{}.md", rule.code), rules::page(rule)))
        .collect();
    pages.insert("README.md".to_owned(), rules::index());
    pages
}
