//! Does the server refuse bad input cleanly?

use std::collections::BTreeMap;

use crate::fuzz::denial::Denials;
use crate::model::evidence::Evidence;
use crate::model::fuzz::{CaseClass, FuzzRow, FuzzRun, Outcome, is_same_refusal};
use crate::model::report::Dimension;
use crate::wording::count;

use super::liveness::way_of;
use super::points::Points;
use super::{Measure, NO_CALLS, Weight, rows, tools_of};

/// What refusals are held against: what became of each tool's valid calls, and how a
/// tool is refused that is not there.
pub(super) struct Baselines<'a> {
    valid: BTreeMap<usize, Baseline<'a>>,
    denials: Denials<'a>,
}

#[derive(Default)]
struct Baseline<'a> {
    worked: bool,
    /// Those of its valid calls, each once.
    refusals: Vec<Refusal<'a>>,
}

/// What a refusal says: its words, and its code where it has no words.
type Refusal<'a> = (&'a str, Option<i64>);

impl<'a> Baselines<'a> {
    pub(super) fn of(run: Option<&'a FuzzRun>) -> Self {
        let rows = run.map_or(&[][..], |run| &run.rows);
        let mut all: BTreeMap<usize, Baseline<'a>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.case.class.is_valid()) {
            let baseline = all.entry(row.tool_index).or_default();
            if row.outcome == Outcome::Ok {
                baseline.worked = true;
            }
            if row.outcome.is_refusal() {
                let said = refusal(row);
                if !baseline.refusals.contains(&said) {
                    baseline.refusals.push(said);
                }
            }
        }
        Self {
            valid: all,
            denials: Denials::of(run),
        }
    }

    /// Whether the tool refuses its valid call in the same words, so that this
    /// refusal says nothing about the bad input.
    fn explain(&self, row: &FuzzRow) -> bool {
        row.outcome.is_refusal()
            && self.valid.get(&row.tool_index).is_some_and(|baseline| {
                let (words, code) = refusal(row);
                let is_same =
                    |(said, of): &Refusal<'_>| *of == code && is_same_refusal(said, words);
                !baseline.worked && baseline.refusals.iter().any(is_same)
            })
    }
}

fn refusal(row: &FuzzRow) -> Refusal<'_> {
    let words = row.error_text.as_deref().unwrap_or_default().trim();
    let code = if words.is_empty() {
        row.error_code
    } else {
        None
    };
    (words, code)
}

pub(super) fn weigh_contract(row: &FuzzRow, baselines: &Baselines<'_>) -> Weight {
    if row.case.class != CaseClass::Malformed {
        return Weight::Elsewhere;
    }
    match row.outcome {
        Outcome::InputRequired => Weight::LeftOut,
        Outcome::ToolError | Outcome::RpcError
            if baselines.explain(row) || baselines.denials.denies(row) =>
        {
            Weight::LeftOut
        }
        Outcome::ToolError | Outcome::RpcError => Weight::Earned,
        Outcome::Ok | Outcome::Timeout | Outcome::ProtocolCrash => Weight::Lost,
    }
}

pub(super) fn weigh_classic(row: &FuzzRow) -> Weight {
    match (row.case.class, row.outcome) {
        _ if !is_of_a_classic_kind(&row.case.label) => Weight::Elsewhere,
        (CaseClass::Malformed | CaseClass::ExtraKey, Outcome::ToolError) => Weight::Earned,
        (CaseClass::Malformed | CaseClass::ExtraKey, _) => Weight::Lost,
        _ => Weight::Elsewhere,
    }
}

/// Whether the formula's author sends such a call too: a required property left
/// out, a value of another type or outside its choice, each at the top, and one
/// extra key. Our further kinds would move the figure away from its meaning.
fn is_of_a_classic_kind(label: &str) -> bool {
    match label.split_once(':') {
        Some(("missing_required" | "wrong_type" | "out_of_enum", property)) => {
            !property.contains(['.', '['])
        }
        _ => label == "extra_garbage",
    }
}

/// `10 × clean refusals ÷ calls that break the schema`.
pub(super) fn measure_contract(evidence: &Evidence) -> Measure {
    let rows = rows(evidence);
    let baselines = Baselines::of(evidence.fuzz.as_ref());
    let pick = |wanted: Weight| -> Vec<&FuzzRow> {
        rows.iter()
            .filter(|row| weigh_contract(row, &baselines) == wanted)
            .collect()
    };
    let (earned, lost, left_out) = (
        pick(Weight::Earned),
        pick(Weight::Lost),
        pick(Weight::LeftOut),
    );
    let mut reasons = Vec::new();
    let all = earned.len() + lost.len();
    let points = if all == 0 {
        reasons.push(if rows.is_empty() {
            NO_CALLS.to_owned()
        } else {
            "Not measured: no call that breaks a declared schema could be judged.".to_owned()
        });
        None
    } else {
        let points = Points::share(earned.len(), all);
        reasons.push(format!(
            "{} of {} that break the declared schema were refused cleanly: 10 × {} ÷ {all} = {points}.",
            earned.len(),
            count(all, "call"),
            earned.len(),
        ));
        Some(points)
    };
    reasons.extend(losses(&lost));
    let (asked, same): (Vec<&FuzzRow>, Vec<&FuzzRow>) = left_out
        .into_iter()
        .partition(|row| row.outcome == Outcome::InputRequired);
    let (denied, same): (Vec<&FuzzRow>, Vec<&FuzzRow>) = same
        .into_iter()
        .partition(|row| baselines.denials.denies(row));
    if !denied.is_empty() {
        reasons.push(denied_sentence(&denied));
    }
    if !same.is_empty() {
        reasons.push(format!(
            "{} left out: {} refused the valid call in the same words, so nothing shows that the bad input was noticed.",
            count(same.len(), "refusal"),
            tools_of(&same)
        ));
    }
    if !asked.is_empty() {
        reasons.push(format!(
            "{} left out, which {}: {}.",
            count(asked.len(), "call"),
            way_of(&asked),
            tools_of(&asked)
        ));
    }
    Measure {
        dimension: Dimension::ErrorHandling,
        points,
        reasons,
    }
}

/// Why refusals are left out that say that the tool is not there.
pub(super) fn denied_sentence(denied: &[&FuzzRow]) -> String {
    format!(
        "{} left out: {} answered as if there were no such tool, though it is listed.",
        count(denied.len(), "refusal"),
        tools_of(denied)
    )
}

/// `10 × toolError ÷ malformed calls` of the classic kinds, the extra key
/// included; a JSON-RPC error is no clean refusal here.
pub(super) fn measure_classic(evidence: &Evidence) -> Measure {
    let rows = rows(evidence);
    if rows.is_empty() {
        return Measure::unmeasured(Dimension::ErrorHandling, NO_CALLS);
    }
    let earned = rows
        .iter()
        .filter(|row| weigh_classic(row) == Weight::Earned)
        .count();
    let lost: Vec<&FuzzRow> = rows
        .iter()
        .filter(|row| weigh_classic(row) == Weight::Lost)
        .collect();
    let all = earned + lost.len();
    let points = Points::share(earned, all);
    let mut reasons = vec![if all == 0 {
        "There was no malformed call: 10.".to_owned()
    } else {
        format!(
            "{earned} of {} were refused by a result with `isError`: 10 × {earned} ÷ {all} = {points}.",
            count(all, "malformed call")
        )
    }];
    reasons.extend(losses(&lost));
    Measure {
        dimension: Dimension::ErrorHandling,
        points: Some(points),
        reasons,
    }
}

/// How the calls that earned nothing were taken, a sentence an outcome.
fn losses(lost: &[&FuzzRow]) -> Vec<String> {
    const WAYS: [(Outcome, &str); 5] = [
        (Outcome::Ok, "accepted as if nothing were wrong"),
        (Outcome::RpcError, "answered with a JSON-RPC error"),
        (Outcome::InputRequired, "answered by asking for more input"),
        (Outcome::Timeout, "left without an answer"),
        (Outcome::ProtocolCrash, "answered by a crash"),
    ];
    WAYS.iter()
        .filter_map(|&(outcome, way)| {
            let taken: Vec<&FuzzRow> = lost
                .iter()
                .copied()
                .filter(|row| row.outcome == outcome)
                .collect();
            if taken.is_empty() {
                return None;
            }
            Some(format!("{} {way}: {}.", taken.len(), tools_of(&taken)))
        })
        .collect()
}
