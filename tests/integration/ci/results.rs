//! Each result: outputs, report, summary, annotations and exit code.

use std::net::TcpListener;

use serde_json::{Value, json};

use super::{Done, Step, flawed, scripted};

const CODES: [(&str, &str); 5] = [
    ("pass", "0"),
    ("below-min-score", "1"),
    ("findings", "1"),
    ("partial", "1"),
    ("cannot-audit", "3"),
];

/// Holds a step to its result, and its report to its outputs.
fn expect(step: &Step, done: &Done, result: &str) -> Value {
    let (_, code) = CODES
        .iter()
        .find(|(name, _)| *name == result)
        .expect("a result");
    let passed = (result == "pass").to_string();
    assert_eq!(
        done.answer(),
        (
            result,
            passed.as_str(),
            *code,
            code.parse().expect("a number")
        ),
        "{done:#?}"
    );
    let report = step.report("mcprobe-report.json");
    let score = report["overall"]
        .as_u64()
        .map_or_else(String::new, |score| score.to_string());
    assert_eq!(done.outputs["score"], score);
    assert_eq!(
        done.outputs["grade"],
        report["grade"].as_str().unwrap_or_default()
    );
    assert_eq!(
        done.outputs["findings"],
        report["findings"]
            .as_array()
            .expect("a list")
            .len()
            .to_string()
    );
    assert_eq!(report["verdict"]["passed"], result == "pass");
    let summary = std::fs::read_to_string(step.place("mcprobe-summary.md")).expect("a summary");
    assert_eq!(done.summary, summary, "the job summary is the file");
    let errors = done.annotations("error").len();
    assert_eq!(result == "pass", errors == 0, "{done:#?}");
    report
}

#[test]
fn a_pass_sets_every_output() {
    let step = Step::new(&[
        ("min-score", "74.5"),
        ("fail-on", "error"),
        ("fuzz", "false"),
    ]);
    let command = scripted(&step.outside(""), &json!({}));
    let step = step.input("command", &command);
    let done = step.run();
    expect(&step, &done, "pass");
    let empty: Vec<&String> = done
        .outputs
        .iter()
        .filter(|(_, v)| v.is_empty())
        .map(|(k, _)| k)
        .collect();
    assert!(empty.is_empty(), "{empty:?}");
    assert_eq!(done.outputs["server-name"], "scripted");
    assert_eq!(done.outputs["server-version"], "1.0.0");
    assert_eq!(done.outputs["tools"], "1");
    assert!(done.summary.starts_with("# ✅ "), "{}", done.summary);
    assert!(
        done.summary.contains("static only") && done.summary.contains("**not** error handling"),
        "{}",
        done.summary
    );
}

/// The gate that the README tells people to set.
fn gate_of_readme() -> Vec<(&'static str, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let action = readme.split("uses: mcprobe/mcprobe@").nth(1);
    let lines: Vec<&str> = action.expect("the action").lines().take(8).collect();
    ["min-score", "fail-on"]
        .into_iter()
        .map(|name| {
            let line = lines.iter().find_map(|line| line.trim().strip_prefix(name));
            let value = line.expect(name).trim_start_matches(':').trim();
            let value = value.split(" #").next().unwrap_or_default();
            (name, value.trim().trim_matches('"').to_owned())
        })
        .collect()
}

#[test]
fn a_crashing_server_fails_the_gate_of_the_readme() {
    let gate = gate_of_readme();
    let inputs: Vec<(&str, &str)> = gate
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .chain([("fuzz", "writes")])
        .collect();
    let dies = json!({ "on": { "tools/call": [{ "exit": 9 }] } });
    let step = |inputs: &[(&str, &str)]| {
        let step = Step::new(inputs);
        let command = scripted(&step.outside(""), &dies);
        step.input("command", &command)
    };
    let whole = step(&inputs);
    let done = whole.run();
    expect(&whole, &done, "below-min-score");
    let errors = done.annotations("error");
    assert!(
        errors
            .iter()
            .any(|error| error.contains("ended the server with exit code 9")),
        "{errors:?}"
    );
    // Each half of the gate alone does it.
    let half = step(&inputs[1..]);
    expect(&half, &half.run(), "findings");
}

#[test]
fn thresholds_are_decimal_and_findings_fail() {
    for (threshold, result) in [
        ("74.5", "below-min-score"),
        ("75.5", "below-min-score"),
        ("73.5", "pass"),
        ("74", "pass"),
    ] {
        let step = Step::new(&[("command", &flawed()), ("min-score", threshold)]);
        let done = step.run();
        if result == "pass" {
            assert_eq!(done.outputs["result"], "pass", "{threshold}");
        } else {
            expect(&step, &done, result);
        }
    }
    let step = Step::new(&[
        ("command", &flawed()),
        ("fail-on", "error"),
        ("min-score", "70"),
    ]);
    let done = step.run();
    let report = expect(&step, &done, "findings");
    assert_eq!(report["overall"], 74);
    assert_eq!(done.outputs["errors"], "3");
    assert!(
        done.annotations("error")
            .iter()
            .any(|text| text.contains("sum_rows")),
        "{done:#?}"
    );
}

#[test]
fn a_server_that_dies_of_bad_input_does_not_pass_the_example_gate() {
    let done = Step::new(&[
        ("command", &flawed()),
        ("min-score", "70"),
        ("fail-on", "error"),
    ])
    .run();
    assert_eq!(done.answer(), ("findings", "false", "1", 1));
}

#[test]
fn nothing_called_although_asked_is_partial() {
    let deny = "[tools.echo]\ndeny = true\n";
    let step = Step::new(&[("min-score", "1")]).file("mcprobe.toml", deny);
    let command = scripted(&step.outside(""), &json!({}));
    let step = step.input("command", &command);
    let done = step.run();
    expect(&step, &done, "partial");
    assert!(
        done.summary.contains("allow-partial: true"),
        "{}",
        done.summary
    );
    let done = step.input("allow-partial", "true").run();
    assert_eq!(done.outputs["result"], "pass");
}

#[test]
fn no_tools_is_no_score_and_a_failed_list_is_no_audit() {
    let empty = json!({"on": {"tools/list": [{"result": {"tools": []}}]}});
    let none = json!({"on": {
        "initialize": [{"result": {"protocolVersion": "2025-11-25", "capabilities": {"prompts": {}},
            "serverInfo": {"name": "fixture", "version": "1.0.0"}}}],
        "tools/list": [{"error": {"code": -32601, "message": "Method not found: tools/list"}}],
    }});
    for script in [empty, none] {
        let step = Step::new(&[("min-score", "1")]);
        let command = scripted(&step.outside(""), &script);
        let step = step.input("command", &command);
        let done = step.run();
        expect(&step, &done, "partial");
        assert_eq!(
            (
                done.outputs["score"].as_str(),
                done.outputs["tools"].as_str()
            ),
            ("", "0")
        );
        // Being without tools is no error in itself.
        let done = step.input("min-score", "").run();
        assert_eq!(
            (
                done.outputs["result"].as_str(),
                done.outputs["score"].as_str()
            ),
            ("pass", "")
        );
    }
    let broken = json!({"on": {"tools/list": [{"error": {"code": -32603, "message": "database is locked"}}]}});
    let step = Step::new(&[("min-score", "1")]);
    let command = scripted(&step.outside(""), &broken);
    let step = step.input("command", &command);
    let done = step.run();
    let report = expect(&step, &done, "cannot-audit");
    assert!(
        report["findings"]
            .to_string()
            .contains("protocol.list_failed"),
        "{report:#}"
    );
    assert!(
        done.summary.contains("database is locked"),
        "{}",
        done.summary
    );
}

#[test]
fn what_cannot_be_reached_is_never_a_pass_and_has_no_score() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let closed_url = format!("http://{}/mcp", closed.local_addr().expect("an address"));
    drop(closed);
    let targets: [(&str, &str, &str); 6] = [
        ("command", "./no-such-program", "no file"),
        ("command", "true", "exit code 0"),
        ("command", "./targets.txt", "not executable"),
        ("url", &closed_url, "127.0.0.1"),
        (
            "url",
            "http://no-such-host.invalid/mcp",
            "no-such-host.invalid",
        ),
        ("url", "ftp://127.0.0.1/mcp", "ftp"),
    ];
    for (input, value, word) in targets {
        let step = Step::new(&[(input, value), ("min-score", "0")]).file("targets.txt", "text\n");
        let done = step.run();
        let report = expect(&step, &done, "cannot-audit");
        assert!(
            report["overall"].is_null() && report["grade"].is_null(),
            "{report:#}"
        );
        let errors = done.annotations("error");
        assert!(errors[0].contains(word), "{word} is not in {errors:?}");
        assert!(
            done.summary.starts_with("# ❌ no score"),
            "{}",
            done.summary
        );
    }
}

#[test]
fn a_missing_program_is_one_error_that_says_what_there_is() {
    let step = Step::new(&[("command", "no-such-runtime -jar server.jar")]);
    let done = step.run();
    expect(&step, &done, "cannot-audit");
    let errors = done.annotations("error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    for word in ["no-such-runtime", " has ", "`setup`", "`url`"] {
        assert!(errors[0].contains(word), "{word} is not in {errors:?}");
    }
}

#[test]
fn fail_false_never_fails_the_job_and_never_says_passed() {
    for (inputs, result, code) in [
        (
            [("command", flawed().as_str()), ("min-score", "99.5")],
            "below-min-score",
            "1",
        ),
        (
            [("command", "./no-such-program"), ("min-score", "")],
            "cannot-audit",
            "3",
        ),
        (
            [("command", "true"), ("min-score", "abc")],
            "config-error",
            "2",
        ),
    ] {
        let done = Step::new(&inputs).input("fail", "False").run();
        assert_eq!(done.answer(), (result, "false", code, 0));
        assert!(
            done.annotations("warning")
                .iter()
                .any(|text| !text.is_empty()),
            "{done:#?}"
        );
    }
}

#[test]
fn switches_turn_summary_and_annotations_off() {
    let step = Step::new(&[
        ("command", &flawed()),
        ("summary", "false"),
        ("annotations", "FALSE"),
        ("min-score", "99"),
    ]);
    let done = step.run();
    assert_eq!((done.summary.as_str(), done.code), ("", 1));
    assert!(done.commands().is_empty(), "{:?}", done.commands());
    assert!(step.place("mcprobe-summary.md").exists());
}

#[test]
fn a_token_is_masked_and_not_used() {
    let done = Step::new(&[("command", &flawed()), ("token", "dashboard-key-77")]).run();
    assert_eq!(done.masks(), ["dashboard-key-77"]);
    assert!(!done.log().contains("dashboard-key-77"));
    let notices = done.annotations("notice");
    assert_eq!(
        notices
            .iter()
            .filter(|text| text.contains("`token`"))
            .count(),
        1,
        "{notices:?}"
    );
}
