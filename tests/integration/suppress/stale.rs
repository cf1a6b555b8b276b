//! When a suppression that matches nothing is stale, and when it was not tested.

use mcprobe::judge::judge;
use mcprobe::model::evidence::{CutShort, Evidence, ProbeState};
use mcprobe::model::fuzz::{Abandoned, Decision};
use mcprobe::model::inventory::ListEnd;
use mcprobe::model::suppression::SuppressionState;
use mcprobe::model::target::TransportKind;
use serde_json::json;

use super::{listing, suppressing};
use crate::samples::{evidence, suppression};

/// What came of one suppression: "stale", or why it was not tested.
fn fate(evidence: &Evidence, code: &str, tool: Option<&str>) -> String {
    let settings = suppressing(vec![suppression(code, tool, Some("/no/such/place"))]);
    let report = judge(evidence, &settings);
    let told = report
        .findings
        .iter()
        .filter(|finding| finding.code == "settings.stale_suppression")
        .count();
    let section = report.suppressions.expect("a section");
    match &section.entries[0].state {
        SuppressionState::Stale => {
            assert_eq!(told, 1, "{code}");
            "stale".to_owned()
        }
        SuppressionState::NotTested { because } => {
            assert_eq!(told, 0, "{code}");
            because.clone()
        }
        other => panic!("{code}: {other:?}"),
    }
}

const ABOUT_TOOLS: [&str; 5] = [
    "tool.missing_description",
    "param.untyped",
    "schema.invalid",
    "tool.duplicate_name",
    "protocol.bad_tool_entry",
];

#[test]
fn rules_about_tools_need_the_tool_and_the_whole_list() {
    let mut list = listing(&json!([{"name": "a"}, {"name": "b"}]));
    for code in ABOUT_TOOLS {
        assert_eq!(fate(&list, code, None), "stale", "{code}");
        assert_eq!(fate(&list, code, Some("a")), "stale", "{code}");
        assert_eq!(
            fate(&list, code, Some("c")),
            "no tool of that name is listed",
            "{code}"
        );
    }
    list.inventory.tools.end = ListEnd::Bounded {
        reason: "enough".to_owned(),
    };
    let cut = "the list of tools was not read to its end";
    for code in ABOUT_TOOLS {
        assert_eq!(fate(&list, code, None), cut, "{code}");
    }
    assert_eq!(fate(&list, "param.untyped", Some("a")), "stale");
    // Another tool of that name may be in the rest.
    assert_eq!(fate(&list, "tool.duplicate_name", Some("a")), cut);
    let none = listing(&json!([]));
    assert_eq!(fate(&none, "param.untyped", None), "no tools are listed");
    assert_eq!(fate(&none, "server.no_tools", None), "stale");
}

#[test]
fn nothing_is_stale_where_nothing_could_be_listed() {
    let evidence = evidence("cannot_audit");
    for code in [
        "param.untyped",
        "process.exited",
        "call.crash",
        "server.no_tools",
    ] {
        assert_eq!(
            fate(&evidence, code, None),
            "the tools could not be listed",
            "{code}"
        );
    }
}

#[test]
fn a_saved_list_shows_nothing_of_calls_processes_and_messages() {
    let list = listing(&json!([{"name": "a"}]));
    assert_eq!(list.target.transport, TransportKind::Capture);
    assert_eq!(fate(&list, "call.crash", Some("a")), "no calls were made");
    assert_eq!(fate(&list, "call.slow", None), "no calls were made");
    assert_eq!(
        fate(&list, "process.stdout_noise", None),
        "no process was started"
    );
    let unseen = "what the rule needs was not seen";
    for code in ["protocol.ping", "protocol.parse_error", "protocol.http_get"] {
        let told = fate(&list, code, None);
        assert!(
            told == unseen || told == "a saved list does not show it",
            "{code}: {told}"
        );
    }
    assert_eq!(
        fate(&list, "protocol.input_schema_missing", Some("a")),
        "stale"
    );
}

#[test]
fn rules_about_calls_need_every_call_of_the_tools_concerned() {
    let whole = || {
        let mut evidence = evidence("perfect");
        evidence.cut_short = None;
        evidence
    };
    let first = |evidence: &Evidence| {
        let run = evidence.fuzz.as_ref().expect("calls");
        (run.turns[0].tool.clone(), run.turns[0].tool_index)
    };
    let (name, tool_index) = first(&whole());
    let tool = Some(name.as_str());
    assert_eq!(fate(&whole(), "call.crash", tool), "stale");
    assert_eq!(fate(&whole(), "call.crash", None), "stale");
    assert_eq!(
        fate(&whole(), "call.read_only_writes", tool),
        "no folder was watched"
    );

    let mut watched = whole();
    let follow_up = &mut watched.fuzz.as_mut().expect("calls").follow_up;
    follow_up.watched.push("/work".to_owned());
    assert_eq!(fate(&watched, "call.read_only_writes", tool), "stale");
    let follow_up = &mut watched.fuzz.as_mut().expect("calls").follow_up;
    follow_up.unwatched.push("Some are too deep".to_owned());
    assert_eq!(
        fate(&watched, "call.read_only_writes", tool),
        "not every watched file could be seen"
    );

    let mut cut = whole();
    cut.cut_short = Some(CutShort::Budget);
    assert_eq!(fate(&cut, "call.crash", tool), "the run was cut short");
    assert_eq!(fate(&cut, "param.untyped", tool), "stale");

    let one = "the tool was not called to its last case";
    let every = "not every tool was called to its last case";
    let mut given_up = whole();
    given_up
        .fuzz
        .as_mut()
        .expect("calls")
        .abandoned
        .push(Abandoned {
            tool: name.clone(),
            tool_index,
            cases_left: 1,
            because: "it hung".to_owned(),
        });
    assert_eq!(fate(&given_up, "call.crash", tool), one);
    assert_eq!(fate(&given_up, "call.crash", None), every);

    let mut skipped = whole();
    let run = skipped.fuzz.as_mut().expect("calls");
    run.rows.retain(|row| row.tool_index != tool_index);
    run.turns[0].decision = Decision::Skip {
        because: "it is not known to read".to_owned(),
        include_with: "--fuzz-writes".to_owned(),
    };
    assert_eq!(fate(&skipped, "call.crash", tool), one);
    assert_eq!(fate(&skipped, "call.crash", None), every);
    // This one tells of tools that were left alone.
    assert_eq!(fate(&skipped, "call.not_called", tool), "stale");
}

#[test]
fn a_process_is_there_over_stdio_alone() {
    let mut evidence = evidence("perfect");
    assert_eq!(evidence.target.transport, TransportKind::Stdio);
    assert_eq!(evidence.probe_state, ProbeState::Ok);
    assert_eq!(fate(&evidence, "process.stdout_noise", None), "stale");
    evidence.target.transport = TransportKind::Http;
    assert_eq!(
        fate(&evidence, "process.stdout_noise", None),
        "no process was started"
    );
}
