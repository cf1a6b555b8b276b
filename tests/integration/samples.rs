//! Sample evidence with findings beside it, judged by fixed settings.

use std::fs;
use std::path::{Path, PathBuf};

use mcprobe::judge::{JudgeSettings, judge_findings};
use mcprobe::model::evidence::Evidence;
use mcprobe::model::finding::{Finding, Severity};
use mcprobe::model::report::{Report, Thresholds};
use mcprobe::model::suppression::{Day, Suppression, Suppressions};

pub(crate) const NAMES: [&str; 7] = [
    "perfect",
    "flawed",
    "crash",
    "cannot_audit",
    "no_tools",
    "hostile",
    SUPPRESSED,
];

/// The flawed server, and one name twice; its user lives with some of that.
const SUPPRESSED: &str = "suppressed";

fn file(name: &str) -> PathBuf {
    let name = name.replace(SUPPRESSED, "flawed");
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
    let mut findings: Vec<Finding> = fs::read_to_string(file(&format!("{name}.findings.json")))
        .map_or_else(
            |_| Vec::new(),
            |text| serde_json::from_str(&text).expect("the fixture is findings"),
        );
    if name == SUPPRESSED {
        let mut twice = findings[0].clone();
        twice.code = "tool.duplicate_name".into();
        twice.location.pointer = Some("/tools/0/name".to_owned());
        findings.push(twice);
    }
    findings
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

/// As [`settings`], and what the user of a sample lives with.
pub(crate) fn settings_of(name: &str) -> JudgeSettings {
    let entries = if name == SUPPRESSED {
        suppressions()
    } else {
        Vec::new()
    };
    JudgeSettings {
        suppressions: Suppressions {
            entries,
            today: Day::new(2026, 6, 1).expect("a day"),
        },
        ..settings()
    }
}

/// A suppression without a last day.
pub(crate) fn suppression(code: &str, tool: Option<&str>, pointer: Option<&str>) -> Suppression {
    Suppression {
        code: code.to_owned(),
        tool: tool.map(str::to_owned),
        pointer: pointer.map(str::to_owned),
        reason: "known".to_owned(),
        expires: None,
    }
}

fn suppressions() -> Vec<Suppression> {
    let until = |mut suppression: Suppression, day: &str| {
        suppression.expires = Some(day.parse().expect("a day"));
        suppression
    };
    let below = Some("/inputSchema/properties");
    vec![
        Suppression {
            reason: "the vendor's text | ::error::x ##[y] <b>`z`".to_owned(),
            ..suppression("tool.missing_description", Some("greet"), None)
        },
        until(
            suppression("param.missing_description", None, below),
            "2026-06-01",
        ),
        suppression("tool.duplicate_name", None, None),
        suppression(
            "param.untyped",
            Some("divide"),
            Some("/tools/1/inputSchema/properties/a"),
        ),
        until(suppression("schema.no_required", None, None), "2026-05-31"),
        suppression("tool.thin_description", Some("greet"), None),
        suppression("tool.thin_description", Some("gone|`x"), Some("/x|`y")),
    ]
}

pub(crate) fn sample(name: &str) -> Report {
    let mut report = judge_findings(&evidence(name), findings(name), &settings_of(name));
    "0.0.0".clone_into(&mut report.producer.version);
    report
}
