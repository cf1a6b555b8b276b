//! What must have been seen before a requirement can be judged.

mod auth;
mod calls;
mod handshake;
mod lists;
mod place;
mod probes;
mod traffic;

use crate::model::evidence::{Evidence, ProbeState};
use crate::model::target::TransportKind;

pub(in crate::rules) use auth::is_named;
pub(super) use auth::{auth, auth_document, challenge, turned_away};
pub(super) use calls::{call, structured};
pub(in crate::rules) use handshake::{UNDECLARED, offer_refused};
pub(super) use handshake::{
    any_declared, declared, initialized, negotiation, revision, undeclared,
};
pub(super) use lists::{icons, lists_read, resources, tools, tools_with};
pub(in crate::rules) use place::{address, is_local};
pub(super) use place::{loopback, remote};
pub(in crate::rules) use probes::probe;
pub(super) use probes::{any_comparison, any_probe, modern_only, notification, unknown_tool};
pub(super) use traffic::{ending, endpoint, heard, http, progress, results, session};

/// Why a requirement cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// The server has nothing that it could be about.
    Nothing,
    /// It was not tested, and why.
    NotTested(String),
}

type Met = Result<(), Gap>;

fn not_tested(because: impl Into<String>) -> Gap {
    Gap::NotTested(because.into())
}

/// Nothing is judged that was never declared.
pub(super) const fn only_if(there: bool) -> Met {
    if there { Ok(()) } else { Err(Gap::Nothing) }
}

/// Messages went to and fro, whatever came of it.
pub(super) fn traffic(evidence: &Evidence) -> Met {
    match evidence.target.transport {
        TransportKind::Capture => Err(not_tested("a saved list has no traffic")),
        TransportKind::Stdio | TransportKind::Http => Ok(()),
    }
}

/// The server was reached and spoke the protocol.
pub(super) fn connection(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match evidence.probe_state {
        ProbeState::Ok | ProbeState::NoTools => Ok(()),
        _ if evidence.inventory.protocol_version.is_some() => Ok(()),
        state => Err(not_tested(format!("there was no connection ({state})"))),
    }
}
