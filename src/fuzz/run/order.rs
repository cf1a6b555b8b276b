//! Whether answers depend on what was called before: valid calls made again after
//! all others, and in the opposite order.

use std::time::Duration;

use super::row::params;
use super::session::{ORDERED_TOOLS, Session};
use crate::client::Reply;
use crate::fuzz::plan::PlannedTool;
use crate::model::answer::{Repeat, Taken};
use crate::model::evidence::CutShort;
use crate::model::fuzz::{Case, FuzzRow, Outcome};

/// Tools that are called in the opposite order.
const REVERSED_TOOLS: usize = 20;

/// Calls that took longer are not made again for it.
const QUICK: Duration = Duration::from_secs(1);

/// Tools that are called alone because the opposite order gave another answer, and
/// how often.
const SUSPECTS: usize = 3;
const ALONE: usize = 3;

/// The valid call twice more, and once on a fresh process or session where it is
/// taken otherwise than at first.
pub(super) async fn later(
    session: &mut Session<'_>,
    repeat: &mut Repeat,
    rows: &[FuzzRow],
) -> Result<(), CutShort> {
    let planned = call_of(session, repeat, ORDERED_TOOLS);
    let Some((tool, case)) = planned else {
        return Ok(());
    };
    let first = first_of(repeat, rows).and_then(|row| row.answer.as_ref());
    let first = first.map(|answer| answer.shape.clone());
    if repeat.again.outcome != Outcome::Ok || first.as_ref() != Some(&repeat.again.shape) {
        return Ok(());
    }
    let params = params(&tool.name, &case.arguments);
    for _ in 0..2 {
        let Some(taken) = take(session, &params, case).await? else {
            repeat.later.clear();
            return Ok(());
        };
        let is_same = taken.outcome == Outcome::Ok && Some(&taken.shape) == first.as_ref();
        repeat.later.push(taken);
        if is_same {
            return Ok(());
        }
    }
    session.restart().await?;
    repeat.fresh = take(session, &params, case).await?;
    Ok(())
}

/// A call; `None` where it was not answered, which is no matter of order.
async fn take(
    session: &mut Session<'_>,
    params: &str,
    case: &Case,
) -> Result<Option<Taken>, CutShort> {
    if !session.connection.is_open() {
        return Ok(None);
    }
    let exchanged = session.send_now(params).await?;
    if matches!(exchanged.reply, Reply::Timeout | Reply::Closed) {
        session.restart().await?;
        return Ok(None);
    }
    Ok(Some(session.reader().taken(case, &exchanged)))
}

/// The valid calls once more on a fresh process or session, the last tool first. What
/// is answered otherwise than at first is made alone on another one.
pub(super) async fn reversed(
    session: &mut Session<'_>,
    repeats: &mut [Repeat],
    rows: &[FuzzRow],
) -> Result<(), CutShort> {
    let steady: Vec<(usize, String)> = repeats
        .iter()
        .enumerate()
        .filter_map(|(at, repeat)| Some((at, steady_shape(repeat, rows)?)))
        .take(REVERSED_TOOLS)
        .collect();
    if steady.len() < 2 {
        return Ok(());
    }
    session.restart().await?;
    let mut suspects = Vec::new();
    for (at, first) in steady.iter().rev() {
        let Some((params, case)) = made(session, &repeats[*at]) else {
            continue;
        };
        let Some(taken) = take(session, &params, &case).await? else {
            return Ok(());
        };
        if taken.outcome != Outcome::Ok || taken.shape != *first {
            suspects.push((*at, params, case, taken));
        }
    }
    for (at, params, case, taken) in suspects.into_iter().take(SUSPECTS) {
        session.restart().await?;
        let mut all = vec![taken];
        for _ in 0..ALONE {
            let Some(taken) = take(session, &params, &case).await? else {
                return Ok(());
            };
            all.push(taken);
        }
        repeats[at].reversed = all;
    }
    Ok(())
}

/// The shape of the answer of a quick call that was the same when it was repeated at
/// once, and later where that was looked at.
fn steady_shape(repeat: &Repeat, rows: &[FuzzRow]) -> Option<String> {
    let row = first_of(repeat, rows)?;
    let shape = &row.answer.as_ref()?.shape;
    let is_same = |taken: &Taken| taken.outcome == Outcome::Ok && taken.shape == *shape;
    let is_steady = is_same(&repeat.again) && repeat.later.iter().all(is_same);
    let is_quick = Duration::from_micros(row.latency_us) <= QUICK;
    (is_steady && is_quick).then(|| shape.clone())
}

/// The row of the call that was made again.
fn first_of<'r>(repeat: &Repeat, rows: &'r [FuzzRow]) -> Option<&'r FuzzRow> {
    rows.iter()
        .find(|row| row.tool_index == repeat.tool_index && row.case.label == repeat.case)
}

/// The call as it was planned, where its tool is among the first of the plan.
fn call_of<'a>(
    session: &Session<'a>,
    repeat: &Repeat,
    among: usize,
) -> Option<(&'a PlannedTool, &'a Case)> {
    let planned = session.work.calls.iter().take(among);
    planned
        .filter(|tool| tool.tool_index == repeat.tool_index)
        .find_map(|tool| {
            let case = tool.cases.iter().find(|case| case.label == repeat.case)?;
            Some((tool, case))
        })
}

/// The same as it is sent.
fn made(session: &Session<'_>, repeat: &Repeat) -> Option<(String, Case)> {
    let (tool, case) = call_of(session, repeat, usize::MAX)?;
    Some((params(&tool.name, &case.arguments), case.clone()))
}
