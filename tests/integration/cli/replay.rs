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
        // The script's own call to no tool says the same as that of the calls.
        .args(["audit", "--fuzz", "--no-probe", "--json", "--quiet", "--"])
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

#[test]
fn a_finding_that_no_call_shows_starts_no_server_and_a_pipe_is_not_waited_for() {
    let server = Scripted::new(script());
    let refused = |saved: &Path| {
        let output = replay("ab", saved, &server);
        assert_eq!(output.status.code(), Some(2));
        assert!(!server.file("starts").exists(), "a server was started");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let saved = server.file("report.json");
    for (code, reason) in [
        (
            "call.of_tomorrow",
            "this version has no rule \"call.of_tomorrow\"",
        ),
        ("tool.no_annotations", "is not about calls"),
    ] {
        let text = json!({
            "schemaVersion": 1,
            "findings": [{ "code": code, "location": { "tool": "frail" }, "case": "valid", "fingerprint": "ab" }],
            "fuzz": [{ "name": "frail", "case": "valid", "class": "generated", "outcome": "ok", "arguments": {} }],
        });
        std::fs::write(&saved, text.to_string()).expect("a report");
        let error = refused(&saved);
        assert!(error.contains(reason), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let pipe = server.file("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let error = refused(&pipe);
    assert!(error.contains("a pipe into which nobody wrote"), "{error}");
}

/// Audits a server of its script and keeps the report; further flags may be given.
fn saved(server: &Scripted, flags: &[&str]) -> (Value, std::path::PathBuf) {
    let output = run(mcprobe()
        .args(["audit", "--fuzz", "--json", "--quiet"])
        .args(flags)
        .arg("--")
        .arg(scripted_server())
        .arg(server.file("script.json")));
    let path = server.file("report.json");
    std::fs::write(&path, &output.stdout).expect("a report");
    (report(&output), path)
}

fn finding<'a>(report: &'a Value, code: &str, tool: Option<&str>) -> &'a Value {
    let findings = report["findings"].as_array().expect("findings");
    findings
        .iter()
        .find(|finding| finding["code"] == code && finding["location"]["tool"].as_str() == tool)
        .unwrap_or_else(|| panic!("no {code}: {findings:#?}"))
}

fn is_shown(finding: &Value, saved: &Path, server: &Scripted) -> bool {
    let fingerprint = finding["fingerprint"].as_str().expect("a fingerprint");
    let output = replay(fingerprint, saved, server);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0) => assert!(said.contains(": reproduced"), "{said}"),
        Some(1) => assert!(said.contains(": not reproduced"), "{said}"),
        code => panic!("{code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
    output.status.success()
}

fn reading_tool(name: &str, hints: &Value) -> Value {
    let mut tool = crate::fuzz::run::tool(name);
    for (key, value) in hints.as_object().expect("hints") {
        tool["annotations"][key] = value.clone();
    }
    tool
}

/// A tool that answers so the first times on each process, and otherwise later.
fn turning(first: &[&str], later: &str) -> Value {
    let text =
        |text: &str| json!([{ "result": { "content": [{ "type": "text", "text": text }] } }]);
    let turns: Vec<Value> = first
        .iter()
        .chain([&later])
        .map(|word| text(word))
        .collect();
    json!(turns)
}

#[test]
fn an_answer_that_depends_on_order_is_shown_by_all_calls_in_their_order() {
    // Two calls at the start, its own other cases and those of the other tool, then
    // twice more: what comes after the first plan differs, on a fresh process not.
    let lists = json!([{ "result": { "tools": [reading_tool("mood", &json!({})), reading_tool("other", &json!({}))] } }]);
    let probe = Scripted::new(json!({ "on": { "tools/list": lists } }));
    let (counted, _) = saved(&probe, &[]);
    let rows = counted["fuzz"].as_array().expect("rows");
    let own = rows.iter().filter(|row| row["name"] == "mood").count();
    // One of its calls is made twice.
    let first = vec!["all is calm"; own + 1];
    let server = Scripted::new(json!({ "on": {
        "tools/list": lists,
        "tools/call:mood": turning(&first, "storms are near"),
    }}));
    let (report, path) = saved(&server, &[]);
    let order = finding(&report, "call.answer_depends_on_order", Some("mood"));
    assert!(is_shown(order, &path, &server));
    assert!(!is_shown(order, &path, &probe));
}

#[test]
fn calls_that_came_before_a_crash_are_made_again_and_no_others() {
    // The repeat that an idempotent tool gets is one of the calls of the report.
    let on = |last: usize| {
        let mut turns =
            vec![json!([{ "result": { "content": [{ "type": "text", "text": "ok" }] } }]); last];
        turns.push(json!([{ "exit": 9 }]));
        turns.push(json!([{ "result": { "content": [{ "type": "text", "text": "ok" }] } }]));
        json!({ "on": {
            "tools/list": [{ "result": { "tools": [reading_tool("tiring", &json!({ "idempotentHint": true }))] } }],
            "tools/call:tiring": turns,
        }})
    };
    let server = Scripted::new(on(4));
    let (report, path) = saved(&server, &[]);
    let rows = report["fuzz"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["after"].is_array());
    let row = row.expect("a crash that needs others");
    let after: Vec<&str> = row["after"]
        .as_array()
        .expect("calls")
        .iter()
        .map(|call| call["case"].as_str().expect("a case"))
        .collect();
    assert_eq!((after.len(), &after[..2]), (4, &["valid", "valid"][..]));
    let findings = report["findings"].as_array().expect("findings");
    let crash = findings
        .iter()
        .find(|finding| finding["code"] == "call.crash" && finding["case"] == row["case"]);
    let crash = crash.expect("its finding");
    assert!(is_shown(crash, &path, &server));
    assert!(!is_shown(crash, &path, &Scripted::new(on(5))));
}

#[test]
fn a_schema_that_was_mended_ends_its_findings() {
    let answer = json!([{ "result": { "content": [{ "type": "text", "text": "ok" }] } }]);
    let server = Scripted::new(json!({ "on": {
        "tools/list": [{ "result": { "tools": [reading_tool("lax", &json!({}))] } }],
        "tools/call:lax": answer,
    }}));
    let (report, path) = saved(&server, &[]);
    let accepted = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|finding| finding["code"] == "call.silent_accept");
    let accepted: Vec<&Value> = accepted.collect();
    assert!(!accepted.is_empty());
    let mut tool = reading_tool("lax", &json!({}));
    tool["inputSchema"] = json!({ "type": "object" });
    let mended = Scripted::new(json!({ "on": {
        "tools/list": [{ "result": { "tools": [tool] } }],
        "tools/call:lax": answer,
    }}));
    for finding in accepted {
        assert!(is_shown(finding, &path, &server));
        assert!(!is_shown(finding, &path, &mended));
    }
}

#[test]
fn a_changed_list_is_shown_by_all_calls() {
    let list = |names: &[&str]| {
        let tools: Vec<Value> = names
            .iter()
            .map(|name| reading_tool(name, &json!({})))
            .collect();
        json!([{ "result": { "tools": tools } }])
    };
    let server =
        Scripted::new(json!({ "on": { "tools/list": [list(&["one"]), list(&["one", "two"])] } }));
    let (report, path) = saved(&server, &[]);
    let changed = finding(&report, "call.tools_changed", None);
    assert!(is_shown(changed, &path, &server));
    assert!(!is_shown(
        changed,
        &path,
        &Scripted::new(json!({ "on": { "tools/list": list(&["one"]) } }))
    ));
}

#[test]
fn writes_are_looked_for_where_a_folder_is_watched() {
    // The server writes down what it hears, beside its script.
    let server = Scripted::new(json!({
        "on": { "tools/list": [{ "result": { "tools": [reading_tool("quiet", &json!({}))] } }] },
    }));
    let folder = server.file("").display().to_string();
    let (report, path) = saved(&server, &["--watch", &folder]);
    let wrote = finding(&report, "call.read_only_writes", Some("quiet"));
    let fingerprint = wrote["fingerprint"].as_str().expect("a fingerprint");
    let output = replay(fingerprint, &path, &server);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--watch DIR"));
    let watching = run(mcprobe()
        .args(["replay", fingerprint, "--watch", &folder, "--report"])
        .arg(&path)
        .arg("--")
        .arg(scripted_server())
        .arg(server.file("script.json")));
    assert_eq!(watching.status.code(), Some(0));
}
