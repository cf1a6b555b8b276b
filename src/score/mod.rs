//! From evidence and raw findings to two numbers: `contract` and `classic`.
//!
//! Both models ask the same four questions (one file each) and differ in what
//! they count. Everything is whole-number arithmetic, and every number comes
//! with the sentences that explain it. The formulas are in `docs/scoring.md`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod classic;
mod contract;
mod error_handling;
mod liveness;
mod metadata;
mod points;
mod schema_quality;

use std::collections::BTreeSet;

use crate::fuzz::denial::Denials;
use crate::model::evidence::{Evidence, ProbeState};
use crate::model::finding::Finding;
use crate::model::fuzz::{FuzzRow, FuzzRun};
use crate::model::inventory::ListEnd;
use crate::model::report::{Dimension, DimensionScore, ModelScore, ScoreModel, Scores};

use error_handling::Baselines;
use points::Points;

/// Scores one run by both models. `raw` holds the findings of all rules as
/// found, before anything is hidden or ranked anew; only family `lint` counts.
pub fn score(evidence: &Evidence, raw: &[Finding]) -> Scores {
    Scores {
        contract: contract::score(evidence, raw),
        classic: classic::score(evidence, raw),
    }
}

/// Positions of the tools that have at least one call which counts in
/// `errorHandling` or `liveness` of this model.
pub fn judged_tools(evidence: &Evidence, model: ScoreModel) -> BTreeSet<usize> {
    let rows = rows(evidence);
    let baselines = Baselines::of(evidence.fuzz.as_ref());
    rows.iter()
        .filter(|row| match model {
            ScoreModel::Contract => {
                error_handling::weigh_contract(row, &baselines).counts()
                    || liveness::weigh_contract(row).counts()
            }
            ScoreModel::Classic => {
                error_handling::weigh_classic(row).counts() || liveness::weigh_classic(row).counts()
            }
        })
        .map(|row| row.tool_index)
        .collect()
}

/// Whether a valid call says nothing about the server: generated arguments
/// that it refuses with a clear error.
pub fn is_inconclusive(row: &FuzzRow) -> bool {
    liveness::is_inconclusive(row)
}

/// The inconclusive calls that example arguments would settle: not those of a tool
/// that the server says not to have.
pub fn needing_example(run: &FuzzRun) -> impl Iterator<Item = &FuzzRow> {
    let denials = Denials::of(Some(run));
    run.rows
        .iter()
        .filter(move |row| is_inconclusive(row) && !denials.denies(row))
}

/// How much of the inventory there is to score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The tools could not be listed.
    NotListed,
    /// The list is there and has no tools, or nothing that could be one.
    Empty,
    /// This many tools are listed; at least one.
    Listed(usize),
}

impl Reach {
    /// What the evidence reaches.
    pub fn of(evidence: &Evidence) -> Self {
        let tools = &evidence.inventory.tools;
        if evidence.probe_state != ProbeState::Ok || matches!(tools.end, ListEnd::Failed { .. }) {
            return Self::NotListed;
        }
        // A list of numbers has no tools, however long it is.
        let has_objects = tools
            .entries
            .iter()
            .any(|entry| entry.get().starts_with('{'));
        match tools.entries.len() {
            number if has_objects => Self::Listed(number),
            _ => Self::Empty,
        }
    }
}

/// What a call is worth to a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Counted, and rightly taken.
    Earned,
    /// Counted, and wrongly taken.
    Lost,
    /// Says nothing, and is left out.
    LeftOut,
    /// Not a call that this dimension asks about.
    Elsewhere,
}

impl Weight {
    const fn counts(self) -> bool {
        matches!(self, Self::Earned | Self::Lost)
    }
}

/// A dimension before it is put into a report.
struct Measure {
    dimension: Dimension,
    points: Option<Points>,
    reasons: Vec<String>,
}

impl Measure {
    fn unmeasured(dimension: Dimension, reason: impl Into<String>) -> Self {
        Self {
            dimension,
            points: None,
            reasons: vec![reason.into()],
        }
    }
}

/// The four dimensions rolled up; `silent` says why there is no number at all.
fn roll_up(
    model: ScoreModel,
    version: u32,
    measures: Vec<Measure>,
    silent: Option<&str>,
) -> ModelScore {
    let points: Vec<Points> = measures.iter().filter_map(|m| m.points).collect();
    let overall = match silent {
        Some(_) => None,
        None => points::overall(&points),
    };
    let arithmetic = match (silent, overall) {
        (Some(reason), _) => format!("No score: {reason}."),
        (None, None) => "No score: nothing was measured.".to_owned(),
        (None, Some(overall)) => {
            let parts: Vec<String> = points.iter().map(Points::to_string).collect();
            format!(
                "round(10 × ({}) ÷ {}) = {overall}",
                parts.join(" + "),
                parts.len()
            )
        }
    };
    ModelScore {
        model,
        version,
        overall,
        grade: overall.map(crate::model::report::Grade::of),
        dimensions: measures.into_iter().map(in_report).collect(),
        arithmetic,
        cap: None,
    }
}

fn in_report(measure: Measure) -> DimensionScore {
    DimensionScore {
        dimension: measure.dimension,
        score: measure.points.map(Points::value),
        reasons: measure.reasons,
    }
}

/// The calls of a run; none where none were asked for.
fn rows(evidence: &Evidence) -> &[FuzzRow] {
    evidence.fuzz.as_ref().map_or(&[], |run| &run.rows)
}

/// The tools of some rows, for a sentence.
fn tools_of(rows: &[&FuzzRow]) -> String {
    crate::wording::names(rows.iter().map(|row| row.tool.as_str()), 4)
}

/// Why no call was judged.
const NO_CALLS: &str = "Not measured: no call was made.";

#[cfg(test)]
mod tests;
