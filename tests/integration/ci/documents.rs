//! The table of inputs, `action.yml` and the documents say the same.
//! `MCPROBE_UPDATE=1 cargo test` rewrites the tables of the documents.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mcprobe::ci::inputs::INPUTS;
use mcprobe::ci::outputs::OUTPUTS;

use crate::cli::generated::block;
use crate::cli::{mcprobe, run};

/// What `action.yml` says of one input or output.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    name: String,
    description: String,
    default: String,
}

/// One section of `action.yml`, in the plain shape that the file keeps to: names
/// at two blanks, their keys at four, folded text below.
fn section(wanted: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    let text = fs::read_to_string(path).expect("action.yml");
    let mut entries: Vec<Entry> = Vec::new();
    let mut in_section = false;
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
    {
        let depth = line.len() - line.trim_start().len();
        let word = line.trim();
        match depth {
            0 if !word.is_empty() => in_section = word.strip_suffix(':') == Some(wanted),
            2 if in_section => entries.push(Entry {
                name: word.trim_end_matches(':').to_owned(),
                ..Entry::default()
            }),
            4 if in_section => {
                let entry = entries.last_mut().expect("an entry");
                let (key, value) = word
                    .split_once(": ")
                    .or(word.split_once(':'))
                    .expect("a key");
                let value = value.trim().trim_matches('"').to_owned();
                match key {
                    "description" if value != ">-" => entry.description = value,
                    "default" => entry.default = value,
                    // Nothing is required: a settings file may name the target.
                    "required" => assert_eq!(value, "false", "{}", entry.name),
                    _ => assert_eq!(key, "description", "{}", entry.name),
                }
            }
            6.. if in_section => {
                let entry = entries.last_mut().expect("an entry");
                if !entry.description.is_empty() {
                    entry.description.push(' ');
                }
                entry.description.push_str(word);
            }
            _ => {}
        }
    }
    entries
}

#[test]
fn action_and_code_have_the_same_inputs() {
    let coded: Vec<Entry> = INPUTS
        .iter()
        .map(|input| Entry {
            name: input.name.to_owned(),
            description: input.about.to_owned(),
            default: if input.in_action { input.default } else { "" }.to_owned(),
        })
        .collect();
    assert_eq!(section("inputs"), coded);
}

#[test]
fn action_and_code_have_the_same_outputs() {
    let coded: Vec<Entry> = OUTPUTS
        .iter()
        .map(|output| Entry {
            name: output.name.to_owned(),
            description: output.about.to_owned(),
            default: String::new(),
        })
        .collect();
    assert_eq!(section("outputs"), coded);
}

#[test]
fn the_documents_have_the_tables_of_the_code() {
    let mut inputs = String::from("| input | default | meaning |\n| --- | --- | --- |\n");
    for input in &INPUTS {
        let default = match input.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        writeln!(inputs, "| `{}` | {default} | {} |", input.name, input.about).expect("a string");
    }
    let mut outputs = String::from("| output | meaning |\n| --- | --- |\n");
    for output in &OUTPUTS {
        writeln!(outputs, "| `{}` | {} |", output.name, output.about).expect("a string");
    }
    for path in ["README.md", "docs/action.md"] {
        block(path, "inputs", &inputs);
        block(path, "outputs", &outputs);
    }
}

#[test]
fn help_has_every_input_and_examples() {
    let output = run(mcprobe().args(["ci", "--help"]));
    assert_eq!(output.status.code(), Some(0));
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    for input in &INPUTS {
        assert!(
            help.contains(&format!("--{}", input.name)),
            "{}",
            input.name
        );
    }
    assert!(
        help.contains("Examples:") && help.contains("[default: 60s]"),
        "{help}"
    );
}
