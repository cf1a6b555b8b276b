//! The `classic` model: the formula that people coming from `MCProbe` know, on
//! our cases.

use crate::model::evidence::Evidence;
use crate::model::finding::Finding;
use crate::model::report::{Dimension, ModelScore, ScoreModel};

use super::{Measure, Reach, error_handling, liveness, metadata, roll_up, schema_quality};

/// The version of this formula. A changed formula is a new version.
const VERSION: u32 = 1;

pub(super) fn score(evidence: &Evidence, raw: &[Finding]) -> ModelScore {
    let (silent, schema) = match Reach::of(evidence) {
        Reach::NotListed => (
            Some("the tools could not be listed"),
            Measure::unmeasured(
                Dimension::SchemaQuality,
                "Not measured: the tools could not be listed.",
            ),
        ),
        // The formula knows no minimum: an empty list has little to deduct.
        Reach::Empty | Reach::Listed(_) => (None, schema_quality::measure_classic(raw)),
    };
    let measures = vec![
        metadata::measure(evidence),
        schema,
        error_handling::measure_classic(evidence),
        liveness::measure_classic(evidence),
    ];
    roll_up(ScoreModel::Classic, VERSION, measures, silent)
}
