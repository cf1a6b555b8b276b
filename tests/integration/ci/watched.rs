//! The workspace is watched while a server that runs in it is called.

use serde_json::{Value, json};

use super::served::{free_port, http_step};
use super::{Step, scripted};
use crate::fuzz::run::tool;

/// A step whose server writes down every message in this file of the workspace.
fn step(log: &str) -> Step {
    let step = Step::new(&[]);
    std::fs::create_dir_all(step.place("app/.git")).expect("folders");
    let script = json!({
        "log": step.place(log).display().to_string(),
        "on": { "tools/list": [{ "result": { "tools": [tool("look_up")] } }] },
    });
    let command = scripted(&step.outside(""), &script);
    step.input("command", &command)
}

/// The messages of the findings about writes.
fn writes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    findings
        .iter()
        .filter(|finding| finding["code"] == "call.read_only_writes")
        .map(|finding| finding["message"].as_str().expect("a message"))
        .collect()
}

#[test]
fn a_server_that_writes_although_it_says_it_only_reads_is_found() {
    let step = step("app/calls.log");
    step.run();
    let report = step.report("mcprobe-report.json");
    let told = writes(&report);
    assert_eq!(told.len(), 1, "{report:#}");
    assert!(told[0].contains("app/calls.log` changed"), "{told:?}");
    let rows = report["fuzz"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["writes"].is_array()));
}

#[test]
fn version_control_and_what_is_written_elsewhere_do_not_count() {
    for log in ["app/.git/log", "../log"] {
        let step = step(log);
        step.run();
        let report = step.report("mcprobe-report.json");
        assert!(!report["fuzz"].as_array().expect("rows").is_empty());
        assert_eq!(writes(&report), [""; 0], "{log}");
        assert!(std::fs::metadata(step.place(log)).expect("a log").len() > 0);
    }
}

#[test]
fn several_calls_at_once_are_asked_for_and_then_nobody_watches() {
    let step = step("app/calls.log").file("mcprobe.toml", "[fuzz]\njobs = 2\n");
    step.run();
    assert_eq!(writes(&step.report("mcprobe-report.json")), [""; 0]);
}

#[test]
fn a_server_over_http_that_the_step_starts_is_watched_too() {
    let step = http_step(free_port()).input("env", "SERVER_LOG=calls.log");
    step.run();
    let report = step.report("mcprobe-report.json");
    let rows = report["fuzz"].as_array().expect("rows");
    assert!(!rows.is_empty());
    for row in rows {
        let path = row["writes"][0]["path"].as_str().expect("a path");
        assert!(path.ends_with("/calls.log"), "{row:#}");
    }
}
