//! A server that keeps its contract gets full marks, and no finding.

use super::{codes, example, mcprobe, report, run};

#[test]
fn full_marks_and_nothing_to_say() {
    let output = run(mcprobe()
        .args([
            "audit",
            "--fuzz",
            "--json",
            "--quiet",
            "--min-score",
            "100",
            "--fail-on",
            "info",
            "--",
        ])
        .arg(example("tidy_server")));
    let report = report(&output);
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        (&report["overall"], &report["grade"]),
        (&100.into(), &"A".into())
    );
    assert_eq!(report["scores"]["classic"]["overall"], 100);
    assert_eq!(report["completeness"]["level"], "full");
}
