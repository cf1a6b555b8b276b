//! What is looked at after the calls of the plan: whether the list of tools is
//! still the same, whether answers depend on what was called before, and how a
//! call to no tool is taken.

use serde_json::value::RawValue;

use super::row::{classified, params};
use super::session::Session;
use super::{Seen, Work, order};
use crate::client::Connection;
use crate::model::answer::{FollowUp, UnknownTool};
use crate::model::evidence::CutShort;
use crate::model::fuzz::Case;

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
    let is_ordered = work.looks_at_order() && work.calls.len() > 1;
    if is_ordered {
        for repeat in &mut seen.repeats {
            order::later(session, repeat, &seen.rows).await?;
        }
    }
    if !work.settings.listed.names().is_empty() {
        follow_up.unknown_tool = unknown_tool(session).await?;
    }
    if is_ordered {
        order::reversed(session, &mut seen.repeats, &seen.rows).await?;
    }
    Ok(())
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
