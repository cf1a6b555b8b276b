//! What is looked at after the calls of the plan: whether the list of tools is
//! still the same, whether answers depend on what was called before, and how a
//! call to no tool is taken.

use serde_json::value::RawValue;

use super::row::{classified, params};
use super::session::{ORDERED_TOOLS, Session};
use super::{Seen, Work};
use crate::client::{Connection, Reply};
use crate::model::answer::{FollowUp, Repeat, Taken, UnknownTool};
use crate::model::evidence::CutShort;
use crate::model::fuzz::{Case, Outcome};

/// A name that no tool has.
const NO_TOOL: &str = "mcprobe_no_such_tool";

impl Work<'_> {
    /// Looks at all of it. Only a wish to stop cuts the run short here: the plan
    /// is done.
    pub(super) async fn follow_up(
        &self,
        connection: &mut Connection,
        seen: &mut Seen,
        follow_up: &mut FollowUp,
    ) -> Option<CutShort> {
        let mut session = Session::new(self, connection);
        let looked = look(&mut session, seen, follow_up).await;
        looked
            .err()
            .filter(|cut| matches!(cut, CutShort::Cancelled(_)))
    }
}

async fn look(
    session: &mut Session<'_>,
    seen: &mut Seen,
    follow_up: &mut FollowUp,
) -> Result<(), CutShort> {
    let work = session.work;
    session
        .connection
        .count_ids_after(work.id_before(work.calls.len()));
    if !seen.rows.is_empty() {
        let relisting = session.relist(None).await?;
        // What a call is known to have changed is not told twice.
        let known = |tools: &_| seen.relistings.iter().any(|known| &known.tools == tools);
        if let Some(relisting) = relisting.filter(|relisting| !known(&relisting.tools)) {
            seen.relistings.push(relisting);
        }
    }
    if work.looks_at_order() && work.calls.len() > 1 {
        for repeat in &mut seen.repeats {
            later(session, repeat, &seen.rows).await?;
        }
    }
    if !work.settings.listed.names().is_empty() {
        follow_up.unknown_tool = unknown_tool(session).await?;
    }
    Ok(())
}

/// The valid call twice more, and once on a fresh process or session where it is
/// taken otherwise than at first.
async fn later(
    session: &mut Session<'_>,
    repeat: &mut Repeat,
    rows: &[crate::model::fuzz::FuzzRow],
) -> Result<(), CutShort> {
    let work = session.work;
    let planned = work.calls.iter().take(ORDERED_TOOLS);
    let Some((tool, case)) = planned
        .filter(|tool| tool.tool_index == repeat.tool_index)
        .find_map(|tool| {
            let case = tool.cases.iter().find(|case| case.label == repeat.case)?;
            Some((tool, case))
        })
    else {
        return Ok(());
    };
    let first = rows
        .iter()
        .find(|row| row.tool_index == repeat.tool_index && row.case.label == repeat.case)
        .and_then(|row| row.answer.as_ref())
        .map(|answer| answer.shape.clone());
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

/// A call to a tool that does not exist.
async fn unknown_tool(session: &mut Session<'_>) -> Result<Option<UnknownTool>, CutShort> {
    if !session.connection.is_open() {
        return Ok(None);
    }
    let mut name = NO_TOOL.to_owned();
    while session.work.settings.listed.names().contains(&name) {
        name.push('_');
    }
    let case = Case {
        label: "unknown_tool".to_owned(),
        class: UnknownTool::CLASS,
        arguments: RawValue::from_string("{}".to_owned()).unwrap_or_default(),
    };
    let exchanged = session.send_now(&params(&name, &case.arguments)).await?;
    let classified = classified(&exchanged.reply, &case, None);
    let redactor = &session.work.settings.redactor;
    Ok(Some(UnknownTool {
        name,
        outcome: classified.outcome,
        error_code: classified.error_code,
        error_text: classified
            .error_text
            .map(|text| redactor.clean(&text).into_owned()),
        exchange: exchanged.exchange,
    }))
}
