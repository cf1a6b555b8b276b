//! The `contract` model: judges a server by what it itself declares.

use crate::model::evidence::Evidence;
use crate::model::finding::Finding;
use crate::model::fuzz::{FuzzRow, Outcome};
use crate::model::report::{Cap, Dimension, Grade, ModelScore, ScoreModel};

use super::tools_of;
use super::{Measure, Reach, error_handling, liveness, metadata, roll_up, rows, schema_quality};

/// The version of this formula. A changed formula is a new version.
const VERSION: u32 = 1;

/// The highest overall of a server that bad input can bring down.
const CRASH_LIMIT: u32 = 74;

pub(super) fn score(evidence: &Evidence, raw: &[Finding]) -> ModelScore {
    let (silent, measures) = match Reach::of(evidence) {
        Reach::NotListed => (
            Some("the tools could not be listed"),
            unmeasured(evidence, "Not measured: the tools could not be listed."),
        ),
        Reach::Empty => (
            Some("no tools are listed"),
            unmeasured(evidence, "Not measured: no tools are listed."),
        ),
        Reach::Listed(tools) => (
            None,
            vec![
                metadata::measure(evidence),
                schema_quality::measure_contract(tools, raw),
                error_handling::measure_contract(evidence),
                liveness::measure_contract(evidence),
            ],
        ),
    };
    capped(
        roll_up(ScoreModel::Contract, VERSION, measures, silent),
        rows(evidence),
    )
}

fn unmeasured(evidence: &Evidence, reason: &str) -> Vec<Measure> {
    vec![
        metadata::measure(evidence),
        Measure::unmeasured(Dimension::SchemaQuality, reason),
        Measure::unmeasured(Dimension::ErrorHandling, reason),
        Measure::unmeasured(Dimension::Liveness, reason),
    ]
}

/// Limits the overall of a server that crashed.
fn capped(mut score: ModelScore, rows: &[FuzzRow]) -> ModelScore {
    let crashes: Vec<&FuzzRow> = rows
        .iter()
        .filter(|row| row.outcome == Outcome::ProtocolCrash && row.confirmed != Some(false))
        .collect();
    let Some(uncapped) = score.overall.filter(|&overall| overall > CRASH_LIMIT) else {
        return score;
    };
    if crashes.is_empty() {
        return score;
    }
    score.overall = Some(CRASH_LIMIT);
    score.grade = Some(Grade::of(CRASH_LIMIT));
    score.arithmetic = format!(
        "{}, capped at {CRASH_LIMIT} because of a crash",
        score.arithmetic
    );
    score.cap = Some(Cap {
        limit: CRASH_LIMIT,
        uncapped,
        because: format!(
            "The server crashed on a call of {}; a server that a call can bring down gets {CRASH_LIMIT} at most.",
            tools_of(&crashes)
        ),
    });
    score
}
