//! What the handshake agreed on and declared.

use super::{Gap, Met, connection, not_tested, only_if, probe};
use crate::model::contact::Attempt;
use crate::model::evidence::Evidence;
use crate::protocol::revision::OFFERED;

/// `initialize` was answered.
pub(in crate::rules::requirements) fn initialized(evidence: &Evidence) -> Met {
    connection(evidence)?;
    match evidence.contact.initialize {
        Some(_) => Ok(()),
        None => Err(not_tested("the result of `initialize` was not kept")),
    }
}

/// A revision was offered that the server could not simply accept.
pub(in crate::rules::requirements) fn negotiation(evidence: &Evidence) -> Met {
    if offer_refused(evidence) {
        return Ok(());
    }
    probe(evidence, "unknown-version").map(drop)
}

/// Whether our offer was refused because of its revision, and an older one was taken.
pub(in crate::rules) fn offer_refused(evidence: &Evidence) -> bool {
    let refused = |at: &Attempt| {
        let head = at.head.as_deref().unwrap_or_default();
        at.what == "initialize"
            && head.contains("\"error\"")
            && head.to_ascii_lowercase().contains("version")
    };
    let agreed = evidence.inventory.protocol_version.as_deref();
    agreed.is_some_and(|agreed| agreed < OFFERED.as_str())
        && evidence.contact.attempts.iter().any(refused)
}

/// A revision was agreed on.
pub(in crate::rules::requirements) fn revision(evidence: &Evidence) -> Met {
    connection(evidence)?;
    match evidence.inventory.protocol_version {
        Some(_) => Ok(()),
        None => Err(not_tested("the server named no revision")),
    }
}

/// The server declares a capability.
pub(in crate::rules::requirements) fn declared(evidence: &Evidence, capability: &str) -> Met {
    connection(evidence)?;
    only_if(evidence.inventory.declares(capability))
}

/// A capability is declared whose methods were asked for.
pub(in crate::rules::requirements) fn any_declared(evidence: &Evidence) -> Met {
    connection(evidence)?;
    let declared = ["tools", "prompts", "resources", "completions", "logging"];
    only_if(
        declared
            .iter()
            .any(|capability| evidence.inventory.declares(capability)),
    )
}

/// Something is not declared and was asked for all the same.
pub(in crate::rules::requirements) fn undeclared(evidence: &Evidence) -> Met {
    connection(evidence)?;
    let inventory = &evidence.inventory;
    if !inventory.declares("tools") {
        // The list of tools is always asked for.
        return Ok(());
    }
    let mut gap = Gap::Nothing;
    for (capability, method) in UNDECLARED {
        if inventory.declares(capability) {
            continue;
        }
        match probe(evidence, &format!("undeclared:{method}")) {
            Ok(_) => return Ok(()),
            Err(why) if gap == Gap::Nothing => gap = why,
            Err(_) => {}
        }
    }
    Err(gap)
}

/// Capabilities and the method that shows whether each works.
pub(in crate::rules) const UNDECLARED: [(&str, &str); 5] = [
    ("tools", "tools/list"),
    ("prompts", "prompts/list"),
    ("resources", "resources/list"),
    ("completions", "completion/complete"),
    ("logging", "logging/setLevel"),
];
