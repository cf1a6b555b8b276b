//! Suppressions: from the text of a settings file to what a report says.

mod properties;
mod settings;
mod stale;

use std::path::PathBuf;

use mcprobe::config::merge::{self, GateWords};
use mcprobe::config::{ConfigError, LoadedFile, file};
use mcprobe::judge::{JudgeSettings, judge};
use mcprobe::model::evidence::Evidence;
use mcprobe::model::finding::{RuleChoice, Severity};
use mcprobe::model::report::{Report, ScoreModel, VerdictKind};
use mcprobe::model::suppression::{Suppression, SuppressionState};
use mcprobe::{capture, rules};
use serde_json::{Value, json};

use crate::samples::{evidence, findings, settings_of, suppression};

/// How a settings file judges on a day.
fn read(text: &str, today: &str) -> Result<JudgeSettings, ConfigError> {
    let file = LoadedFile {
        path: PathBuf::from("mcprobe.toml"),
        config: file::read("mcprobe.toml", text)?,
        read_on: today.parse().expect("a day"),
    };
    merge::judge_settings(&GateWords::default(), Some(&file), false)
}

/// Settings that suppress this.
fn suppressing(entries: Vec<Suppression>) -> JudgeSettings {
    let mut settings = JudgeSettings::default();
    settings.suppressions.entries = entries;
    settings
}

/// Two tools with the same faults, in parameters at the same places.
fn twins() -> Evidence {
    let tool = |name: &str| {
        json!({
            "name": name,
            "inputSchema": {"type": "object", "properties": {
                "a": {"items": {}},
                "ab": {},
                "o": {"type": "object", "description": "An object.", "properties": {"a": {}}},
            }},
        })
    };
    listing(&json!([tool("one"), tool("two")]))
}

fn listing(tools: &Value) -> Evidence {
    capture::read("tools.json", tools.to_string().as_bytes()).expect("a list of tools")
}

/// Places of the findings of a rule that are left.
fn places(report: &Report, code: &str) -> Vec<String> {
    let of_rule = report
        .findings
        .iter()
        .filter(|finding| finding.code == code);
    of_rule
        .map(|finding| finding.location.pointer.clone().unwrap_or_default())
        .collect()
}

fn states(report: &Report) -> Vec<&SuppressionState> {
    let section = report.suppressions.as_ref().expect("a section");
    section.entries.iter().map(|entry| &entry.state).collect()
}

#[test]
fn a_pointer_matches_its_place_and_all_below_it_in_every_tool() {
    let untyped = |pointer: Option<&str>, tool: Option<&str>| {
        let settings = suppressing(vec![suppression("param.untyped", tool, pointer)]);
        let report = judge(&twins(), &settings);
        let mut left = places(&report, "param.untyped");
        for place in &mut left {
            *place = place.replace("inputSchema/properties", "…");
        }
        (
            left.join(" "),
            report.suppressions.expect("a section").findings,
        )
    };
    let left = |pointer| untyped(pointer, None);
    assert_eq!(
        left(Some("/nowhere")),
        (
            "/tools/0/…/a /tools/0/…/ab /tools/0/…/o/properties/a \
             /tools/1/…/a /tools/1/…/ab /tools/1/…/o/properties/a"
                .to_owned(),
            0
        )
    );
    // Exactly this place: `ab` begins with `a`, and is another one.
    assert_eq!(
        left(Some("/inputSchema/properties/a")),
        (
            "/tools/0/…/ab /tools/0/…/o/properties/a /tools/1/…/ab /tools/1/…/o/properties/a"
                .to_owned(),
            2
        )
    );
    assert_eq!(
        left(Some("/inputSchema/properties/o")),
        (
            "/tools/0/…/a /tools/0/…/ab /tools/1/…/a /tools/1/…/ab".to_owned(),
            2
        )
    );
    assert_eq!(left(Some("/inputSchema")), (String::new(), 6));
    assert_eq!(left(None), (String::new(), 6));
    // As a report has it, with the tool's position.
    assert_eq!(left(Some("/tools/1/inputSchema")).1, 3);
    assert_eq!(left(Some("/tools/1")).1, 3);
    assert_eq!(left(Some("/tools")).1, 6);
    assert_eq!(left(Some("/tools/2")).1, 0);
    assert_eq!(left(Some("/1/inputSchema")).1, 0);
    let of_two = untyped(Some("/inputSchema/properties/a"), Some("two"));
    assert_eq!(
        of_two,
        (
            "/tools/0/…/a /tools/0/…/ab /tools/0/…/o/properties/a \
             /tools/1/…/ab /tools/1/…/o/properties/a"
                .to_owned(),
            1
        )
    );
    assert_eq!(untyped(None, Some("two")).1, 3);
    assert_eq!(untyped(None, Some("three")).1, 0);
    assert_eq!(untyped(Some("/tools/0"), Some("two")).1, 0);
}

#[test]
fn a_finding_without_a_place_is_matched_without_one() {
    let empty = listing(&json!([]));
    let with = |tool, pointer| {
        let settings = suppressing(vec![suppression("server.no_tools", tool, pointer)]);
        places(&judge(&empty, &settings), "server.no_tools").len()
    };
    assert_eq!(with(None, None), 0);
    assert_eq!(with(Some("a"), None), 1);
    assert_eq!(with(None, Some("/tools")), 1);
}

#[test]
fn two_that_match_one_finding_both_count_it_and_the_sum_counts_it_once() {
    let settings = suppressing(vec![
        suppression("param.untyped", Some("one"), None),
        suppression("param.untyped", None, Some("/inputSchema/properties/a")),
        suppression(
            "param.untyped",
            None,
            Some("/tools/0/inputSchema/properties/a"),
        ),
    ]);
    let report = judge(&twins(), &settings);
    let in_use = |findings| SuppressionState::InUse { findings };
    assert_eq!(states(&report), [&in_use(3), &in_use(2), &in_use(1)]);
    assert_eq!(report.suppressions.expect("a section").findings, 4);
}

#[test]
fn the_score_with_and_without_are_those_of_judging_so() {
    for model in [ScoreModel::Contract, ScoreModel::Classic] {
        let mut settings = settings_of("suppressed");
        settings.score_model = model;
        let report = mcprobe::judge::judge_findings(
            &evidence("suppressed"),
            findings("suppressed"),
            &settings,
        );
        let section = report.suppressions.as_ref().expect("a section");
        settings.suppressions.entries.clear();
        let plain = mcprobe::judge::judge_findings(
            &evidence("suppressed"),
            findings("suppressed"),
            &settings,
        );
        assert_eq!(section.without, plain.scores);
        assert!(plain.suppressions.is_none());
        let shown: Vec<_> = report.findings.iter().map(|f| &f.fingerprint).collect();
        let left: Vec<_> = findings("suppressed")
            .into_iter()
            .filter(|finding| {
                finding.code != "tool.duplicate_name" && shown.contains(&&finding.fingerprint)
            })
            .collect();
        let mended = mcprobe::judge::judge_findings(&evidence("suppressed"), left, &settings);
        assert_eq!(report.scores, mended.scores);
        assert!(report.score().overall > plain.score().overall, "{model}");
        assert_eq!(report.score().model, model);
    }
}

#[test]
fn what_counts_calls_does_not_change_with_a_suppressed_crash() {
    let crash = evidence("crash");
    let plain = judge(&crash, &JudgeSettings::default());
    assert!(
        plain
            .findings
            .iter()
            .any(|finding| finding.code == "call.crash")
    );
    let report = judge(
        &crash,
        &suppressing(vec![suppression("call.crash", None, None)]),
    );
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.code != "call.crash")
    );
    assert_eq!(report.scores, plain.scores);
    assert!(report.score().cap.is_some());
    let page = mcprobe::render::headline(&report);
    assert!(
        page.contains("score 74, and the same without 1 suppression"),
        "{page}"
    );
}

#[test]
fn a_gate_does_not_see_what_is_suppressed() {
    let gate = "[gate]\nfail-on = \"error\"\nmin-score = 80\n";
    let entry = |code: &str| format!("[[suppress]]\nrule = \"{code}\"\nreason = \"known\"\n");
    let kind = |text: &str| {
        let settings = read(text, "2026-06-01").expect("settings");
        let report = judge(&twins(), &settings);
        (report.verdict.kind, report.score().overall)
    };
    let (plain, low) = kind(gate);
    assert_eq!(plain, VerdictKind::BelowMinScore);
    let faults = [
        "param.missing_description",
        "param.untyped",
        "schema.no_required",
        "tool.missing_description",
    ];
    let all: String = faults.into_iter().map(entry).collect();
    let (kind_of_all, high) = kind(&(gate.to_owned() + &all));
    assert_eq!(kind_of_all, VerdictKind::Pass);
    assert!(high > low, "{high:?} {low:?}");
    // The errors are left.
    let most: String = faults[..3].iter().map(|code| entry(code)).collect();
    let most = "[gate]\nfail-on = \"error\"\n".to_owned() + &most;
    assert_eq!(kind(&most).0, VerdictKind::Findings);
}

#[test]
fn an_expired_one_gates_as_a_warning_and_a_stale_one_as_an_info() {
    let gate = |fail_on: &str, entry: &str, today: &str| {
        let text =
            format!("[gate]\nfail-on = \"{fail_on}\"\n[[suppress]]\n{entry}\nreason = \"r\"\n");
        let good = json!([{
            "name": "read_file",
            "description": "Reads one file and gives its text.",
            "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "required": ["path"], "properties":
                {"path": {"type": "string", "description": "Its path."}}},
        }]);
        let report = judge(&listing(&good), &read(&text, today).expect("settings"));
        let codes: Vec<String> = report.findings.iter().map(|f| f.code.to_string()).collect();
        (codes.join(" "), report.verdict.kind == VerdictKind::Pass)
    };
    let stale = "rule = \"param.untyped\"";
    let expiring = "rule = \"param.untyped\"\nexpires = \"2026-06-30\"";
    let told = "settings.stale_suppression".to_owned();
    assert_eq!(gate("warning", stale, "2026-07-01"), (told.clone(), true));
    assert_eq!(gate("info", stale, "2026-07-01"), (told.clone(), false));
    // On its last day it is no more than stale.
    assert_eq!(gate("warning", expiring, "2026-06-30"), (told, true));
    let told = "settings.expired_suppression".to_owned();
    assert_eq!(gate("error", expiring, "2026-07-01"), (told.clone(), true));
    assert_eq!(gate("warning", expiring, "2026-07-01"), (told, false));
}

#[test]
fn what_a_suppressed_finding_hid_stays_hidden_and_is_still_scored() {
    let evidence = listing(&json!([{"name": "t", "inputSchema": {"type": 5}}]));
    let raw: Vec<String> = rules::lint(&evidence)
        .iter()
        .map(|f| f.code.to_string())
        .collect();
    let plain = judge(&evidence, &JudgeSettings::default());
    let hidden: Vec<&String> = raw
        .iter()
        .filter(|code| {
            plain
                .findings
                .iter()
                .all(|finding| finding.code != code.as_str())
        })
        .collect();
    assert_eq!(hidden, ["schema.root_not_object"]);
    let report = judge(
        &evidence,
        &suppressing(vec![suppression("schema.invalid", None, None)]),
    );
    let codes: Vec<&str> = report.findings.iter().map(|f| f.code.as_ref()).collect();
    assert!(!codes.contains(&"schema.invalid"), "{codes:?}");
    assert!(!codes.contains(&"schema.root_not_object"), "{codes:?}");
    // The hidden one may be suppressed as well, and is not stale.
    let both = judge(
        &evidence,
        &suppressing(vec![
            suppression("schema.invalid", None, None),
            suppression("schema.root_not_object", None, None),
        ]),
    );
    assert_eq!(states(&both), [&SuppressionState::InUse { findings: 1 }; 2]);
    assert!(both.scores.classic.overall > report.scores.classic.overall);
    assert!(report.scores.classic.overall > plain.scores.classic.overall);
}

#[test]
fn a_broken_requirement_stays_failed_and_is_marked() {
    let report = crate::samples::sample("suppressed");
    let section = report.protocol.as_ref().expect("a section");
    let before = crate::samples::sample("flawed")
        .protocol
        .expect("a section");
    assert_eq!(section.tally().passed + 1, before.tally().passed);
    assert_eq!(section.tally().failed, before.tally().failed + 1);
    let json: Value =
        serde_json::from_str(&mcprobe::render::json::v1::render(&report)).expect("JSON");
    let marked: Vec<&Value> = json["protocol"]["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter(|check| check["suppressed"] == true)
        .collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["id"], "tool-name-unique");
    assert_eq!(marked[0]["state"], "failed");
    // One of two findings that break it is not enough.
    let twice = listing(&json!([{"name": "a"}, {"name": "a"}, {"name": "b"}, {"name": "b"}]));
    let with = |tool| {
        let settings = suppressing(vec![suppression("tool.duplicate_name", tool, None)]);
        let page = mcprobe::render::markdown::render(&judge(&twice, &settings));
        page.matches("**failed** (suppressed)").count()
    };
    assert_eq!(with(Some("a")), 0);
    assert_eq!(with(None), 1);
}

#[test]
fn rules_that_are_off_or_ranked_anew_do_not_disturb() {
    let mut settings = suppressing(vec![
        suppression("param.untyped", Some("one"), None),
        suppression("param.untyped", Some("two"), Some("/outputSchema")),
    ]);
    let info = RuleChoice::Severity(Severity::Info);
    settings.rules.insert("param.untyped".to_owned(), info);
    settings
        .rules
        .insert("settings.stale_suppression".to_owned(), RuleChoice::Off);
    let report = judge(&twins(), &settings);
    assert_eq!(places(&report, "param.untyped").len(), 3);
    let of_rule = |f: &&mcprobe::model::finding::Finding| f.code == "param.untyped";
    let severities = report.findings.iter().filter(of_rule).map(|f| f.severity);
    assert!(
        severities
            .into_iter()
            .all(|severity| severity == Severity::Info)
    );
    assert_eq!(states(&report)[1], &SuppressionState::Stale);
    assert!(places(&report, "settings.stale_suppression").is_empty());
}

#[test]
fn families_pick_the_findings_about_settings_as_any_other() {
    use mcprobe::model::finding::Family;
    let mut settings = suppressing(vec![suppression("param.untyped", None, Some("/x"))]);
    let shown = |settings: &JudgeSettings| {
        let report = judge(&twins(), settings);
        let of_settings = |f: &&mcprobe::model::finding::Finding| f.family == Family::Settings;
        (
            report.findings.len(),
            report.findings.iter().filter(of_settings).count(),
        )
    };
    assert_eq!(shown(&settings).1, 1);
    settings.families = Some([Family::Settings].into());
    assert_eq!(shown(&settings), (1, 1));
    settings.families = Some([Family::Lint].into());
    assert_eq!(shown(&settings).1, 0);
}
