//! `mcprobe replay`: every finding about a call is shown again, and its exit says
//! whether it still is.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use super::{mcprobe, report, run};
use crate::common::stdio::{Scripted, scripted_server};

fn script() -> Value {
    let tool = |name: &str| {
        json!({
            "name": name,
            "description": "Looks something up by its key.",
            "inputSchema": {
                "type": "object",
                "properties": { "key": { "type": "string", "description": "The key." } },
                "required": ["key"],
            },
            "annotations": { "readOnlyHint": true },
        })
    };
    let text = |text: &str| json!({ "result": { "content": [{ "type": "text", "text": text }] } });
    let tools = ["careless", "failing", "frail", "tiring"].map(tool);
    let no = json!({ "result": { "isError": true, "content": [{ "type": "text", "text": "no such tool" }] } });
    json!({ "on": {
        "tools/list": [{ "result": { "tools": tools } }],
        "tools/call:careless": [text("fine")],
        "tools/call:failing": [text("Error: upstream answered 503")],
        "tools/call:frail": [{ "exit": 7 }],
        "tools/call:tiring": [[text("fine")], [text("fine")], [text("fine")], [{ "exit": 8 }]],
        "tools/call:mcprobe_no_such_tool": [no],
    }})
}

fn replay(fingerprint: &str, saved: &Path, server: &Scripted) -> Output {
    run(mcprobe()
        .args(["replay", fingerprint, "--report"])
        .arg(saved)
        .arg("--")
        .arg(scripted_server())
        .arg(server.file("script.json")))
}

#[test]
fn every_finding_about_a_call_is_shown_again_and_a_mended_server_is_told() {
    let server = Scripted::new(script());
    let output = run(mcprobe()
        .args(["audit", "--fuzz", "--json", "--quiet", "--"])
        .arg(scripted_server())
        .arg(server.file("script.json")));
    let found = report(&output);
    let saved = server.file("report.json");
    std::fs::write(&saved, &output.stdout).expect("a report");

    let mended = Scripted::new(json!({ "on": {
        "tools/list": script()["on"]["tools/list"],
        "tools/call": [{ "result": { "isError": true, "content": [{ "type": "text", "text": "no" }] } }],
        "tools/call:mcprobe_no_such_tool": [{ "error": { "code": -32602, "message": "Unknown tool" } }],
    }}));
    let mut codes = Vec::new();
    for finding in found["findings"].as_array().expect("findings") {
        let about_call =
            finding["case"].is_string() || finding["code"] == "call.unknown_tool_as_result";
        if finding["family"] != "call" || !about_call {
            continue;
        }
        let fingerprint = finding["fingerprint"].as_str().expect("a fingerprint");
        let again = replay(fingerprint, &saved, &server);
        let said = String::from_utf8_lossy(&again.stdout).into_owned();
        assert_eq!(again.status.code(), Some(0), "{finding:#}\n{said}");
        assert!(said.contains(": reproduced"), "{said}");
        let not = replay(fingerprint, &saved, &mended);
        let said = String::from_utf8_lossy(&not.stdout).into_owned();
        assert_eq!(not.status.code(), Some(1), "{finding:#}\n{said}");
        assert!(said.contains(": not reproduced"), "{said}");
        codes.push(finding["code"].as_str().expect("a code"));
    }
    for code in [
        "call.crash",
        "call.extra_key",
        "call.failure_as_success",
        "call.silent_accept",
        "call.unknown_tool_as_result",
    ] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
    // One of the crashes needs the calls before it.
    let rows = found["fuzz"].as_array().expect("rows");
    assert!(
        rows.iter()
            .any(|row| row["name"] == "tiring" && row["after"].is_array())
    );
}

#[test]
fn what_cannot_be_replayed_is_a_usage_error_and_a_dead_server_is_no_answer() {
    let server = Scripted::new(script());
    let saved = server.file("report.json");
    let text = json!({
        "schemaVersion": 1,
        "findings": [{ "code": "call.timeout", "location": { "tool": "gone" }, "case": "valid", "fingerprint": "ab" }],
        "fuzz": [{ "name": "gone", "case": "valid", "class": "generated", "outcome": "timeout", "arguments": {} }],
    });
    std::fs::write(&saved, text.to_string()).expect("a report");
    let code = |fingerprint: &str, saved: &Path, server: &Scripted| {
        let output = replay(fingerprint, saved, server);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.starts_with("error: "), "{error}");
        (output.status.code(), error)
    };
    let (exit, error) = code("none", &saved, &server);
    assert_eq!(exit, Some(2));
    assert!(error.contains("no finding with the fingerprint"), "{error}");
    assert_eq!(code("ab", &server.file("nowhere"), &server).0, Some(2));
    let (exit, error) = code("ab", &saved, &server);
    assert_eq!(exit, Some(3));
    assert!(error.contains("lists no tool \"gone\""), "{error}");
    let dead = Scripted::new(json!({ "start": [{ "exit": 1 }] }));
    assert_eq!(code("ab", &saved, &dead).0, Some(3));
}
