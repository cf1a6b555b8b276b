//! How much of a score rests on calls.

use std::collections::BTreeSet;

use super::turned_away;
use crate::model::evidence::Evidence;
use crate::model::fuzz::{Decision, FuzzRun};
use crate::model::report::{
    Completeness, CompletenessLevel, Dimension, ModelScore, ScoreModel, Scores,
};
use crate::model::target::TransportKind;
use crate::score;
use crate::wording::{count, names};

pub(super) fn of(
    evidence: &Evidence,
    scores: &Scores,
    model: ScoreModel,
    fuzz_asked: bool,
) -> Completeness {
    let tools = evidence.inventory.tools.entries.len();
    if !measures_behaviour(scores.of(model)) {
        return Completeness {
            level: CompletenessLevel::StaticOnly,
            reasons: why_static(evidence, fuzz_asked),
        };
    }
    let judged = score::judged_tools(evidence, model).len();
    let mut reasons = Vec::new();
    let level = if judged * 2 < tools {
        reasons.push(format!(
            "Only {judged} of {} were judged by calls.",
            count(tools, "tool")
        ));
        CompletenessLevel::Partial
    } else {
        if judged < tools {
            reasons.push(format!(
                "{judged} of {} were judged by calls.",
                count(tools, "tool")
            ));
        }
        CompletenessLevel::Full
    };
    if let Some(run) = &evidence.fuzz {
        reasons.extend(turned_away::sentences(&run.rows));
    }
    Completeness { level, reasons }
}

fn measures_behaviour(score: &ModelScore) -> bool {
    score.dimensions.iter().any(|dimension| {
        matches!(
            dimension.dimension,
            Dimension::ErrorHandling | Dimension::Liveness
        ) && dimension.score.is_some()
    })
}

fn why_static(evidence: &Evidence, fuzz_asked: bool) -> Vec<String> {
    let Some(run) = &evidence.fuzz else {
        let reason = if evidence.target.transport == TransportKind::Capture {
            "A captured list holds no calls; `mcprobe audit --fuzz` makes them."
        } else if fuzz_asked {
            "Calls were asked for, but the run did not come to them."
        } else {
            "No calls were asked for; `--fuzz` makes them."
        };
        return vec![reason.to_owned()];
    };
    if run.rows.is_empty() {
        return vec![if run.abandoned.is_empty() {
            why_none_was_called(run)
        } else {
            "The run ended before its first call was answered; more time would settle it."
                .to_owned()
        }];
    }
    let away = turned_away::sentences(&run.rows);
    if !away.is_empty() {
        return away;
    }
    let refusing: Vec<&str> = score::needing_example(run)
        .map(|row| row.tool.as_str())
        .collect();
    if refusing.is_empty() {
        return vec!["None of the calls made could be judged.".to_owned()];
    }
    vec![format!(
        "Every call was refused; example arguments in `mcprobe.toml` for {} would settle it.",
        names(refusing, 3)
    )]
}

fn why_none_was_called(run: &FuzzRun) -> String {
    let ways: BTreeSet<&str> = run
        .turns
        .iter()
        .filter_map(|turn| match &turn.decision {
            Decision::Skip { include_with, .. } => {
                include_with.split([',', '\n']).next().map(str::trim)
            }
            Decision::Call { .. } => None,
        })
        .filter(|way| way.starts_with("--"))
        .collect();
    if run.turns.is_empty() {
        return "There was no tool to call.".to_owned();
    }
    if ways.is_empty() {
        return "No tool was called; `mcprobe.toml` can allow tools by name.".to_owned();
    }
    format!(
        "No tool was called at level {}; {} would include some.",
        run.level,
        names(ways, 3)
    )
}
