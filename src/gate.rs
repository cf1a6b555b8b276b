//! Thresholds in, verdict and exit code out.
//!
//! Exit codes: 0 pass, 1 a threshold does not hold, 3 the target could not be
//! audited, 128 plus the signal for a cancelled run. A missing score never
//! passes a threshold on the score.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::model::evidence::{CutShort, Failure, ProbeState};
use crate::model::finding::{Finding, Severity};
use crate::model::report::{
    Completeness, CompletenessLevel, ModelScore, Thresholds, Verdict, VerdictKind,
};
use crate::score::Reach;
use crate::wording::count;

/// Exit code of a run that passed.
const PASSED: u8 = 0;
/// Exit code where a threshold does not hold.
const GATE_FAILED: u8 = 1;
/// Exit code where there was nothing to judge.
const COULD_NOT_AUDIT: u8 = 3;

/// What a gate looks at.
#[derive(Debug, Clone, Copy)]
pub struct GateInput<'a> {
    /// How far the probe came.
    pub probe_state: ProbeState,
    /// What ended it early.
    pub failure: Option<&'a Failure>,
    /// How much of the inventory there was to score.
    pub reach: Reach,
    /// Why the run ended before its plan did.
    pub cut_short: Option<CutShort>,
    /// The score of the model that gates.
    pub score: &'a ModelScore,
    /// How much of that score rests on calls.
    pub completeness: &'a Completeness,
    /// Whether the user asked for calls.
    pub fuzz_asked: bool,
    /// The findings as shown, with the severities that the user chose.
    pub findings: &'a [Finding],
    /// What was asked for.
    pub thresholds: &'a Thresholds,
}

/// Judges a run by its thresholds. All that decide are named, also where one
/// alone would do.
pub fn judge_gate(input: &GateInput<'_>) -> Verdict {
    if let Some(CutShort::Cancelled(signal)) = input.cut_short {
        return verdict(
            input,
            VerdictKind::Cancelled,
            u8::try_from(signal.saturating_add(128)).unwrap_or(u8::MAX),
            vec!["The run was cancelled.".to_owned()],
        );
    }
    if input.reach == Reach::NotListed {
        let kind = match input.probe_state {
            ProbeState::Unauthorized => VerdictKind::Unauthorized,
            _ => VerdictKind::CannotAudit,
        };
        return verdict(input, kind, COULD_NOT_AUDIT, vec![cause(input)]);
    }

    let score = score_failure(input);
    let findings = finding_failure(input);
    let kind = match (&score, &findings) {
        (Some((kind, _)), _) => *kind,
        (None, Some(_)) => VerdictKind::Findings,
        (None, None) => VerdictKind::Pass,
    };
    let exit_code = match kind {
        VerdictKind::Pass => PASSED,
        _ => GATE_FAILED,
    };
    let mut reasons: Vec<String> = score.map(|(_, reason)| reason).into_iter().collect();
    reasons.extend(findings);
    if reasons.is_empty() {
        reasons.push(praise(input));
    }
    reasons.extend(cut_short(input.cut_short));
    verdict(input, kind, exit_code, reasons)
}

fn verdict(
    input: &GateInput<'_>,
    kind: VerdictKind,
    exit_code: u8,
    reasons: Vec<String>,
) -> Verdict {
    Verdict {
        passed: kind == VerdictKind::Pass,
        kind,
        exit_code,
        reasons,
        thresholds: input.thresholds.clone(),
    }
}

fn cause(input: &GateInput<'_>) -> String {
    let why = input
        .failure
        .map_or("no cause was recorded", |failure| failure.message.as_str());
    match input.probe_state {
        ProbeState::Unauthorized => format!("The target wants credentials: {why}"),
        ProbeState::Ok => format!("The tools could not be listed: {why}"),
        state => format!("The target could not be audited ({state}): {why}"),
    }
}

/// Why `min_score` does not hold.
fn score_failure(input: &GateInput<'_>) -> Option<(VerdictKind, String)> {
    let wanted = input.thresholds.min_score?;
    let Some(overall) = input.score.overall else {
        return Some((
            VerdictKind::Partial,
            format!("There is no score, so it cannot reach {wanted}: no tools are listed."),
        ));
    };
    // A threshold that is no number is never reached.
    let reached = f64::from(overall) >= wanted;
    if !reached {
        return Some((
            VerdictKind::BelowMinScore,
            format!(
                "The {} score {overall} is below {wanted}.",
                input.score.model
            ),
        ));
    }
    let is_static = input.completeness.level == CompletenessLevel::StaticOnly;
    if input.fuzz_asked && is_static && !input.thresholds.allow_partial {
        let mut sentences = vec![
            "Calls were asked for, but none could be judged: the score is static only.".to_owned(),
        ];
        sentences.extend(input.completeness.reasons.iter().cloned());
        sentences.push("`--allow-partial` lets such a score pass.".to_owned());
        return Some((VerdictKind::Partial, sentences.join(" ")));
    }
    None
}

/// Why `fail_on` does not hold.
fn finding_failure(input: &GateInput<'_>) -> Option<String> {
    let mildest = input.thresholds.fail_on?;
    let parts: Vec<String> = Severity::ALL
        .into_iter()
        .filter(|&severity| severity <= mildest)
        .filter_map(|severity| {
            let number = input
                .findings
                .iter()
                .filter(|finding| finding.severity == severity)
                .count();
            (number > 0).then(|| count(number, severity.word()))
        })
        .collect();
    if parts.is_empty() {
        return None;
    }
    Some(format!(
        "There are findings of severity {mildest} or worse: {}.",
        parts.join(", ")
    ))
}

fn praise(input: &GateInput<'_>) -> String {
    let thresholds = input.thresholds;
    let mut held = Vec::new();
    if let (Some(wanted), Some(overall)) = (thresholds.min_score, input.score.overall) {
        held.push(format!("the score {overall} reaches {wanted}"));
    }
    if let Some(mildest) = thresholds.fail_on {
        held.push(format!("no finding is of severity {mildest} or worse"));
    }
    if held.is_empty() {
        return "No gate was set.".to_owned();
    }
    format!("Every threshold holds: {}.", held.join(", and "))
}

fn cut_short(cut: Option<CutShort>) -> Option<String> {
    let why = match cut? {
        CutShort::Deadline => "the run's time limit",
        CutShort::Budget => "the time given to calls",
        CutShort::NoRestart => "a server that could not be started again",
        CutShort::Cancelled(_) => "a signal",
    };
    Some(format!(
        "The run was cut short by {why}; this judges what was seen until then."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::{Family, Location};
    use crate::model::report::ScoreModel;

    /// A run in which everything went well and calls were judged.
    struct Run {
        probe_state: ProbeState,
        reach: Reach,
        cut_short: Option<CutShort>,
        overall: Option<u32>,
        level: CompletenessLevel,
        fuzz_asked: bool,
        findings: Vec<Finding>,
        thresholds: Thresholds,
    }

    impl Run {
        fn new(overall: Option<u32>) -> Self {
            Self {
                probe_state: ProbeState::Ok,
                reach: Reach::Listed(3),
                cut_short: None,
                overall,
                level: CompletenessLevel::Full,
                fuzz_asked: true,
                findings: Vec::new(),
                thresholds: Thresholds::default(),
            }
        }

        fn min_score(mut self, wanted: f64) -> Self {
            self.thresholds.min_score = Some(wanted);
            self
        }

        fn fail_on(mut self, severity: Severity, found: &[Severity]) -> Self {
            self.thresholds.fail_on = Some(severity);
            self.findings = found.iter().map(|&severity| finding(severity)).collect();
            self
        }

        fn judge(&self) -> Verdict {
            let score = ModelScore {
                model: ScoreModel::Contract,
                version: 1,
                overall: self.overall,
                grade: None,
                dimensions: Vec::new(),
                arithmetic: String::new(),
                cap: None,
            };
            judge_gate(&GateInput {
                probe_state: self.probe_state,
                failure: None,
                reach: self.reach,
                cut_short: self.cut_short,
                score: &score,
                completeness: &Completeness {
                    level: self.level,
                    reasons: vec!["`--fuzz-writes` would include some.".to_owned()],
                },
                fuzz_asked: self.fuzz_asked,
                findings: &self.findings,
                thresholds: &self.thresholds,
            })
        }

        fn answer(&self) -> (bool, VerdictKind, u8) {
            let verdict = self.judge();
            (verdict.passed, verdict.kind, verdict.exit_code)
        }
    }

    fn finding(severity: Severity) -> Finding {
        Finding {
            code: "tool.smell".into(),
            family: Family::Lint,
            severity,
            message: String::new(),
            why: "".into(),
            hint: "".into(),
            location: Location::default(),
            case: None,
            spec: None,
            occurrences: 1,
            fingerprint: String::new(),
        }
    }

    const PASS: (bool, VerdictKind, u8) = (true, VerdictKind::Pass, 0);
    const BELOW: (bool, VerdictKind, u8) = (false, VerdictKind::BelowMinScore, 1);
    const FOUND: (bool, VerdictKind, u8) = (false, VerdictKind::Findings, 1);
    const PARTIAL: (bool, VerdictKind, u8) = (false, VerdictKind::Partial, 1);
    const NOTHING: (bool, VerdictKind, u8) = (false, VerdictKind::CannotAudit, 3);

    #[test]
    fn decimal_thresholds_are_decimal() {
        assert_eq!(Run::new(Some(75)).min_score(75.5).answer(), BELOW);
        assert_eq!(Run::new(Some(76)).min_score(75.5).answer(), PASS);
        assert_eq!(Run::new(Some(75)).min_score(75.0).answer(), PASS);
        assert_eq!(Run::new(Some(0)).min_score(0.0).answer(), PASS);
        assert_eq!(Run::new(Some(100)).min_score(f64::NAN).answer(), BELOW);
    }

    #[test]
    fn no_score_never_reaches_a_threshold() {
        let mut empty = Run::new(None).min_score(0.0);
        empty.reach = Reach::Empty;
        empty.thresholds.allow_partial = true;
        assert_eq!(empty.answer(), PARTIAL);
        empty.thresholds.min_score = None;
        assert_eq!(empty.answer(), PASS, "being without tools is no fault");
    }

    #[test]
    fn what_could_not_be_listed_is_no_pass_and_no_gate_failure() {
        let mut run = Run::new(None);
        run.reach = Reach::NotListed;
        for state in [
            ProbeState::Ok,
            ProbeState::NoHandshake,
            ProbeState::NoTools,
            ProbeState::Crash,
            ProbeState::Timeout,
            ProbeState::NotJson,
            ProbeState::SpawnError,
            ProbeState::Unreachable,
        ] {
            run.probe_state = state;
            assert_eq!(run.answer(), NOTHING, "{state}");
        }
        run.probe_state = ProbeState::Unauthorized;
        assert_eq!(run.answer(), (false, VerdictKind::Unauthorized, 3));
    }

    #[test]
    fn static_only_passes_when_calls_were_not_asked_for_or_partial_is_allowed() {
        let mut run = Run::new(Some(98)).min_score(75.0);
        run.level = CompletenessLevel::StaticOnly;
        assert_eq!(run.answer(), PARTIAL);
        assert!(run.judge().reasons[0].contains("--fuzz-writes"));
        run.fuzz_asked = false;
        assert_eq!(run.answer(), PASS);
        run.fuzz_asked = true;
        run.thresholds.allow_partial = true;
        assert_eq!(run.answer(), PASS);
        run.overall = Some(60);
        assert_eq!(run.answer(), BELOW);
        run.thresholds = Thresholds::default();
        assert_eq!(run.answer(), PASS, "without a threshold nothing is bought");
    }

    #[test]
    fn partial_has_no_effect_on_the_gate() {
        let mut run = Run::new(Some(80)).min_score(75.0);
        run.level = CompletenessLevel::Partial;
        assert_eq!(run.answer(), PASS);
    }

    #[test]
    fn findings_fail_at_their_severity_and_above() {
        use Severity::{Error, Info, Warning};
        let table: [(Severity, &[Severity], _); 7] = [
            (Error, &[], PASS),
            (Error, &[Warning, Info], PASS),
            (Error, &[Error], FOUND),
            (Warning, &[Info], PASS),
            (Warning, &[Warning], FOUND),
            (Warning, &[Error], FOUND),
            (Info, &[Info], FOUND),
        ];
        for (mildest, found, expected) in table {
            let answer = Run::new(Some(100)).fail_on(mildest, found).answer();
            assert_eq!(answer, expected, "{mildest} {found:?}");
        }
    }

    #[test]
    fn every_threshold_that_fails_is_named() {
        let verdict = Run::new(Some(40))
            .min_score(75.0)
            .fail_on(Severity::Warning, &[Severity::Error, Severity::Warning])
            .judge();
        insta::assert_snapshot!(verdict.reasons.join("\n"), @r#"
        The contract score 40 is below 75.
        There are findings of severity warning or worse: 1 error, 1 warning.
        "#);
        assert_eq!(verdict.kind, VerdictKind::BelowMinScore);
    }

    #[test]
    fn a_signal_decides_alone_and_a_deadline_does_not() {
        let mut run = Run::new(Some(90)).min_score(75.0);
        run.cut_short = Some(CutShort::Cancelled(2));
        assert_eq!(run.answer(), (false, VerdictKind::Cancelled, 130));
        run.cut_short = Some(CutShort::Cancelled(15));
        assert_eq!(run.answer().2, 143);
        run.cut_short = Some(CutShort::Cancelled(i32::MAX));
        assert_eq!(run.answer().2, u8::MAX);
        run.cut_short = Some(CutShort::Deadline);
        assert_eq!(run.answer(), PASS);
        insta::assert_snapshot!(run.judge().reasons.join("\n"), @r#"
        Every threshold holds: the score 90 reaches 75.
        The run was cut short by the run's time limit; this judges what was seen until then.
        "#);
    }
}
