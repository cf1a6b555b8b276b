//! `mcprobe demo` shows what it promises, with nothing but the binary.

use serde_json::Value;

use super::{codes, mcprobe, run};

#[test]
fn shows_each_sort_of_flaw_and_one_crash_once() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let output = run(mcprobe().arg("demo").current_dir(folder.path()));
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("classic"), "both scores are shown: {text}");
    assert!(!text.contains('\u{1b}'), "no colours without a terminal");

    let saved = std::fs::read(folder.path().join("mcprobe-report.json")).expect("the JSON report");
    let report: Value = serde_json::from_slice(&saved).expect("JSON");
    let codes = codes(&report);
    for code in [
        "tool.missing_description",
        "param.untyped",
        "call.silent_accept",
        "call.empty_success",
    ] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
    assert_eq!(
        codes.iter().filter(|code| **code == "call.crash").count(),
        1,
        "{codes:?}"
    );
    let crash = report["fuzz"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["outcome"] == "protocolCrash")
        .expect("a crash row");
    assert_eq!(crash["exchange"]["exit"]["code"], 101);
    assert!(
        crash["exchange"]["stderrTail"]
            .as_str()
            .expect("stderr")
            .contains("rows is not an array")
    );
    // The tools after the crash were still called.
    let last = report["fuzz"]
        .as_array()
        .and_then(|rows| rows.last())
        .expect("rows");
    assert_eq!(last["name"], "count_words");
    let refused = report["fuzz"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["name"] == "count_words" && row["case"] == "wrong_type:text");
    assert_eq!(refused.expect("a call")["outcome"], "toolError");
    // What says that it destroys was left alone.
    assert_eq!(
        report["coverage"]["skippedDestructive"],
        serde_json::json!(["delete_note"])
    );
}

#[test]
fn colours_only_when_asked_for_or_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let output = run(mcprobe()
        .args(["demo", "--color", "always"])
        .current_dir(folder.path()));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\u{1b}["));
}
