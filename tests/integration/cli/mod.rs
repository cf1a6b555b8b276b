//! The command line as people and scripts use it.

mod bad_input;
mod check;
mod demo;
mod four_tools;
pub(crate) mod generated;
mod output;
mod push;
mod replay;
mod rules;
mod signals;
mod spelling;
mod suppress;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The program under test.
pub(crate) fn mcprobe() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcprobe"));
    for variable in [
        "NO_COLOR",
        "COLUMNS",
        "MCPROBE_TARGET_TOKEN",
        "MCPROBE_TOKEN",
        "MCPROBE_API",
    ] {
        command.env_remove(variable);
    }
    command
}

/// An example's program, built by `cargo test` beside the binary.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_mcprobe"))
        .with_file_name("examples")
        .join(name);
    assert!(
        path.exists(),
        "{} is missing; run the whole `cargo test`, which builds the examples",
        path.display()
    );
    path
}

/// Runs the program and returns what it did.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().expect("mcprobe runs")
}

/// Standard output as a JSON report.
pub(crate) fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "stdout is no JSON ({error}): {}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// The codes of a report's findings, in order.
pub(crate) fn codes(report: &Value) -> Vec<&str> {
    report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| finding["code"].as_str().expect("a code"))
        .collect()
}
