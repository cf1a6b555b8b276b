//! `mcprobe check` judges what an audit saw, without a server.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{codes, example, mcprobe, report, run};

#[test]
fn saved_evidence_gives_the_same_report_as_the_audit() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let evidence = folder.path().join("evidence.json");
    let audited = run(mcprobe()
        .args(["audit", "--fuzz-writes", "--json", "--quiet", "--evidence"])
        .arg(&evidence)
        .arg("--")
        .arg(example("flawed_server")));
    let mut live = report(&audited);
    let checked = run(mcprobe()
        .args(["check", "--json", "--fail-on", "none"])
        .arg(&evidence));
    assert_eq!(checked.status.code(), Some(0));
    let mut again = report(&checked);
    assert_eq!(live["run"], again["run"]);
    for report in [&mut live, &mut again] {
        report.as_object_mut().expect("an object").remove("verdict");
    }
    assert_eq!(live, again);
}

#[test]
fn errors_fail_a_check_by_default() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let list = folder.path().join("tools.json");
    fs::write(
        &list,
        json!({ "tools": [{ "name": "a", "inputSchema": { "type": "object" } }] }).to_string(),
    )
    .expect("a file");
    let output = run(mcprobe().args(["check", "--json"]).arg(&list));
    assert_eq!(output.status.code(), Some(1));
    assert!(codes(&report(&output)).contains(&"tool.missing_description"));
    let output = run(mcprobe()
        .args(["check", "--json", "--fail-on", "none"])
        .arg(&list));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let mut child = mcprobe()
        .args(["check", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("mcprobe starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"[]")
        .expect("written");
    let output = child.wait_with_output().expect("mcprobe ends");
    let report = report(&output);
    assert_eq!(report["counts"]["tools"], 0);
    assert_eq!(report["overall"], Value::Null);
}
