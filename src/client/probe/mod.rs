//! A fixed, harmless script of extra requests (`docs/probes.md`), each kept as it
//! went over the wire.
//!
//! No probe calls a tool that is listed, changes a resource, stays subscribed or
//! logs in. The script is bounded as a whole, and a server that dies of a probe is
//! started again where it can be.

mod calls;
mod compare;
mod compose;
mod conversation;
mod envelopes;
mod features;
mod http;
mod lists;
mod modern;
mod names;
mod script;
mod second;
mod taken;

use std::time::Duration;

use super::{ConnectSettings, Connection};
use crate::model::inventory::Inventory;
use crate::model::probe::{LeftOut, Probes};
use script::Script;

pub use names::NAMES;

/// How the script runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSettings {
    /// Makes the names that must not exist.
    pub seed: u64,
    /// How long a probe waits for its reply.
    pub limit: Duration,
    /// How long all probes together may take; a restart may go beyond it.
    pub whole: Duration,
    /// How long the first connection took; a second one has three times as long.
    pub connected_in: Duration,
}

impl ProbeSettings {
    /// The limits of every audit: 5 s and 60 s.
    pub const fn new(seed: u64, connected_in: Duration) -> Self {
        Self {
            seed,
            limit: Duration::from_secs(5),
            whole: Duration::from_mins(1),
            connected_in,
        }
    }
}

/// Runs the script over a connection whose lists were read. What was made so far
/// stands in `probes` also when this is dropped halfway; [`leave_rest`] then says of
/// the others why they were not made.
pub async fn probe(
    connection: &mut Connection,
    inventory: &Inventory,
    settings: ProbeSettings,
    probes: &mut Probes,
) {
    let mut script = Script::new(connection, inventory, settings, probes);
    script.run().await;
    script.finish();
}

/// What can be probed where credentials are wanted (HTTP 401): whether a token
/// that is none is refused as well.
pub async fn probe_unauthorized(
    settings: ConnectSettings,
    limits: ProbeSettings,
    probes: &mut Probes,
) {
    http::bogus_token_alone(settings, limits, probes).await;
    leave_rest(probes, "the server wants credentials");
}

/// Writes down every probe that was neither made nor left out for a reason yet.
pub fn leave_rest(probes: &mut Probes, because: &str) {
    for name in NAMES {
        let known =
            probes.get(name).is_some() || probes.left_out.iter().any(|left| left.name == *name);
        if !known {
            probes.left_out.push(LeftOut {
                name: (*name).to_owned(),
                because: because.to_owned(),
            });
        }
    }
    probes.left_out.sort_by(|a, b| a.name.cmp(&b.name));
}
