//! What the server lists.

use super::{Gap, Met, connection, not_tested, only_if, traffic};
use crate::model::evidence::{Evidence, ProbeState};
use crate::model::inventory::{ListEnd, Listing};
use crate::model::target::TransportKind;
use crate::wording::cut;

/// A list was read, as far as it went, and has entries.
pub(in crate::rules::requirements) fn entries(
    evidence: &Evidence,
    list: &Listing,
    noun: &str,
) -> Met {
    match &list.end {
        _ if !list.entries.is_empty() => Ok(()),
        ListEnd::Failed { .. } | ListEnd::Bounded { .. } => {
            Err(not_tested(format!("the {noun} could not be listed")))
        }
        ListEnd::NotAsked if evidence.probe_state != ProbeState::Ok => {
            Err(not_tested(format!("the {noun} were not listed")))
        }
        ListEnd::NotAsked
        | ListEnd::Complete
        | ListEnd::RepeatedPage
        | ListEnd::RepeatedCursor { .. } => Err(Gap::Nothing),
    }
}

/// There are tools.
pub(in crate::rules::requirements) fn tools(evidence: &Evidence) -> Met {
    entries(evidence, &evidence.inventory.tools, "tools")
}

/// A tool has this member; the key may also stand deeper in the entry.
pub(in crate::rules::requirements) fn tools_with(evidence: &Evidence, key: &str) -> Met {
    tools(evidence)?;
    let quoted = format!("\"{key}\"");
    let mut entries = evidence.inventory.tools.entries.iter();
    only_if(entries.any(|raw| raw.get().contains(&quoted)))
}

/// There are resources or templates of such.
pub(in crate::rules::requirements) fn resources(evidence: &Evidence) -> Met {
    let inventory = &evidence.inventory;
    if !inventory.resource_templates.entries.is_empty() {
        return Ok(());
    }
    entries(evidence, &inventory.resources, "resources")
}

/// A list was read to an end of whatever kind.
pub(in crate::rules::requirements) fn lists_read(evidence: &Evidence) -> Met {
    let mut bound = None;
    for (_, list) in evidence.inventory.lists() {
        match &list.end {
            ListEnd::NotAsked | ListEnd::Failed { .. } => {}
            ListEnd::Bounded { reason } => bound = Some(cut(reason, 200)),
            ListEnd::Complete | ListEnd::RepeatedPage | ListEnd::RepeatedCursor { .. } => {
                return traffic(evidence);
            }
        }
    }
    Err(not_tested(bound.unwrap_or_else(|| {
        "no list was read to its end".to_owned()
    })))
}

/// Something has icons.
pub(in crate::rules::requirements) fn icons(evidence: &Evidence) -> Met {
    connection_or_list(evidence)?;
    let lists = evidence.inventory.lists().into_iter();
    let mut entries = lists.flat_map(|(_, list)| &list.entries);
    only_if(entries.any(|raw| raw.get().contains("\"icons\"")))
}

fn connection_or_list(evidence: &Evidence) -> Met {
    match evidence.target.transport {
        TransportKind::Capture => Ok(()),
        TransportKind::Stdio | TransportKind::Http => connection(evidence),
    }
}
