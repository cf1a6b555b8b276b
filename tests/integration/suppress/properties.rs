//! What holds of any suppressions: the score never falls, nothing new is shown, and
//! many of them cost little.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use mcprobe::judge::{JudgeSettings, judge, judge_findings};
use mcprobe::model::finding::{Family, Finding};
use mcprobe::model::report::Report;
use mcprobe::model::suppression::{Day, Suppression};
use mcprobe::rules::RULES;
use proptest::prelude::*;
use serde_json::json;

use super::{listing, suppressing, twins};
use crate::samples::{evidence, findings, suppression};

fn any_suppression() -> impl Strategy<Value = Suppression> {
    let codes: Vec<&str> = RULES
        .iter()
        .filter(|rule| rule.family != Family::Settings)
        .map(|rule| rule.code)
        .collect();
    let code = prop_oneof![
        3 => prop::sample::select(vec![
            "param.untyped", "param.missing_description", "tool.missing_description",
            "tool.no_annotations", "schema.no_required", "call.crash", "tool.duplicate_name",
        ]),
        1 => prop::sample::select(codes),
    ];
    let tool = prop::option::of(prop::sample::select(vec![
        "one", "two", "greet", "divide", "parse", "gone",
    ]));
    let pointer = prop::option::of(prop::sample::select(vec![
        "/inputSchema",
        "/inputSchema/properties/a",
        "/inputSchema/properties/o",
        "/tools/1",
        "/tools/0/inputSchema/properties/ab",
        "/nowhere",
    ]));
    let expires =
        prop::option::of((1_u8..=12).prop_map(|month| Day::new(2026, month, 1).expect("a day")));
    (code, tool, pointer, expires).prop_map(|(code, tool, pointer, expires)| Suppression {
        expires,
        ..suppression(code, tool, pointer)
    })
}

fn without_settings(report: &Report) -> Vec<&Finding> {
    let findings = report.findings.iter();
    findings
        .filter(|finding| finding.family != Family::Settings)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_more_suppression_lowers_no_score_and_shows_nothing_new(
        entries in prop::collection::vec(any_suppression(), 1..8),
        sample in prop::sample::select(vec!["twins", "flawed", "crash"]),
    ) {
        let judged = |entries: &[Suppression]| {
            let mut settings = suppressing(entries.to_vec());
            settings.suppressions.today = Day::new(2026, 6, 1).expect("a day");
            match sample {
                "twins" => judge(&twins(), &settings),
                name => judge_findings(&evidence(name), findings(name), &settings),
            }
        };
        let (_, fewer) = entries.split_last().expect("at least one");
        let (before, after) = (judged(fewer), judged(&entries));
        prop_assert!(after.scores.contract.overall >= before.scores.contract.overall);
        prop_assert!(after.scores.classic.overall >= before.scores.classic.overall);
        let shown = without_settings(&before);
        for finding in without_settings(&after) {
            prop_assert!(shown.contains(&finding), "{finding:?}");
        }
        // What is said of the others does not change.
        let section = after.suppressions.expect("a section");
        if let Some(earlier) = before.suppressions {
            prop_assert_eq!(&section.entries[..fewer.len()], &earlier.entries[..]);
            prop_assert_eq!(section.without, earlier.without);
            prop_assert!(section.findings >= earlier.findings);
        }
    }
}

/// Far above what is needed, and far below what a comparison of each with each takes.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn ten_thousand_suppressions_of_ten_thousand_tools_are_found_by_place() {
    let tools: Vec<_> = (0..10_000)
        .map(|number| json!({"name": format!("tool_{number}"), "inputSchema": {"type": "object"}}))
        .collect();
    let evidence = listing(&json!(tools));
    let of_all = |pointer: &dyn Fn(usize) -> Option<String>,
                  tool: &dyn Fn(usize) -> Option<String>| {
        let entries = (0..10_000).map(|number| {
            let (tool, pointer) = (tool(number), pointer(number));
            suppression(
                "tool.missing_description",
                tool.as_deref(),
                pointer.as_deref(),
            )
        });
        suppressing(entries.collect())
    };
    let by_tool = of_all(&|_| None, &|number| Some(format!("tool_{number}")));
    let by_place = of_all(&|number| Some(format!("/tools/{number}")), &|_| None);
    let gone = of_all(&|_| None, &|number| Some(format!("gone_{number}")));
    let raw = mcprobe::rules::lint(&evidence);
    for (settings, held) in [(by_tool, 10_000), (by_place, 10_000), (gone, 0)] {
        let started = Instant::now();
        let report = judge_findings(&evidence, raw.clone(), &settings);
        let took = started.elapsed();
        let section = report.suppressions.expect("a section");
        assert_eq!(section.findings, held);
        let states: BTreeSet<_> = section
            .entries
            .iter()
            .map(|entry| entry.state.word().word())
            .collect();
        assert_eq!(states.len(), 1, "{states:?}");
        assert!(took < LIMIT, "{took:?}");
    }
    let plain = judge_findings(&evidence, raw, &JudgeSettings::default());
    assert_eq!(plain.counts.tools, Some(10_000));
}
