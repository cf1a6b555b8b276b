//! Do good calls work, and soon?

use super::error_handling::denied_sentence;
use crate::fuzz::denial::Denials;
use crate::model::evidence::Evidence;
use crate::model::fuzz::{CaseClass, FuzzRow, Outcome};
use crate::model::report::Dimension;
use crate::wording::count;

use super::points::{Points, decimal};
use super::{Measure, NO_CALLS, Weight, rows, tools_of};

/// The median that costs nothing, in milliseconds.
const TARGET_MS: u64 = 200;

/// What each 100 ms over the target cost, in hundredths.
const PER_STEP: u64 = 50;

pub(super) fn weigh_contract(row: &FuzzRow) -> Weight {
    if !row.case.class.is_valid() {
        return Weight::Elsewhere;
    }
    if row.outcome == Outcome::InputRequired || is_inconclusive(row) {
        return Weight::LeftOut;
    }
    earned_or_lost(row)
}

pub(super) fn weigh_classic(row: &FuzzRow) -> Weight {
    if !row.case.class.is_valid() {
        return Weight::Elsewhere;
    }
    earned_or_lost(row)
}

/// A clear refusal of generated arguments: they fit the schema, but whether
/// they name anything real is not known.
pub(super) fn is_inconclusive(row: &FuzzRow) -> bool {
    row.case.class == CaseClass::Generated
        && row.outcome.is_refusal()
        && row
            .error_text
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty())
}

fn earned_or_lost(row: &FuzzRow) -> Weight {
    let real =
        row.outcome == Outcome::Ok && !row.empty_success && row.output_schema_violation.is_none();
    if real { Weight::Earned } else { Weight::Lost }
}

/// `10 × real results ÷ valid calls` without the inconclusive ones, less the
/// deduction for latency.
pub(super) fn measure_contract(evidence: &Evidence) -> Measure {
    let rows = rows(evidence);
    let mut measure = measure(evidence, weigh_contract);
    let denials = Denials::of(evidence.fuzz.as_ref());
    let (denied, inconclusive): (Vec<&FuzzRow>, Vec<&FuzzRow>) = rows
        .iter()
        .filter(|row| is_inconclusive(row))
        .partition(|row| denials.denies(row));
    if !denied.is_empty() {
        measure.reasons.push(denied_sentence(&denied));
    }
    if !inconclusive.is_empty() {
        measure.reasons.push(format!(
            "{} left out as inconclusive: {} refused arguments that fit the schema. Example arguments in `mcprobe.toml` would settle it.",
            count(inconclusive.len(), "generated call"),
            tools_of(&inconclusive)
        ));
    }
    let asked: Vec<&FuzzRow> = rows
        .iter()
        .filter(|row| row.case.class.is_valid() && row.outcome == Outcome::InputRequired)
        .collect();
    if !asked.is_empty() {
        measure.reasons.push(format!(
            "{} left out, which {}: {}.",
            count(asked.len(), "call"),
            way_of(&asked),
            tools_of(&asked)
        ));
    }
    measure
}

/// What came of inconclusive calls, to stand after "which".
pub(super) fn way_of(rows: &[&FuzzRow]) -> &'static str {
    // Only what HTTP turned away has a text.
    let turned_away = rows.iter().filter(|row| row.error_text.is_some()).count();
    if turned_away == 0 {
        "asked for more input"
    } else if turned_away == rows.len() {
        "HTTP turned away"
    } else {
        "asked for more input or HTTP turned away"
    }
}

/// `10 × real results ÷ valid calls`, less the deduction for latency; ten where
/// there was no valid call among the calls made.
pub(super) fn measure_classic(evidence: &Evidence) -> Measure {
    let mut measure = measure(evidence, weigh_classic);
    if measure.points.is_none() && !rows(evidence).is_empty() {
        measure.points = Some(Points::FULL);
        measure.reasons = vec!["There was no valid call: 10.".to_owned()];
    }
    measure
}

fn measure(evidence: &Evidence, weigh: fn(&FuzzRow) -> Weight) -> Measure {
    let rows = rows(evidence);
    let earned: Vec<&FuzzRow> = rows.iter().filter(|r| weigh(r) == Weight::Earned).collect();
    let lost: Vec<&FuzzRow> = rows.iter().filter(|r| weigh(r) == Weight::Lost).collect();
    let all = earned.len() + lost.len();
    if all == 0 {
        let reason = if rows.is_empty() {
            NO_CALLS
        } else {
            "Not measured: no valid call could be judged."
        };
        return Measure::unmeasured(Dimension::Liveness, reason);
    }
    let share = Points::share(earned.len(), all);
    let mut reasons = vec![format!(
        "{} of {} gave a real result: 10 × {} ÷ {all} = {share}.",
        earned.len(),
        count(all, "valid call"),
        earned.len(),
    )];
    reasons.extend(losses(&lost));
    let (deduction, reason) = latency(&earned);
    reasons.extend(reason);
    Measure {
        dimension: Dimension::Liveness,
        points: Some(share.less(deduction)),
        reasons,
    }
}

/// The deduction in hundredths, and its arithmetic. Where nothing is deducted
/// nothing is said, so that two runs of one server read the same.
fn latency(earned: &[&FuzzRow]) -> (u32, Option<String>) {
    let mut whole_ms: Vec<u64> = earned.iter().map(|row| row.latency_us / 1000).collect();
    whole_ms.sort_unstable();
    let Some(last) = whole_ms.len().checked_sub(1) else {
        return (0, None);
    };
    // Twice the median is whole, also between two calls.
    let twice = whole_ms[last / 2] + whole_ms[last.div_ceil(2)];
    let Some(twice_over) = twice.checked_sub(2 * TARGET_MS).filter(|&over| over > 0) else {
        return (0, None);
    };
    let steps = (twice_over + 100) / 200;
    if steps == 0 {
        return (0, None);
    }
    let deduction = steps.saturating_mul(PER_STEP);
    let reason = format!(
        "The median result took {} ms, over the target of {TARGET_MS} ms: −{} (0.5 for each 100 ms).",
        decimal(twice * 50),
        decimal(deduction)
    );
    (u32::try_from(deduction).unwrap_or(u32::MAX), Some(reason))
}

/// Why the calls that earned nothing did not, a sentence a reason.
fn losses(lost: &[&FuzzRow]) -> Vec<String> {
    let sentence = |way: &str, of: fn(&FuzzRow) -> bool| {
        let taken: Vec<&FuzzRow> = lost.iter().copied().filter(|row| of(row)).collect();
        (!taken.is_empty()).then(|| format!("{} {way}: {}.", taken.len(), tools_of(&taken)))
    };
    [
        sentence("broke the declared output schema", |row| {
            row.outcome == Outcome::Ok && row.output_schema_violation.is_some()
        }),
        sentence("succeeded with nothing in the result", |row| {
            row.outcome == Outcome::Ok && row.empty_success && row.output_schema_violation.is_none()
        }),
        sentence("refused", |row| row.outcome.is_refusal()),
        sentence("answered by asking for more input", |row| {
            row.outcome == Outcome::InputRequired
        }),
        sentence("left without an answer", |row| {
            row.outcome == Outcome::Timeout
        }),
        sentence("answered by a crash", |row| {
            row.outcome == Outcome::ProtocolCrash
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
