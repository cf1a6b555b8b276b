//! The legacy side of a modern server, where it has one.

use super::connect::Approach;
use super::{ConnectSettings, Connection, Gathered, connect};
use crate::model::contact::{Era, EraChoice, OtherEra, Reach};
use crate::model::inventory::Inventory;
use crate::protocol::json;
use crate::protocol::modern::strings;
use crate::protocol::revision::Revision;

/// Reads lifecycle and lists once more with an `initialize` handshake, over a
/// connection of its own. `None` for a server that is modern alone: it refuses the
/// handshake and lists no legacy revision.
pub async fn other_era(connection: &Connection) -> Option<OtherEra> {
    let settings = connection.settings();
    let limit = settings.startup_timeout / 3;
    let legacy = connect(ConnectSettings {
        startup_timeout: settings.approach.probe_limit.min(limit),
        approach: Approach {
            reach: Reach {
                era: EraChoice::Only(Era::Legacy),
                carrier: connection.contact.carrier,
                ..settings.approach.reach.clone()
            },
            way: None,
            ..settings.approach.clone()
        },
        ..settings.clone()
    });
    let mut legacy = match legacy.await {
        Ok(legacy) => legacy,
        Err(failure) => {
            return lists_legacy(connection).then(|| OtherEra {
                era: Era::Legacy,
                inventory: Inventory::default(),
                failure: Some(failure.failure.message),
            });
        }
    };
    let Gathered {
        inventory, failure, ..
    } = legacy.gather().await;
    legacy.close().await;
    Some(OtherEra {
        era: Era::Legacy,
        inventory,
        failure: failure.map(|(_, failure)| failure.message),
    })
}

/// Whether the server says that it speaks a legacy revision.
fn lists_legacy(connection: &Connection) -> bool {
    let listed = connection
        .contact
        .discover
        .as_deref()
        .and_then(|raw| json::pick(raw.get(), ["supportedVersions"]))
        .and_then(|[listed]| listed);
    let names = listed.as_deref().map(strings).unwrap_or_default();
    names.iter().any(|name| Revision::read(name).is_legacy())
}
