//! Lists from the field: small cases made of bug reports, and published servers
//! with their texts blanked.

use std::fs;
use std::path::{Path, PathBuf};

use mcprobe::capture;
use mcprobe::judge::{JudgeSettings, judge};
use mcprobe::model::evidence::Evidence;
use mcprobe::model::report::{Dimension, ModelScore};

fn read(path: &Path) -> Evidence {
    capture::read("list", &fs::read(path).expect("a file")).expect("a tool list or evidence")
}

fn folder(below: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(below);
    let mut found: Vec<PathBuf> = fs::read_dir(root)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    found.sort();
    found
}

/// What is found in each static case, a line a finding.
#[test]
fn static_cases_give_their_right_findings() {
    let mut seen = 0;
    for case in folder("tests/cases/inputs") {
        let list = case.join("tools.json");
        if !list.exists() {
            continue;
        }
        seen += 1;
        let report = judge(&read(&list), &JudgeSettings::default());
        let lines: Vec<String> = report
            .findings
            .iter()
            .map(|finding| {
                let place = finding.location.pointer.as_deref().unwrap_or("-");
                format!(
                    "{} {} {place}: {}",
                    finding.severity, finding.code, finding.message
                )
            })
            .collect();
        let name = case
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        insta::assert_snapshot!(
            name,
            format!(
                "{} tools\n{}",
                report.counts.tools.unwrap_or(0),
                lines.join("\n")
            )
        );
    }
    assert!(seen >= 2, "the cases were not read");
}

fn schema_quality(score: &ModelScore) -> Option<f64> {
    let of = |dimension: &&mcprobe::model::report::DimensionScore| {
        dimension.dimension == Dimension::SchemaQuality
    };
    score
        .dimensions
        .iter()
        .find(of)
        .and_then(|found| found.score)
}

/// The static half of `classic` is what MCProbe's README formula gives for the
/// same versions of the same servers.
#[test]
fn published_servers_have_their_classic_figures() {
    let figures = [
        ("everything", 8.5, 93),
        ("fetch", 10.0, 100),
        ("filesystem", 1.0, 55),
        ("git", 0.0, 50),
        ("memory", 8.0, 90),
        ("sequential-thinking", 10.0, 100),
        ("time", 10.0, 100),
    ];
    let found: Vec<(String, Option<f64>, Option<u32>)> =
        folder("tests/fixtures/evidence/published")
            .iter()
            .map(|path| {
                let report = judge(&read(path), &JudgeSettings::default());
                let name = path
                    .file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                (
                    name,
                    schema_quality(&report.scores.classic),
                    report.scores.classic.overall,
                )
            })
            .collect();
    let wanted: Vec<(String, Option<f64>, Option<u32>)> = figures
        .into_iter()
        .map(|(name, quality, overall)| (name.to_owned(), Some(quality), Some(overall)))
        .collect();
    assert_eq!(found, wanted);
}
