use std::path::Path;

use mcprobe::judge::judge;
use mcprobe::render::escape::is_unseen;
use mcprobe::render::json::v1;
use serde_json::Value;

use crate::samples::{NAMES, evidence, sample, settings_of};

fn document(name: &str) -> Value {
    serde_json::from_str(&v1::render(&sample(name))).expect("the report is JSON")
}

#[test]
fn every_sample_as_json() {
    for name in NAMES {
        insta::assert_snapshot!(format!("{name}.json"), v1::render(&sample(name)));
    }
}

#[test]
fn the_published_schema_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas/report.v1.json");
    let current = v1::schema();
    if std::env::var_os("MCPROBE_UPDATE").is_some() {
        std::fs::write(&file, &current).expect("the schema can be written");
    }
    let published = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        published == current,
        "docs/schemas/report.v1.json is not current; run the tests with MCPROBE_UPDATE=1"
    );
}

#[test]
fn every_report_fits_the_schema() {
    let schema: Value = serde_json::from_str(&v1::schema()).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema compiles");
    for name in NAMES {
        let by_rules = v1::render(&judge(&evidence(name), &settings_of(name)));
        let by_rules = serde_json::from_str(&by_rules).expect("the report is JSON");
        for report in [document(name), by_rules] {
            let wrong = validator.validate(&report).map_err(|e| e.to_string());
            assert_eq!(wrong, Ok(()), "{name}");
        }
    }
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    for name in NAMES {
        let render = || v1::render(&judge(&evidence(name), &settings_of(name)));
        assert_eq!(render(), render(), "{name}");
    }
}

#[test]
fn only_run_depends_on_time() {
    for name in NAMES {
        let mut later = sample(name);
        later.run.started_at = "2027-01-01T00:00:00Z".to_owned();
        later.run.duration_ms += 1;
        later.run.host = "other".to_owned();
        for row in later.fuzz.iter_mut().flat_map(|fuzz| &mut fuzz.rows) {
            row.latency_us += 1;
        }
        let mut later: Value = serde_json::from_str(&v1::render(&later)).expect("JSON");
        let mut first = document(name);
        let members = |value: &mut Value| value.as_object_mut().map(|all| all.remove("run"));
        members(&mut first);
        members(&mut later);
        assert_eq!(first, later, "{name}");
    }
}

#[test]
fn nothing_to_audit_is_a_whole_report_without_a_score() {
    let report = document("cannot_audit");
    assert_eq!(report["overall"], Value::Null);
    assert_eq!(report["grade"], Value::Null);
    assert_eq!(report["verdict"]["exitCode"], 3);
    assert_eq!(report["verdict"]["result"], "cannot-audit");
    assert_eq!(report["failure"]["exit"]["code"], 2);
    assert!(!report["untested"].as_array().expect("a list").is_empty());

    let report = document("no_tools");
    assert_eq!(report["overall"], Value::Null);
    assert_eq!(report["scores"]["classic"]["overall"], 98);
    assert_eq!(report["verdict"]["exitCode"], 1);
    assert_eq!(report["coverage"]["totalTools"], 0);
}

#[test]
fn an_exchange_stands_with_every_call_that_went_wrong() {
    for name in NAMES {
        for row in document(name)["fuzz"].as_array().expect("a list") {
            let wrong = row["silentlyAccepted"] == true
                || row["outputSchemaViolation"] == true
                || row["outcome"] == "timeout"
                || row["outcome"] == "protocolCrash";
            assert_eq!(row.get("exchange").is_some(), wrong, "{name}: {row}");
        }
    }
}

#[test]
fn arguments_that_no_strict_parser_takes_are_text() {
    let mut report = sample("perfect");
    let fuzz = report.fuzz.as_mut().expect("calls");
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).expect("JSON");
    fuzz.rows[0].case.arguments = raw("{\"n\":1e999}");
    fuzz.rows[1].case.arguments = raw("{\"n\":18446744073709551616}");
    let text = v1::render(&report);
    assert!(
        text.contains(r#""argumentsText": "{\"n\":1e999}""#),
        "{text}"
    );
    assert!(
        text.contains(r#""arguments": {"n":18446744073709551616}"#),
        "{text}"
    );
}

#[test]
fn json_hides_nothing_and_commands_no_runner() {
    let text = v1::render(&sample("hostile"));
    assert!(!text.contains("##["));
    let unseen = text.chars().find(|&l| l != '\n' && is_unseen(l));
    assert_eq!(unseen, None);
}
