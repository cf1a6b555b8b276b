//! Calls against scripted servers: crashes, hangs, and who is blamed.

use std::time::Duration;

use mcprobe::audit::{self, Audited};
use mcprobe::config::file::Level;
use mcprobe::config::merge::{self, Environment, Words};
use mcprobe::fuzz::listed::Listed;
use mcprobe::fuzz::plan::{Plan, PlannedTool};
use mcprobe::fuzz::run::{self, RunSettings};
use mcprobe::model::evidence::CutShort;
use mcprobe::model::fuzz::{Case, CaseClass, ExitStatus, FuzzLevel, FuzzRow, FuzzRun, Outcome};
use mcprobe::model::secret::Redactor;
use mcprobe::progress::Silent;
use mcprobe::transport::Spawner;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::common::stdio::{Scripted, scripted_server};

/// A reading tool with one required string.
pub(crate) fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Looks something up by its key.",
        "inputSchema": {
            "type": "object",
            "properties": { "key": { "type": "string", "description": "The key." } },
            "required": ["key"],
            "additionalProperties": false,
        },
        "annotations": { "readOnlyHint": true },
    })
}

pub(super) fn script(tools: &[&str], on: &Value) -> Value {
    let tools: Vec<Value> = tools.iter().map(|name| tool(name)).collect();
    let mut script = json!({ "on": { "tools/list": [{ "result": { "tools": tools } }] } });
    for (key, steps) in on.as_object().expect("steps by key") {
        script["on"][key] = steps.clone();
    }
    script
}

pub(super) async fn audit(server: &Scripted, say: impl FnOnce(&mut Words)) -> Audited {
    let mut words = Words {
        command: vec![
            scripted_server().display().to_string(),
            server.file("script.json").display().to_string(),
        ],
        fuzz: Some(Level::Safe),
        ..Words::default()
    };
    say(&mut words);
    let settings = merge::settings(words, &Environment::default(), None).expect("settings");
    let (_asked, cancel) = watch::channel(None);
    audit::audit(&settings, Spawner::Direct, &Silent, &cancel).await
}

pub(super) fn rows(audited: &Audited) -> &[FuzzRow] {
    &audited.evidence.fuzz.as_ref().expect("calls").rows
}

fn crashes(audited: &Audited) -> Vec<(&str, &str, Option<bool>)> {
    rows(audited)
        .iter()
        .filter(|row| row.outcome == Outcome::ProtocolCrash)
        .map(|row| (row.tool.as_str(), row.case.label.as_str(), row.confirmed))
        .collect()
}

pub(super) fn ok() -> Value {
    json!({ "result": { "content": [{ "type": "text", "text": "found" }] } })
}

#[tokio::test]
async fn a_crash_is_confirmed_alone_and_the_plan_goes_on() {
    let server = Scripted::new(script(
        &["frail", "sound"],
        &json!({ "tools/call:frail": [{ "stderr": ["boom\n", 1] }, { "exit": 3 }] }),
    ));
    let audited = audit(&server, |_| {}).await;
    assert!(audited.evidence.cut_short.is_none());
    // Three crashes of one tool are enough; each was repeated alone.
    assert_eq!(
        crashes(&audited)
            .iter()
            .filter(|(tool, _, confirmed)| *tool == "frail" && *confirmed == Some(true))
            .count(),
        3
    );
    assert_eq!(crashes(&audited).len(), 3);
    let first = &rows(&audited)[0];
    assert_eq!(first.exchange.exit, Some(ExitStatus::Code(3)));
    assert_eq!(
        first.exchange.stderr_tail.as_deref().map(str::trim),
        Some("boom")
    );
    assert!(first.exchange.request.contains("\"frail\""));
    let sound: Vec<Outcome> = rows(&audited)
        .iter()
        .filter(|row| row.tool == "sound")
        .map(|row| row.outcome)
        .collect();
    assert!(
        sound.len() >= 3 && sound.iter().all(|outcome| *outcome == Outcome::Ok),
        "{sound:?}"
    );
}

#[tokio::test]
async fn a_server_that_ends_after_its_answer_is_blamed_on_that_call() {
    let server = Scripted::new(script(
        &["sound", "parting"],
        &json!({ "tools/call:parting": [ok(), { "exit": 0 }] }),
    ));
    let audited = audit(&server, |_| {}).await;
    let blamed = crashes(&audited);
    assert!(
        !blamed.is_empty()
            && blamed
                .iter()
                .all(|(tool, _, confirmed)| *tool == "parting" && *confirmed == Some(true)),
        "{blamed:?}"
    );
    let messages: Vec<&str> = audited
        .report
        .findings
        .iter()
        .filter(|f| f.code == "call.crash")
        .map(|f| f.message.as_str())
        .collect();
    assert!(
        messages
            .iter()
            .all(|message| message.contains("answered, then the server ended with exit code 0")),
        "{messages:?}"
    );
}

#[tokio::test]
async fn a_crash_that_needs_earlier_calls_is_said_to_and_caps_nothing() {
    // The fifth call of a process to the tool ends it, whatever it is.
    let server = Scripted::new(script(
        &["counting"],
        &json!({ "tools/call:counting": [[ok()], [ok()], [ok()], [ok()], [{ "exit": 1 }]] }),
    ));
    let audited = audit(&server, |words| words.cases = Some(6)).await;
    let blamed = crashes(&audited);
    assert!(
        !blamed.is_empty() && blamed.iter().all(|crash| crash.2 == Some(false)),
        "{blamed:?}"
    );
    assert!(audited.report.score().cap.is_none());
    let crashed = rows(&audited).iter().find(|row| !row.after.is_empty());
    let after: Vec<&str> = crashed
        .expect("the calls before it")
        .after
        .iter()
        .map(|call| call.case.as_str())
        .collect();
    // The valid call was made twice.
    assert_eq!(after.len(), 4, "{after:?}");
    assert_eq!(after[..2], ["valid", "valid"]);
    let finding = audited
        .report
        .findings
        .iter()
        .find(|f| f.code == "call.crash")
        .expect("the crash");
    assert!(
        finding
            .message
            .contains("earlier calls matter (4 calls came before, at last `valid` of `counting`, "),
        "{}",
        finding.message
    );
}

#[tokio::test]
async fn a_hang_costs_its_limit_once_and_the_server_is_kept_when_it_still_answers() {
    let server = Scripted::new(script(
        &["slow", "quick"],
        &json!({ "tools/call:slow": [{ "stderr": ["", 1] }] }),
    ));
    let audited = audit(&server, |words| {
        // Starts and limits are those of the calls.
        words.no_probe = true;
        words.call_timeout = Some("0.3".to_owned());
    })
    .await;
    let slow: Vec<Outcome> = rows(&audited)
        .iter()
        .filter(|row| row.tool == "slow")
        .map(|row| row.outcome)
        .collect();
    assert_eq!(slow, [Outcome::Timeout]);
    let abandoned = &audited.evidence.fuzz.as_ref().expect("calls").abandoned;
    assert_eq!((abandoned[0].tool.as_str(), abandoned.len()), ("slow", 1));
    assert!(abandoned[0].cases_left >= 3);
    assert!(
        rows(&audited)
            .iter()
            .any(|row| row.tool == "quick" && row.outcome == Outcome::Ok)
    );
    // A `cancelled` notification went out, and one process served it all.
    let log = std::fs::read_to_string(server.file("log")).expect("the log");
    assert_eq!(log.matches("notifications/cancelled").count(), 1);
    assert_eq!(log.matches("\"slow\"").count(), 1);
    let starts = std::fs::read_to_string(server.file("starts")).expect("the starts");
    assert_eq!(starts.lines().count(), 1);
}

#[tokio::test]
async fn a_wedged_server_is_started_again() {
    let server = Scripted::new(script(
        &["wedge", "quick"],
        &json!({ "tools/call:wedge": [{ "hang": null }] }),
    ));
    let audited = audit(&server, |words| {
        // Starts and limits are those of the calls.
        words.no_probe = true;
        words.call_timeout = Some("0.3".to_owned());
    })
    .await;
    assert!(
        rows(&audited)
            .iter()
            .any(|row| row.tool == "quick" && row.outcome == Outcome::Ok)
    );
    let starts = std::fs::read_to_string(server.file("starts")).expect("the starts");
    assert_eq!(starts.lines().count(), 2);
}

#[tokio::test]
async fn the_run_s_own_limit_ends_it_and_keeps_what_was_seen() {
    let server = Scripted::new(script(
        &["quick", "slow"],
        &json!({ "tools/call:slow": [{ "stderr": ["", 1] }] }),
    ));
    let audited = audit(&server, |words| words.timeout = Some("2".to_owned())).await;
    assert_eq!(audited.evidence.cut_short, Some(CutShort::Deadline));
    // A call that was cut by the run's end is no timeout of the server.
    assert!(rows(&audited).iter().all(|row| row.outcome == Outcome::Ok));
    assert!(rows(&audited).iter().any(|row| row.tool == "quick"));
    assert!(audited.report.score().overall.is_some());
}

#[tokio::test]
async fn the_budget_of_calls_ends_them_and_says_so() {
    let server = Scripted::new(script(
        &["quick", "slow"],
        &json!({ "tools/call:slow": [{ "stderr": ["", 1] }] }),
    ));
    let audited = audit(&server, |words| words.budget = Some("2".to_owned())).await;
    assert_eq!(audited.evidence.cut_short, Some(CutShort::Budget));
    assert!(rows(&audited).iter().all(|row| row.outcome == Outcome::Ok));
    assert!(rows(&audited).iter().any(|row| row.tool == "quick"));
    let untested = &audited.report.untested;
    assert!(
        untested
            .iter()
            .any(|entry| entry.because.contains("--budget")),
        "{untested:?}"
    );
    let why = audited.report.verdict.reasons.join(" ");
    assert!(why.contains("the time given to calls"), "{why}");
}

#[tokio::test]
async fn odd_arguments_go_out_as_they_are() {
    let server = Scripted::new({
        let mut script = script(&["sound"], &json!({}));
        let page = json!({ "type": "integer", "description": "Which page." });
        script["on"]["tools/list"][0]["result"]["tools"][0]["inputSchema"]["properties"]["page"] =
            page;
        script
    });
    // The scripted server reads no number beyond a double: only what was sent counts.
    let audited = audit(&server, |words| words.call_timeout = Some("1".to_owned())).await;
    let sent = |label: &str| {
        let row = rows(&audited).iter().find(|row| row.case.label == label);
        row.map(|row| row.exchange.request.clone())
            .unwrap_or_default()
    };
    for (label, arguments) in [
        ("arguments_array", r#""arguments":["probe"]"#),
        ("arguments_string", r#""arguments":"{\"key\":\"probe\"}""#),
        ("edge_negative_zero:page", r#""page":-0}"#),
        ("edge_2_63:page", r#""page":9223372036854775808}"#),
        ("edge_huge_number:page", r#""page":1e400}"#),
    ] {
        assert!(sent(label).contains(arguments), "{label}: {}", sent(label));
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_started_again_ends_the_run_with_its_rows() {
    let dies = script(
        &["frail", "sound"],
        &json!({ "tools/call:frail": [{ "exit": 9 }] }),
    );
    let gone = json!({ "start": [{ "exit": 4 }] });
    let server = Scripted::new(json!({ "lives": [dies, gone] }));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(audited.evidence.cut_short, Some(CutShort::NoRestart));
    // Nothing shows that the call alone does it, so nothing is capped for it.
    assert_eq!(crashes(&audited), [("frail", "valid", Some(false))]);
    assert_eq!(rows(&audited)[0].exchange.exit, Some(ExitStatus::Code(9)));
    assert!(audited.report.scores.contract.cap.is_none());
    let all = &audited.report.findings;
    let crash = all.iter().find(|finding| finding.code == "call.crash");
    let message = &crash.expect("the crash").message;
    assert!(message.contains("the run ended before"), "{message}");
}

#[tokio::test]
async fn crashes_that_are_one_matter_are_one_finding() {
    // Every process dies at its third call, whichever that is.
    let third = json!([[ok()], [ok()], [{ "stderr": ["boom 3\n", 1] }, { "exit": 9 }]]);
    let server = Scripted::new(script(&["one", "two"], &json!({ "tools/call": third })));
    let audited = audit(&server, |_| {}).await;
    let of = |audited: &Audited| {
        let all = audited.report.findings.iter();
        all.filter(|finding| finding.code == "call.crash")
            .map(|finding| (finding.occurrences, finding.message.clone()))
            .collect::<Vec<_>>()
    };
    let told = of(&audited);
    assert!(crashes(&audited).len() > 2, "{:?}", crashes(&audited));
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(told[0].0 as usize, crashes(&audited).len());
    assert!(told[0].1.contains("end it the same way"), "{told:#?}");

    // A tool that always dies is one matter, another tool another one.
    let dies = json!([{ "exit": 9 }]);
    let server = Scripted::new(script(
        &["one", "two"],
        &json!({ "tools/call:one": dies, "tools/call:two": dies }),
    ));
    assert_eq!(of(&audit(&server, |_| {}).await).len(), 2);
}

#[tokio::test]
async fn credentials_that_the_server_echoes_stand_in_no_evidence() {
    use base64::Engine as _;
    let secret = "tok-5f1c9a77d0";
    let encoded = base64::engine::general_purpose::STANDARD.encode(format!("user:{secret}!"));
    let text = format!("no entry for {secret} ({encoded})");
    let refusal =
        json!({ "result": { "isError": true, "content": [{ "type": "text", "text": text }] } });
    let mut echoing = tool("echoing");
    echoing["description"] = text.clone().into();
    let server = Scripted::new(json!({ "on": {
        "tools/list": [{ "result": { "tools": [echoing] } }],
        "tools/call": [refusal],
    }}));
    let audited = audit(&server, |words| {
        words.env = vec![format!("API_TOKEN={secret}")];
    })
    .await;
    assert!(rows(&audited).len() >= 3);
    let evidence = serde_json::to_string(&audited.evidence).expect("JSON");
    let report = mcprobe::render::json::v1::render(&audited.report);
    let needle = base64::engine::general_purpose::STANDARD.encode(secret);
    for text in [&evidence, &report] {
        assert!(
            !text.contains(secret) && !text.contains(&needle[..12]),
            "{text}"
        );
        assert!(!text.contains(&encoded[8..20]), "{text}");
        assert!(text.contains("[redacted]"));
    }
}

#[tokio::test]
async fn a_long_input_that_ends_the_server_is_made_smaller() {
    let server = Scripted::new(script(
        &["frail"],
        &json!({ "tools/call:frail": [{ "exit": 3 }] }),
    ));
    let cases = vec![
        long_case("edge_long:key", CaseClass::Edge),
        long_case("valid", CaseClass::Generated),
    ];
    let (run, cut_short) = run_cases(&server, cases, Duration::from_secs(20)).await;
    assert!(cut_short.is_none());
    let [edge, valid] = run.rows.as_slice() else {
        panic!("{:?}", run.rows);
    };
    assert_eq!(edge.confirmed, Some(true));
    let shrunk = edge.shrunk.as_ref().expect("smaller arguments");
    assert_eq!(shrunk.tries, 11);
    assert_eq!(
        shrunk.arguments.get(),
        json!({ "key": "x".repeat(32) }).to_string()
    );
    // What was not made to be long stays as it was sent.
    assert_eq!(valid.confirmed, Some(true));
    assert!(valid.shrunk.is_none());
}

#[tokio::test]
async fn a_long_input_that_hangs_is_made_smaller_in_two_tries() {
    let server = Scripted::new(script(
        &["frail"],
        &json!({ "tools/call:frail": [{ "stderr": ["", 1] }] }),
    ));
    let cases = vec![long_case("edge_long:key", CaseClass::Edge)];
    let (run, cut_short) = run_cases(&server, cases, Duration::from_millis(200)).await;
    assert!(cut_short.is_none());
    let [edge] = run.rows.as_slice() else {
        panic!("{:?}", run.rows);
    };
    assert_eq!(edge.outcome, Outcome::Timeout);
    let shrunk = edge.shrunk.as_ref().expect("smaller arguments");
    assert_eq!(shrunk.tries, 2);
    assert_eq!(
        shrunk.arguments.get(),
        json!({ "key": "x".repeat(256) }).to_string()
    );
    let log = server.log();
    let calls = log.iter().filter(|line| line.contains("\"frail\""));
    assert_eq!(calls.count(), 3);

    // What was not made to be long costs its limit once.
    let server = Scripted::new(script(
        &["frail"],
        &json!({ "tools/call:frail": [{ "stderr": ["", 1] }] }),
    ));
    let cases = vec![long_case("valid", CaseClass::Generated)];
    let (run, _) = run_cases(&server, cases, Duration::from_millis(200)).await;
    assert!(run.rows[0].shrunk.is_none());
    let log = server.log();
    let calls = log.iter().filter(|line| line.contains("\"frail\""));
    assert_eq!(calls.count(), 1);
}

fn long_case(label: &str, class: CaseClass) -> Case {
    let long = json!({ "key": "x".repeat(64 * 1024) });
    Case {
        label: label.to_owned(),
        class,
        arguments: serde_json::value::to_raw_value(&long).expect("JSON"),
    }
}

/// These cases of the tool `frail`, each with this limit.
async fn run_cases(
    server: &Scripted,
    cases: Vec<Case>,
    call_timeout: Duration,
) -> (FuzzRun, Option<CutShort>) {
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    let mut plan = Plan::default();
    plan.calls.push(PlannedTool {
        tool: "frail".to_owned(),
        name: "frail".to_owned(),
        tool_index: 0,
        cases,
        output_schema: None,
        notes: Vec::new(),
    });
    let settings = RunSettings {
        level: FuzzLevel::Safe,
        seed: 0,
        call_timeout,
        deadline: tokio::time::Instant::now() + Duration::from_mins(1),
        budget: None,
        redactor: Redactor::default(),
        jobs: 1,
        watch: Vec::new(),
        listed: Listed::of(&gathered.inventory),
    };
    let (_asked, cancel) = watch::channel(None);
    let seen = run::run(&mut connection, plan, settings, &Silent, &cancel).await;
    connection.close().await;
    seen
}

#[tokio::test]
async fn a_call_that_the_run_s_end_cuts_off_is_said_to_have_been_made() {
    let server = Scripted::new(script(
        &["slow"],
        &json!({ "tools/call": [{ "stderr": ["", 1] }] }),
    ));
    let audited = audit(&server, |words| {
        // Starts and limits are those of the calls.
        words.no_probe = true;
        words.timeout = Some("1".to_owned());
    })
    .await;
    assert_eq!(audited.evidence.cut_short, Some(CutShort::Deadline));
    let abandoned = &audited.evidence.fuzz.as_ref().expect("calls").abandoned;
    assert!(
        abandoned[0].because.contains("`valid`"),
        "{}",
        abandoned[0].because
    );
    assert_eq!(audited.report.coverage.called, ["slow"]);
    let reasons = audited.report.completeness.reasons.join(" ");
    assert!(reasons.contains("before its first call"), "{reasons}");
}

#[tokio::test]
async fn a_server_that_our_own_ping_ends_is_blamed_on_no_call() {
    let server = Scripted::new(script(&["sound"], &json!({ "ping": [{ "exit": 7 }] })));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(crashes(&audited), []);
    let notes = &audited
        .evidence
        .fuzz
        .as_ref()
        .expect("calls")
        .follow_up
        .notes;
    assert!(
        notes.iter().any(|note| note.contains("pinged")),
        "{notes:?}"
    );
}

#[tokio::test]
async fn a_server_that_ends_before_the_first_call_is_blamed_on_no_call() {
    let mut leaves = script(&["sound"], &json!({}));
    let listing = leaves["on"]["tools/list"][0].clone();
    leaves["on"]["tools/list"] = json!([listing, { "exit": 0 }]);
    let stays = script(&["sound"], &json!({}));
    let server = Scripted::new(json!({ "lives": [leaves, stays] }));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(crashes(&audited), []);
    assert!(rows(&audited).len() >= 3);
}
