//! The four demonstration tools of MCProbe, rebuilt: our figures are the ones
//! that its README's formula gives for them.

use serde_json::Value;

use super::{codes, example, mcprobe, report, run};

fn audit() -> Value {
    let output = run(mcprobe()
        .args([
            "audit",
            "--fuzz-writes",
            "--max-tools",
            "10",
            "--json",
            "--quiet",
            "--",
        ])
        .arg(example("flawed_server")));
    assert_eq!(output.status.code(), Some(0));
    report(&output)
}

#[test]
fn classic_is_73_c_with_fifteen_lint_findings_and_four_silent_accepts() {
    let report = audit();
    let of_lint = |severity: &str| {
        let findings = report["findings"].as_array().expect("findings");
        let hits =
            |finding: &&Value| finding["family"] == "lint" && finding["severity"] == severity;
        findings.iter().filter(hits).count()
    };
    assert_eq!(
        (of_lint("error"), of_lint("warning"), of_lint("info")),
        (1, 8, 6)
    );
    let rows = report["fuzz"].as_array().expect("rows");
    assert_eq!(
        rows.iter()
            .filter(|row| row["silentlyAccepted"] == true)
            .count(),
        4
    );
    let classic = &report["scores"]["classic"];
    assert_eq!(
        (&classic["overall"], &classic["grade"]),
        (&Value::from(73), &Value::from("C"))
    );
    let scores: Vec<&Value> = classic["dimensions"]
        .as_array()
        .expect("dimensions")
        .iter()
        .map(|d| &d["score"])
        .collect();
    assert_eq!(scores, [10.0, 3.5, 5.56, 10.0]);
    assert!(codes(&report).contains(&"call.silent_accept"));
}

#[test]
fn two_runs_differ_in_run_only() {
    let (mut first, mut second) = (audit(), audit());
    let taken = [&mut first, &mut second]
        .map(|report| report.as_object_mut().expect("an object").remove("run"));
    assert!(
        taken.iter().all(Option::is_some),
        "`run` is part of the report"
    );
    assert_eq!(first.to_string(), second.to_string());
}

#[test]
fn the_same_seed_gives_the_same_calls_and_the_plan_shows_them() {
    let plan = |seed: &str| {
        let output = run(mcprobe()
            .args([
                "audit",
                "--fuzz-writes",
                "--plan",
                "--quiet",
                "--seed",
                seed,
                "--",
            ])
            .arg(example("flawed_server")));
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let shown = plan("7");
    assert_eq!(shown, plan("7"));
    assert!(shown.contains("well_behaved: called"), "{shown}");
    assert!(shown.contains("missing_required:text"), "{shown}");
}

#[test]
fn a_plain_fuzz_run_leaves_tools_alone_that_are_not_known_to_read() {
    let output = run(mcprobe()
        .args([
            "audit",
            "--fuzz",
            "--min-score",
            "10",
            "--json",
            "--quiet",
            "--",
        ])
        .arg(example("flawed_server")));
    let report = report(&output);
    assert_eq!(report["coverage"]["fuzzedTools"], 0);
    assert_eq!(report["completeness"]["level"], "static only");
    // Nothing is bought by silence: calls were asked for and none was made.
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report["verdict"]["passed"], false);
}
