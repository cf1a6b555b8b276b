//! Sample evidence with findings beside it, judged by fixed settings.

use std::fs;
use std::path::{Path, PathBuf};

use mcprobe::judge::{JudgeSettings, judge_findings};
use mcprobe::model::evidence::Evidence;
use mcprobe::model::finding::{Finding, Severity};
use mcprobe::model::report::{Report, Thresholds};

pub(crate) const NAMES: [&str; 6] = [
    "perfect",
    "flawed",
    "crash",
    "cannot_audit",
    "no_tools",
    "hostile",
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/evidence")
        .join(name)
}

pub(crate) fn evidence(name: &str) -> Evidence {
    let text = fs::read_to_string(file(&format!("{name}.json"))).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is evidence")
}

/// The findings that stand beside the evidence; none where there is no file.
pub(crate) fn findings(name: &str) -> Vec<Finding> {
    fs::read_to_string(file(&format!("{name}.findings.json"))).map_or_else(
        |_| Vec::new(),
        |text| serde_json::from_str(&text).expect("the fixture is findings"),
    )
}

pub(crate) fn settings() -> JudgeSettings {
    JudgeSettings {
        thresholds: Thresholds {
            min_score: Some(75.5),
            fail_on: Some(Severity::Error),
            allow_partial: false,
        },
        fuzz_asked: true,
        ..JudgeSettings::default()
    }
}

pub(crate) fn sample(name: &str) -> Report {
    let mut report = judge_findings(&evidence(name), findings(name), &settings());
    "0.0.0".clone_into(&mut report.producer.version);
    report
}
