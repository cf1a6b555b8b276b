//! The job summary and the annotations of the sample reports.

use mcprobe::model::finding::Severity;
use mcprobe::model::report::Report;
use mcprobe::render::github::{
    SUMMARY_BYTES, Setting, Tone, annotation, annotations, mask, problem, summary,
    summary_of_problem,
};
use proptest::prelude::*;

use crate::ci::runner;
use crate::samples::{NAMES, sample};

const SETTING: Setting<'_> = Setting {
    report_file: "mcprobe-report.json",
    lenient_because: None,
};

#[test]
fn every_sample_as_a_summary() {
    for name in NAMES {
        let text = summary(&sample(name), &SETTING);
        assert!(runner::scan(&text).is_empty(), "{name}: {text}");
        insta::assert_snapshot!(format!("{name}.summary"), text);
    }
}

#[test]
fn every_sample_as_annotations() {
    for name in NAMES {
        let text = annotations(&sample(name), Tone::Failing, 0);
        insta::assert_snapshot!(format!("{name}.annotations"), text);
    }
}

#[test]
fn a_lenient_step_is_a_warning_and_says_why() {
    let report = sample("cannot_audit");
    let text = annotations(&report, Tone::Lenient, 0);
    assert!(text.starts_with("::warning title="), "{text}");
    let setting = Setting {
        lenient_because: Some("`fail: false`"),
        ..SETTING
    };
    let text = summary(&report, &setting);
    assert!(text.starts_with("# ⚠️ no score"), "{text}");
    assert!(
        text.contains("succeeds all the same (<code>fail: false</code>)"),
        "{text}"
    );
}

/// The flawed sample with its findings many times over, each of another rule.
fn crowded(times: usize) -> Report {
    let mut report = sample("flawed");
    let few = report.findings.clone();
    report.findings = (0..times)
        .flat_map(|turn| {
            few.iter()
                .cloned()
                .enumerate()
                .map(move |(at, mut finding)| {
                    finding.code = format!("{}_{turn:04}_{at:02}", finding.code).into();
                    finding.message = format!("{} {}", finding.message, "`|<".repeat(300));
                    finding
                })
        })
        .collect();
    report.findings.sort_by_key(|finding| finding.severity);
    if let Some(fuzz) = &mut report.fuzz {
        fuzz.rows = fuzz.rows.iter().cycle().take(9000).cloned().collect();
    }
    let untested = report.untested.clone();
    report.untested = untested.into_iter().cycle().take(3000).collect();
    report
}

#[test]
fn a_summary_is_cut_at_a_whole_row_and_counts_what_is_left_out() {
    let report = crowded(700);
    let text = summary(&report, &SETTING);
    assert!(text.len() <= SUMMARY_BYTES, "{}", text.len());
    assert!(text.len() > SUMMARY_BYTES / 2, "{}", text.len());
    let mut left = Vec::new();
    for line in text.lines() {
        if line.starts_with("| ") {
            assert!(line.ends_with(" |"), "a row is cut: {line}");
        }
        if line.contains(" left out here; ") {
            let number = line.split(' ').next().expect("a number");
            left.push(number.parse::<usize>().expect("a number"));
        }
    }
    let shown = text
        .lines()
        .filter(|line| {
            line.starts_with("| error | <code>")
                || line.starts_with("| warning | <code>")
                || line.starts_with("| info | <code>")
        })
        .count();
    // Ten rows are the worst rules above the fold.
    assert_eq!(shown - 10 + left[0], report.findings.len());
    assert_eq!(left.len(), 3, "each list says what it left out: {left:?}");
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count()
    );
    assert!(text.trim_end().ends_with("</sub>"), "the page has its end");
}

#[test]
fn annotations_are_at_most_ten_of_a_kind_and_the_rest_is_counted() {
    let report = crowded(30);
    for taken in [0, 1] {
        let text = annotations(&report, Tone::Failing, taken);
        let commands = runner::scan(&text);
        let mut counted = 0;
        for (kind, severity) in [
            ("error", Severity::Error),
            ("warning", Severity::Warning),
            ("notice", Severity::Info),
        ] {
            let number = commands
                .iter()
                .filter(|command| command.name == kind)
                .count();
            let room = if kind == "notice" { 10 - taken } else { 10 };
            assert_eq!(number, room, "{kind}");
            let of_verdict = usize::from(kind == "error");
            let all = report
                .findings
                .iter()
                .filter(|f| f.severity == severity)
                .count();
            let left = format!("{} more {severity}", all - (number - of_verdict));
            assert!(text.contains(&left), "{left} is not in {text}");
            counted += 1;
        }
        assert_eq!(counted, 3);
    }
}

#[test]
fn commands_are_read_back_as_they_were_meant() {
    let masked = mask("50%\n::x::\r##[y]");
    let commands = runner::scan(&masked);
    assert_eq!(
        (commands.len(), commands[0].data.as_str()),
        (1, "50%\n::x::\r##[y]")
    );
    let text = problem("config-error", "a\n::error::b ##[error]c", Tone::Failing);
    let commands = runner::scan(&text);
    assert_eq!(commands.len(), 1, "{text}");
    assert_eq!(commands[0].properties["title"], "mcprobe: config-error");
}

proptest! {
    #[test]
    fn no_text_leaves_its_annotation(
        parts in prop::collection::vec(
            prop_oneof![
                any::<char>().prop_map(String::from),
                prop::sample::select(vec!["::", "##[", "]", "%0A", "%", ",", "=", "\n", "\r", "\u{fe0f}", "error", "\u{200b}", "|", "`", "<!--"])
                    .prop_map(str::to_owned),
            ],
            0..25,
        )
    ) {
        let text = parts.concat();
        let mut report = sample("perfect");
        report.server.name = Some(text.clone());
        report.verdict.passed = false;
        report.verdict.reasons = vec![text.clone()];
        let mut finding = sample("flawed").findings.remove(0);
        finding.message.clone_from(&text);
        finding.hint = text.clone().into();
        finding.location.tool = Some(text.clone());
        report.findings = vec![finding];
        let commands = runner::scan(&annotations(&report, Tone::Failing, 0));
        prop_assert_eq!(commands.len(), 2);
        for command in commands {
            prop_assert!(command.properties["title"].starts_with("mcprobe: "));
            prop_assert_eq!(command.properties.len(), 1);
        }
        for page in [summary(&report, &SETTING), summary_of_problem("config-error", &text)] {
            prop_assert!(runner::scan(&page).is_empty(), "{}", page);
        }
        // A title of any text stays a title.
        let kind = mcprobe::render::github::Kind::Notice;
        let read = runner::scan(&annotation(kind, &text.replace(['\n', '\r'], ""), "x"));
        prop_assert_eq!(read.len(), 1);
    }
}
