//! Which tools were called, which not and why.

use std::collections::BTreeSet;

use crate::model::evidence::Evidence;
use crate::model::fuzz::{Decision, ToolTurn};
use crate::model::report::{Coverage, SkipKind, Skipped};
use crate::model::tool::Tool;

pub(super) fn of(evidence: &Evidence) -> Coverage {
    let total_tools = evidence.inventory.tools.entries.len();
    let Some(run) = &evidence.fuzz else {
        return Coverage {
            total_tools,
            ..Coverage::default()
        };
    };
    // A call that the run's end cut off was made, though it has no row.
    let begun = run.rows.iter().map(|row| row.tool_index);
    let cut_off = run.abandoned.iter().map(|left| left.tool_index);
    let with_rows: BTreeSet<usize> = begun.chain(cut_off).collect();
    let mut coverage = Coverage {
        total_tools,
        ..Coverage::default()
    };
    for turn in &run.turns {
        match &turn.decision {
            Decision::Call { .. } if with_rows.contains(&turn.tool_index) => {
                coverage.called.push(turn.tool.clone());
            }
            Decision::Call { .. } => coverage.skipped.push(Skipped {
                tool: turn.tool.clone(),
                kind: SkipKind::Other,
                because: "the run ended before its turn".to_owned(),
                include_with: "a run with more time".to_owned(),
            }),
            Decision::Skip {
                because,
                include_with,
            } => coverage.skipped.push(Skipped {
                tool: turn.tool.clone(),
                kind: kind(evidence, turn, include_with),
                because: because.clone(),
                include_with: include_with.clone(),
            }),
        }
    }
    coverage
}

/// The sort of reason. The plan gives sentences; what they are about is read
/// from the tool itself and from what would include it.
fn kind(evidence: &Evidence, turn: &ToolTurn, include_with: &str) -> SkipKind {
    // Only the first line: names of the server may follow.
    let way = include_with.lines().next().unwrap_or_default();
    if way.ends_with("--max-tools") {
        return SkipKind::OverCap;
    }
    let destroys = evidence
        .inventory
        .tools
        .entries
        .get(turn.tool_index)
        .is_some_and(|raw| Tool::read(turn.tool_index, raw.get()).hints.destructive == Some(true));
    if destroys {
        SkipKind::Destructive
    } else {
        SkipKind::Other
    }
}
