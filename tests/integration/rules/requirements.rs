//! The table of requirements agrees with the list of checks that servers are known to
//! be held to, and with the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use mcprobe::model::checked::{Area, CheckState};
use mcprobe::model::contact::Carrier;
use mcprobe::model::finding::{Family, Severity};
use mcprobe::protocol::revision::Revision;
use mcprobe::rules::requirements::{self, Judge, Level, Requirement};
use mcprobe::rules::{self, RULES};
use serde_json::Value;

use super::fixture;

/// Rules whose severity is another than that of their row, and why.
const OTHERWISE: &[(&str, Severity, &str)] = &[
    (
        "protocol.http_header_match",
        Severity::Warning,
        "servers in wide use do not look at these headers yet",
    ),
    (
        "protocol.no_reply_to_notification",
        Severity::Error,
        "strict clients close the connection",
    ),
];

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn known_checks() -> Vec<Value> {
    let text = fs::read_to_string(root("tests/fixtures/protocol-checks.json")).expect("the list");
    serde_json::from_str(&text).expect("a list")
}

fn row(id: &str) -> &'static Requirement {
    requirements::all()
        .find(|row| row.id == id)
        .unwrap_or_else(|| panic!("no row {id}"))
}

#[test]
fn every_known_check_has_a_row_that_says_the_same() {
    let known = known_checks();
    assert_eq!(known.len(), 91);
    let ids: BTreeSet<&str> = requirements::all().map(|row| row.id).collect();
    assert_eq!(ids.len(), requirements::all().count(), "an id stands twice");
    for check in &known {
        let id = check["id"].as_str().expect("an id");
        let row = row(id);
        let level = match row.level {
            Level::Must => "MUST",
            Level::MustNot => "MUST NOT",
            Level::Should => "SHOULD",
            Level::ShouldNot => "SHOULD NOT",
            Level::May => "MAY",
            Level::Stated => "stated",
            Level::Derived => "derived",
            Level::Quality => "quality",
        };
        assert_eq!(check["level"], level, "{id}");
        let severity = match check["severity"].as_str() {
            Some("critical" | "error") => Severity::Error,
            Some("warning") => Severity::Warning,
            _ => Severity::Info,
        };
        assert_eq!(severity, row.severity, "{id}");
        let dates = Revision::PUBLISHED;
        let revisions: Vec<&str> = dates
            .iter()
            .map(Revision::as_str)
            .filter(|date| (row.revisions.0..=row.revisions.1).contains(date))
            .collect();
        assert_eq!(check["revisions"], serde_json::json!(revisions), "{id}");
        let on: BTreeSet<&str> = row
            .on
            .iter()
            .map(|carrier| match carrier {
                Carrier::Stdio => "stdio",
                Carrier::StreamableHttp => "http",
                Carrier::Sse => "sse",
            })
            .collect();
        let transports = check["transports"].as_array().expect("transports");
        let transports: BTreeSet<&str> = transports.iter().filter_map(Value::as_str).collect();
        assert_eq!(transports, on, "{id}");
    }
    assert_eq!(ids.len(), known.len());
}

#[test]
fn rows_name_rules_that_there_are() {
    let named: BTreeSet<&str> = requirements::all()
        .flat_map(Requirement::codes)
        .copied()
        .collect();
    for code in &named {
        assert!(rules::rule(code).is_some(), "{code}");
    }
    for row in requirements::all() {
        assert_ne!(
            row.codes().is_empty(),
            matches!(row.judge, Judge::Rules(..)),
            "{}",
            row.id
        );
        assert!(!row.pages.is_empty(), "{}", row.id);
        assert!(row.pages.is_sorted(), "{}", row.id);
    }
}

#[test]
fn rules_of_the_protocol_say_what_their_row_says() {
    for rule in RULES.iter().filter(|rule| rule.family == Family::Protocol) {
        let Some(row) = requirements::all().find(|row| row.codes().contains(&rule.code)) else {
            continue;
        };
        let spec = rule
            .spec
            .unwrap_or_else(|| panic!("{} has no text", rule.code));
        let links: Vec<String> = Revision::PUBLISHED
            .iter()
            .map(|date| row.link(date.as_str()))
            .collect();
        if rule.code == format!("protocol.{}", row.id.replace('-', "_")) {
            let other = OTHERWISE.iter().find(|(code, _, _)| *code == rule.code);
            let severity = other.map_or(row.severity, |(_, severity, _)| *severity);
            assert_eq!(rule.severity, severity, "{}", rule.code);
            assert_eq!(spec.keyword, row.level.keyword(), "{}", rule.code);
            assert!(
                links.iter().any(|link| link == spec.link),
                "{} is not in {links:?}",
                spec.link
            );
        }
    }
}

#[test]
fn links_follow_the_revision() {
    let row = row("http-get");
    assert_eq!(
        row.link("2025-06-18"),
        "https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#listening-for-messages-from-the-server"
    );
    assert_eq!(row.link("2026-07-28"), row.link("2025-11-25"));
}

#[test]
fn a_saved_list_tests_what_a_list_can_show() {
    let mut evidence =
        fixture::evidence(r#"{"tools": [{"name": "a b", "inputSchema": {"type": 5}}]}"#);
    evidence.target.transport = mcprobe::model::target::TransportKind::Capture;
    let findings = rules::lint(&evidence);
    let section = requirements::check(&evidence, &findings, |_| false);
    let state = |id: &str| {
        let found = section.checks.iter().find(|check| check.id == id);
        found.map(|check| check.state.clone())
    };
    assert_eq!(state("tool-name-format"), Some(CheckState::Failed));
    assert_eq!(state("input-schema-valid"), Some(CheckState::Failed));
    assert_eq!(state("tool-name-present"), Some(CheckState::Passed));
    assert_eq!(
        state("id-echo"),
        Some(CheckState::NotTested {
            because: "a saved list has no traffic".to_owned()
        })
    );
    // Nothing of the kind is there, or the transport has none.
    assert_eq!(state("icons"), None);
    assert_eq!(state("http-get"), None);
    assert_eq!(state("result-type"), None);
    let tally = section.tally();
    let areas = section.areas();
    let sum: usize = areas.iter().map(|(_, tally)| tally.checks()).sum();
    assert_eq!(tally.checks(), sum);
    assert_eq!(tally.checks(), section.checks.len());
    assert!(areas.iter().all(|(area, _)| *area != Area::Http));
}

#[test]
fn rules_that_are_switched_off_judge_nothing() {
    let evidence = fixture::evidence(r#"{"tools": [{"name": "a"}, {"name": "a"}]}"#);
    let findings = rules::lint(&evidence);
    let state = |off: &str| {
        let section = requirements::check(&evidence, &findings, |code| code == off);
        let check = section
            .checks
            .into_iter()
            .find(|check| check.id == "tool-name-unique");
        check.expect("the row").state
    };
    assert_eq!(state(""), CheckState::Failed);
    assert_eq!(
        state("tool.duplicate_name"),
        CheckState::NotTested {
            because: "its rules are switched off".to_owned()
        }
    );
}

#[test]
fn the_page_of_protocol_checks_is_current() {
    let path = root("docs/protocol-checks.md");
    let wanted = page();
    if std::env::var_os("MCPROBE_UPDATE").is_some() {
        fs::write(&path, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "run with MCPROBE_UPDATE=1");
}

fn page() -> String {
    let mut text = String::from(
        "# Protocol checks\n\n\
         Every requirement on servers that the report's protocol section speaks of, and who judges it. A check is\n\
         *passed* or *failed* only where the run saw what it needs; otherwise it is *not tested*, with the reason. What a\n\
         server never declared is not counted at all. A finding of severity `info` is a note and fails a check only where\n\
         the check itself is no more than `info`. A check that only [suppressed](suppressions.md)\n\
         findings break stays *failed*, and is marked *suppressed*. What is *our own* stands here for completeness and is\n\
         not counted. Scores do not depend on any of this.\n\n\
         Verdicts are held against those of the official conformance suite ([testing.md](testing.md#the-official-conformance-suite)):\n\
         [`checks.toml`](../tests/conformance/checks.toml) maps its checks to these, and\n\
         [`exceptions.toml`](../tests/conformance/exceptions.toml) names where the two differ, and why.\n",
    );
    let mut by_area: BTreeMap<Area, Vec<&Requirement>> = BTreeMap::new();
    for row in requirements::all() {
        by_area.entry(row.area).or_default().push(row);
    }
    for (area, rows) in by_area {
        let _ = write!(
            text,
            "\n## {}\n\n| check | what the text asks for | keyword | revisions | transports | severity | judged by |\n| --- | --- | --- | --- | --- | --- | --- |\n",
            area.word()
        );
        for row in rows {
            let _ = writeln!(
                text,
                "| `{}` | [{}]({}) | {} | {} | {} | {} | {} |",
                row.id,
                row.says,
                row.link("2026-07-28"),
                row.level.keyword().unwrap_or(match row.level {
                    Level::Stated => "stated",
                    Level::Derived => "derived",
                    _ => "our own",
                }),
                span(row.revisions),
                on(row.on),
                row.severity,
                judge(row)
            );
        }
    }
    text
}

fn span((first, last): (&str, &str)) -> String {
    match (first, last) {
        ("2024-11-05", "2026-07-28") => "all".to_owned(),
        (first, "2026-07-28") if first != last => format!("from {first}"),
        (first, last) if first == last => first.to_owned(),
        (first, last) => format!("{first} to {last}"),
    }
}

fn on(carriers: &[Carrier]) -> String {
    if carriers.len() == 3 {
        return "all".to_owned();
    }
    let words: Vec<&str> = carriers.iter().map(|carrier| carrier.word()).collect();
    words.join(", ")
}

fn judge(row: &Requirement) -> String {
    match row.judge {
        Judge::Rules(codes, _) => {
            let links: Vec<String> = codes
                .iter()
                .filter(|code| rules::rule(code).is_some())
                .map(|code| format!("[`{code}`](rules/{code}.md)"))
                .collect();
            if links.is_empty() {
                "not judged by this version".to_owned()
            } else {
                links.join(", ")
            }
        }
        Judge::Nobody(because) => format!("nobody: {because}"),
    }
}
