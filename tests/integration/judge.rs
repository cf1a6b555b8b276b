use std::collections::BTreeSet;

use mcprobe::judge::{JudgeSettings, judge_findings};
use mcprobe::model::evidence::CutShort;
use mcprobe::model::finding::{Family, RuleChoice, Severity};
use mcprobe::model::report::{CompletenessLevel, Report, ScoreModel, SkipKind, VerdictKind};

use crate::samples::{NAMES, evidence, findings, sample, settings};

fn judged(name: &str, change: impl FnOnce(&mut JudgeSettings)) -> Report {
    let mut settings = settings();
    change(&mut settings);
    judge_findings(&evidence(name), findings(name), &settings)
}

#[test]
fn a_rule_that_is_off_is_neither_shown_nor_gated_and_scores_the_same() {
    let as_found = judged("flawed", |_| {});
    let chosen = judged("flawed", |settings| {
        let off = ("tool.missing_description".to_owned(), RuleChoice::Off);
        settings.rules.extend([off]);
        settings.thresholds.min_score = None;
    });
    assert_eq!(chosen.findings.len(), as_found.findings.len() - 1);
    assert_eq!(chosen.verdict.kind, VerdictKind::Pass);
    assert_eq!(chosen.scores, as_found.scores);
}

#[test]
fn a_rule_that_is_ranked_anew_gates_by_its_new_rank_and_scores_the_same() {
    let as_found = judged("flawed", |_| {});
    let chosen = judged("flawed", |settings| {
        settings.rules.extend([
            (
                "tool.missing_description".to_owned(),
                RuleChoice::Severity(Severity::Info),
            ),
            (
                "schema.no_required".to_owned(),
                RuleChoice::Severity(Severity::Error),
            ),
        ]);
        settings.thresholds.min_score = None;
    });
    assert_eq!(chosen.findings[0].code, "schema.no_required");
    assert_eq!(chosen.verdict.kind, VerdictKind::Findings);
    assert_eq!(chosen.scores, as_found.scores);
}

#[test]
fn families_pick_what_is_shown_and_not_what_is_scored() {
    let as_found = judged("flawed", |_| {});
    let text_only = judged("flawed", |settings| {
        settings.families = Some(BTreeSet::from([Family::Text]));
    });
    assert!(text_only.findings.is_empty());
    assert_eq!(text_only.scores, as_found.scores);
}

#[test]
fn the_chosen_model_gates() {
    let contract = judged("crash", |_| {});
    assert_eq!(contract.verdict.kind, VerdictKind::BelowMinScore);
    let classic = judged("crash", |settings| {
        settings.score_model = ScoreModel::Classic;
    });
    assert_eq!(classic.score().overall, Some(83));
    assert_eq!(classic.verdict.kind, VerdictKind::Pass);
    assert_eq!(classic.scores, contract.scores);
}

#[test]
fn coverage_tells_the_sorts_of_skips_apart() {
    let report = sample("flawed");
    assert_eq!(report.coverage.called.len(), 4);
    assert_eq!(report.coverage.skipped[0].kind, SkipKind::Destructive);
    assert_eq!(report.counts.tools, Some(5));
    assert_eq!(report.counts.prompts, Some(1));
    assert_eq!(report.counts.resources, None);
}

#[test]
fn asking_for_calls_and_getting_none_does_not_pass_on_static_facts() {
    let mut evidence = evidence("perfect");
    let run = evidence.fuzz.as_mut().expect("calls");
    run.rows.clear();
    run.turns[0].decision = mcprobe::model::fuzz::Decision::Skip {
        because: "it is not known to read".to_owned(),
        include_with: "--fuzz-writes, or in mcprobe.toml:\n[tools.\"get_weather\"]\nallow = true"
            .to_owned(),
    };
    let report = judge_findings(&evidence, Vec::new(), &settings());
    assert_eq!(report.score().overall, Some(100));
    assert_eq!(report.completeness.level, CompletenessLevel::StaticOnly);
    assert_eq!(report.verdict.kind, VerdictKind::Partial);
    insta::assert_snapshot!(report.verdict.reasons.join("\n"), @"Calls were asked for, but none could be judged: the score is static only. No tool was called at level safe; `--fuzz-writes` would include some. `--allow-partial` lets such a score pass.");
    insta::assert_debug_snapshot!(report.untested[0], @r#"
        Untested {
            what: "1 tool, not called: `get_weather`",
            because: "It is not known to read. Included by: --fuzz-writes, or in mcprobe.toml:",
            paste: Some(
                "[tools.\"get_weather\"]\nallow = true",
            ),
        }
        "#);

    let asked_too_late = JudgeSettings {
        fuzz_asked: true,
        ..settings()
    };
    evidence.fuzz = None;
    let report = judge_findings(&evidence, Vec::new(), &asked_too_late);
    assert_eq!(report.verdict.kind, VerdictKind::Partial);

    let not_asked = JudgeSettings {
        fuzz_asked: false,
        ..settings()
    };
    let report = judge_findings(&evidence, Vec::new(), &not_asked);
    assert_eq!(report.verdict.kind, VerdictKind::Pass);
}

#[test]
fn fewer_than_half_of_the_tools_is_partial() {
    let mut evidence = evidence("flawed");
    let run = evidence.fuzz.as_mut().expect("calls");
    run.rows.retain(|row| row.tool_index < 2);
    run.abandoned.retain(|left| left.tool_index < 2);
    let report = judge_findings(&evidence, Vec::new(), &settings());
    assert_eq!(report.completeness.level, CompletenessLevel::Partial);
    assert_eq!(report.coverage.skipped.len(), 3);
}

#[test]
fn something_is_always_untested() {
    for name in NAMES {
        for fuzz_asked in [true, false] {
            let report = judged(name, |settings| settings.fuzz_asked = fuzz_asked);
            assert!(!report.untested.is_empty(), "{name}");
        }
    }
}

#[test]
fn a_cancelled_run_still_is_a_whole_report() {
    let mut evidence = evidence("perfect");
    evidence.cut_short = Some(CutShort::Cancelled(15));
    let report = judge_findings(&evidence, Vec::new(), &settings());
    assert_eq!(report.verdict.exit_code, 143);
    assert_eq!(report.score().overall, Some(100));
}

#[test]
fn the_users_name_stands_before_the_evidences() {
    let report = judged("hostile", |settings| {
        settings.label = Some("mine".to_owned());
    });
    assert_eq!(report.target.name.as_deref(), Some("mine"));
}
