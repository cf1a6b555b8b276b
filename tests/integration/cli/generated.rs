//! What is written down twice stays equal. `MCPROBE_UPDATE=1 cargo test`
//! rewrites the copies.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mcprobe::cli::exit;
use mcprobe::config::file::{self, FileConfig};

use super::{mcprobe, run};

#[test]
fn the_schema_of_the_settings_file_is_current() {
    let schema = schemars::schema_for!(FileConfig);
    let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    current("docs/schemas/mcprobe.schema.json", &text);
}

#[test]
fn the_schema_of_an_upload_is_current() {
    current(
        "docs/schemas/ingest.v1.json",
        &mcprobe::upload::payload::schema(),
    );
}

#[test]
fn the_example_settings_file_reads() {
    let text = fs::read_to_string(root().join("examples/mcprobe.toml")).expect("the example");
    let config = file::read("mcprobe.toml", &text).expect("a good file");
    let schema = serde_json::to_value(schemars::schema_for!(FileConfig)).expect("JSON");
    let as_json: serde_json::Value = toml::from_str(&text).expect("TOML");
    assert!(
        jsonschema::is_valid(&schema, &as_json),
        "the example breaks its own schema"
    );
    assert_eq!(config.gate.min_score, Some(80.0));
}

#[test]
fn the_readme_has_the_exit_codes_of_the_program() {
    let mut table = String::from("| exit code | means |\n| --- | --- |\n");
    for (code, meaning) in exit::CODES {
        writeln!(table, "| {code} | {meaning} |").expect("written to a string");
    }
    block("README.md", "exit-codes", &table);
}

#[test]
fn help_has_examples_and_the_exit_codes() {
    let output = run(mcprobe().arg("--help"));
    assert_eq!(output.status.code(), Some(0));
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        help.contains("Examples:") && help.contains("Exit codes:"),
        "{help}"
    );
    for (code, _) in exit::CODES {
        assert!(help.contains(code), "{help}");
    }
    for command in ["audit", "check", "replay", "push", "explain", "rules"] {
        let output = run(mcprobe().args([command, "--help"]));
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("Examples:"),
            "{command}"
        );
    }
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(mcprobe().args(["completions", shell]));
        assert_eq!(output.status.code(), Some(0));
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        for word in ["audit", "check", "explain", "rules", "replay", "min-score"] {
            assert!(script.contains(word), "{shell} has no {word}");
        }
    }
}

/// Checks a generated file, or rewrites it when asked to.
fn current(path: &str, text: &str) {
    let whole = root().join(path);
    if std::env::var_os("MCPROBE_UPDATE").is_some() {
        fs::create_dir_all(whole.parent().expect("a folder")).expect("a folder");
        fs::write(&whole, text).expect("written");
    }
    let found = fs::read_to_string(&whole).unwrap_or_default();
    assert!(
        found == text,
        "{path} is not current; run MCPROBE_UPDATE=1 cargo test and review the difference"
    );
}

/// Checks the generated block of a document, or rewrites it when asked to.
pub(crate) fn block(path: &str, name: &str, text: &str) {
    let document = fs::read_to_string(root().join(path)).expect("a document");
    let (open, close) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
    let start = document
        .find(&open)
        .unwrap_or_else(|| panic!("{path} lacks the block {name}"))
        + open.len();
    let end = start + document[start..].find(close).expect("the end of the block");
    current(
        path,
        &format!("{}{text}{}", &document[..start], &document[end..]),
    );
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut broken = Vec::new();
    for document in [
        "README.md",
        "CHANGELOG.md",
        "docs/architecture.md",
        "docs/scoring.md",
        "docs/performance.md",
        "docs/action.md",
    ] {
        let path = root().join(document);
        let text = fs::read_to_string(&path).expect("a document");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            if !path.parent().expect("a folder").join(file).exists() {
                broken.push(format!("{document}: {link}"));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "links that lead nowhere:\n{}",
        broken.join("\n")
    );
}
