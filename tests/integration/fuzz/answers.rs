//! What answers say, seen live: each smell on a scripted server that has it.

use mcprobe::audit::Audited;
use mcprobe::config::file::Level;
use mcprobe::model::finding::{Finding, Severity};
use mcprobe::model::fuzz::Outcome;
use serde_json::{Value, json};

use super::run::{audit, ok, rows, script, tool};
use crate::common::stdio::Scripted;

fn text(text: &str) -> Value {
    json!({ "result": { "content": [{ "type": "text", "text": text }] } })
}

fn refusal(text: &str) -> Value {
    json!({ "result": { "isError": true, "content": [{ "type": "text", "text": text }] } })
}

fn of<'a>(audited: &'a Audited, code: &str) -> Vec<&'a Finding> {
    let all = audited.report.findings.iter();
    all.filter(|finding| finding.code == code).collect()
}

fn tools_of<'a>(audited: &'a Audited, code: &str) -> Vec<&'a str> {
    of(audited, code)
        .into_iter()
        .filter_map(|finding| finding.location.tool.as_deref())
        .collect()
}

#[tokio::test]
async fn answers_are_measured_while_they_are_whole() {
    let image = json!({ "result": { "content": [{ "type": "image", "data": "@@", "mimeType": "image/png" }] } });
    let long = "word ".repeat(20_001);
    let server = Scripted::new(script(
        &["sound", "failing", "broken_image", "long"],
        &json!({
            "tools/call:failing": [text("Error: upstream answered 503")],
            "tools/call:broken_image": [image],
            "tools/call:long": [text(&long)],
        }),
    ));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(tools_of(&audited, "call.failure_as_success"), ["failing"]);
    assert_eq!(tools_of(&audited, "call.content_block"), ["broken_image"]);
    assert_eq!(
        of(&audited, "call.content_block")[0]
            .location
            .pointer
            .as_deref(),
        Some("/content/0/data")
    );
    assert_eq!(tools_of(&audited, "call.large_answer"), ["long"]);
    let case = of(&audited, "call.large_answer")[0].case.as_deref();
    assert_eq!(case, Some("valid"));
    // What is kept of a long answer is cut, what was measured is not.
    let row = rows(&audited).iter().find(|row| row.tool == "long");
    let row = row.expect("the call");
    assert_eq!(
        row.answer.as_ref().expect("an answer").text_chars,
        long.len()
    );
    assert!(row.exchange.reply.as_ref().expect("a reply").len() < long.len());
}

#[tokio::test]
async fn a_list_that_a_call_changes_is_told_with_who_changed_it() {
    let both = json!({ "result": { "tools": [tool("quick"), tool("late")] } });
    let first = json!({ "result": { "tools": [tool("quick")] } });
    let unannounced = Scripted::new(json!({ "on": { "tools/list": [[first], [both]] } }));
    let audited = audit(&unannounced, |_| {}).await;
    let found = of(&audited, "call.tools_changed");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
    assert!(
        found[0]
            .message
            .contains("new: `late`; the server did not announce it"),
        "{}",
        found[0].message
    );

    let announce =
        json!({ "say": { "jsonrpc": "2.0", "method": "notifications/tools/list_changed" } });
    let announced = Scripted::new(json!({ "on": {
        "tools/list": [[first], [both]],
        "tools/call:quick": [[announce, ok()], [ok()]],
    }}));
    let audited = audit(&announced, |_| {}).await;
    let found = of(&audited, "call.tools_changed");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Info);
    assert!(
        found[0].message.starts_with("after calls to `quick`"),
        "{}",
        found[0].message
    );

    let steady = Scripted::new(script(&["quick"], &json!({})));
    assert!(of(&audit(&steady, |_| {}).await, "call.tools_changed").is_empty());
}

#[tokio::test]
async fn an_answer_that_depends_on_other_calls_is_told_and_one_that_varies_is_not() {
    // `look` says another thing once a process has taken all calls of its turn,
    // the repeated valid one among them; `clock` always says another time.
    let plain = audit(&Scripted::new(script(&["look"], &json!({}))), |_| {}).await;
    let calls = rows(&plain).len() + 1;
    let mut look: Vec<Value> = vec![json!([text("all is closed")]); calls];
    look.push(json!([text("all is open")]));
    let clock: Vec<Value> = (0..60)
        .map(|second| json!([text(&format!("it is 12:00:{second:02}"))]))
        .collect();
    let server = Scripted::new(script(
        &["clock", "look"],
        &json!({ "tools/call:look": look, "tools/call:clock": clock }),
    ));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(tools_of(&audited, "call.answer_depends_on_order"), ["look"]);
    let repeats = &audited
        .evidence
        .fuzz
        .as_ref()
        .expect("calls")
        .follow_up
        .repeats;
    assert_eq!(repeats.len(), 2);
}

#[tokio::test]
async fn an_answer_that_depends_on_earlier_tools_is_told_by_the_opposite_order() {
    // `guide` says another thing in a process in which `search` was called.
    let on = |guide: &str| {
        script(
            &["search", "guide"],
            &json!({ "tools/call:guide": [text(guide)] }),
        )["on"]
            .clone()
    };
    let alone = json!({ "on": on("all is closed") });
    let after = json!({ "on": on("all is open") });
    let server = Scripted::new(json!({ "lives": [after, alone] }));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(
        tools_of(&audited, "call.answer_depends_on_order"),
        ["guide"]
    );
    let run = audited.evidence.fuzz.as_ref().expect("calls");
    let reversed: Vec<usize> = run
        .follow_up
        .repeats
        .iter()
        .map(|repeat| repeat.reversed.len())
        .collect();
    assert_eq!(reversed, [0, 4]);
    // One for the opposite order, one for the call alone.
    assert!(server.pids().len() >= 3);
}

#[tokio::test]
async fn a_repeated_call_is_held_against_the_idempotent_hint() {
    let mut told = tool("create_folder");
    told["annotations"] = json!({ "idempotentHint": true, "destructiveHint": false });
    let mut silent = told.clone();
    silent["name"] = "create_file".into();
    silent["annotations"] = json!({ "destructiveHint": false });
    let steps = json!([[ok()], [refusal("it exists")]]);
    let server = Scripted::new(json!({ "on": {
        "tools/list": [{ "result": { "tools": [told, silent] } }],
        "tools/call:create_folder": steps,
        "tools/call:create_file": steps,
    }}));
    let audited = audit(&server, |words| words.fuzz = Some(Level::Writes)).await;
    assert_eq!(
        tools_of(&audited, "call.idempotent_repeat_fails"),
        ["create_folder"]
    );
    let repeats = &audited
        .evidence
        .fuzz
        .as_ref()
        .expect("calls")
        .follow_up
        .repeats;
    assert_eq!(repeats.len(), 1);
}

#[tokio::test]
async fn a_call_to_no_tool_is_made_once_and_scored_nowhere() {
    let unknown = "tools/call:mcprobe_no_such_tool";
    for (steps, severity) in [
        (refusal("no such tool"), Some(Severity::Info)),
        (ok(), Some(Severity::Error)),
        (
            json!({ "error": { "code": -32602, "message": "unknown tool" } }),
            None,
        ),
    ] {
        let server = Scripted::new(script(&["quick"], &json!({ unknown: [steps] })));
        // The probe script makes such a call too, and its rule says the same.
        let audited = audit(&server, |words| words.no_probe = true).await;
        let found = of(&audited, "call.unknown_tool_as_result");
        assert_eq!(found.first().map(|finding| finding.severity), severity);
        assert!(found.iter().all(|finding| finding.location.tool.is_none()));
        assert!(rows(&audited).iter().all(|row| row.tool == "quick"));
        let log = server.log();
        let asked = log
            .iter()
            .filter(|line| line.contains("mcprobe_no_such_tool"));
        assert_eq!(asked.count(), 1);
    }
}

#[tokio::test]
async fn bare_nan_is_told_as_invalid_json_and_costs_no_wait() {
    let raw = json!({ "raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"structuredContent\":{\"r\":NaN}}}\n" });
    let server = Scripted::new(script(
        &["ratio", "quick"],
        &json!({ "tools/call:ratio": [raw] }),
    ));
    let audited = audit(&server, |_| {}).await;
    assert_eq!(tools_of(&audited, "call.invalid_json"), ["ratio"]);
    assert!(of(&audited, "call.crash").is_empty());
    let quick = rows(&audited).iter().filter(|row| row.tool == "quick");
    assert!(quick.clone().count() >= 3 && quick.clone().all(|row| row.outcome == Outcome::Ok));
    assert!(audited.evidence.run.fuzz_ms < 20_000);
}

#[tokio::test]
async fn writes_during_calls_that_only_read_are_told_with_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("kept.txt"), "kept").expect("a file");
    let log = folder.path().join("index.log").display().to_string();
    // The scripted server appends to its log, which lies in the watched folder.
    let server = Scripted::new(script(&["search"], &json!({})));
    let script_file = server.file("script.json");
    let text = std::fs::read_to_string(&script_file).expect("a script");
    let mut script: Value = serde_json::from_str(&text).expect("JSON");
    script["log"] = log.into();
    std::fs::write(&script_file, script.to_string()).expect("a script");

    let audited = audit(&server, |words| {
        words.watch = vec![folder.path().to_owned()];
    })
    .await;
    let found = of(&audited, "call.read_only_writes");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].message.contains("index.log` changed") && !found[0].message.contains("kept.txt"),
        "{}",
        found[0].message
    );
    let unwatched = audit(&server, |_| {}).await;
    assert!(of(&unwatched, "call.read_only_writes").is_empty());
}

#[tokio::test]
async fn a_file_that_changes_by_itself_is_blamed_on_no_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let mut script = script(&["search", "indexing"], &json!({}));
    script["start"] = json!([{ "beat": at("heartbeat") }]);
    // A tool that changes a file once more each time, and says that it only reads.
    let answer = text("fine");
    script["on"]["tools/call:indexing"] = json!([{ "append": [at("index"), "hit"] }, answer]);
    let server = Scripted::new(script);
    std::fs::write(folder.path().join("index"), "").expect("a file");

    let audited = audit(&server, |words| {
        words.watch = vec![folder.path().to_owned()];
    })
    .await;
    assert_eq!(tools_of(&audited, "call.read_only_writes"), ["indexing"]);
    let message = &of(&audited, "call.read_only_writes")[0].message;
    assert!(message.contains("index` changed"), "{message}");
    assert!(!message.contains("heartbeat"), "{message}");
    for row in rows(&audited) {
        let is_own = row.tool == "indexing";
        assert_eq!(row.writes.len(), usize::from(is_own), "{row:#?}");
    }
}

#[tokio::test]
async fn a_tool_that_is_left_alone_is_a_note_with_the_way_to_include_it() {
    let mut wipe = tool("wipe_all");
    wipe["annotations"] = json!({});
    let server = Scripted::new(json!({ "on": {
        "tools/list": [{ "result": { "tools": [wipe, tool("quick")] } }],
    }}));
    let audited = audit(&server, |_| {}).await;
    let found = of(&audited, "call.not_called");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].location.tool.as_deref(), Some("wipe_all"));
    assert_eq!(found[0].hint, "Include it with --fuzz-writes.");
}
