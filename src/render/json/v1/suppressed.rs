//! Suppressions in version 1: the shape, and how it is filled.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::report::{Grade, ModelScore};
use crate::model::suppression::{
    Suppressed, Suppression, SuppressionSection, SuppressionState, SuppressionWord,
};

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Suppressions<'a> {
    /// Findings that are held back, each counted once: not in `findings`, not gated,
    /// and without cost to the scores.
    findings: usize,
    /// Both scores as they would be without any.
    scores_without: ScoresWithout,
    /// Every one of them, in the order of the file.
    entries: Vec<SuppressionEntry<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ScoresWithout {
    contract: ScoreWithout,
    classic: ScoreWithout,
}

#[derive(Serialize, JsonSchema)]
struct ScoreWithout {
    /// 0–100; null when there is nothing to score.
    #[schemars(range(min = 0, max = 100))]
    overall: Option<u32>,
    grade: Option<Grade>,
}

impl ScoreWithout {
    fn of(score: &ModelScore) -> Self {
        Self {
            overall: score.overall,
            grade: score.grade,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct SuppressionEntry<'a> {
    /// The rule.
    code: &'a str,
    /// Absent means every place.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    /// Everything at and below it; absent means every place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    /// Why, in the user's words.
    reason: &'a str,
    /// The last day on which it holds (UTC); absent means for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
    state: SuppressionWord,
    /// Findings that it holds back; two may hold back the same one.
    findings: usize,
    /// Why it was not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
}

impl<'a> Suppressions<'a> {
    pub(super) fn of(section: &'a SuppressionSection) -> Self {
        Self {
            findings: section.findings,
            scores_without: ScoresWithout {
                contract: ScoreWithout::of(&section.without.contract),
                classic: ScoreWithout::of(&section.without.classic),
            },
            entries: section.entries.iter().map(SuppressionEntry::of).collect(),
        }
    }
}

impl<'a> SuppressionEntry<'a> {
    fn of(entry: &'a Suppressed) -> Self {
        let Suppression {
            code,
            tool,
            pointer,
            reason,
            expires,
        } = &entry.suppression;
        let (findings, because) = match &entry.state {
            SuppressionState::InUse { findings } => (*findings, None),
            SuppressionState::Stale | SuppressionState::Expired => (0, None),
            SuppressionState::NotTested { because } => (0, Some(because.as_str())),
        };
        Self {
            code,
            tool: tool.as_deref(),
            pointer: pointer.as_deref(),
            reason,
            expires: expires.map(|day| day.to_string()),
            state: entry.state.word(),
            findings,
            because,
        }
    }
}
