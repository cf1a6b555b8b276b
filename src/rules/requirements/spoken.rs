//! What was spoken with the server: by which revision, in which era, over what.

use crate::model::contact::{Carrier, Era};
use crate::model::evidence::Evidence;
use crate::model::target::TransportKind;
use crate::protocol::revision::Revision;

/// What requirements are picked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spoken {
    /// A published revision: the negotiated one; where there is none, or one that was
    /// never published, the newest of the era.
    pub revision: &'static str,
    /// Whether the server named `revision` itself.
    pub negotiated: bool,
    /// The era of `revision`.
    pub era: Era,
    /// What carries the messages; `None` for a saved list.
    pub carrier: Option<Carrier>,
}

impl Spoken {
    /// Reads it from evidence.
    pub fn of(evidence: &Evidence) -> Self {
        let named = evidence
            .inventory
            .protocol_version
            .as_deref()
            .and_then(published);
        let era = evidence.contact.era;
        let revision = named.unwrap_or(match era {
            Some(Era::Modern) => "2026-07-28",
            Some(Era::Legacy) | None => "2025-11-25",
        });
        Self {
            revision,
            negotiated: named.is_some(),
            era: if revision < "2026-07-28" {
                Era::Legacy
            } else {
                Era::Modern
            },
            carrier: evidence
                .contact
                .carrier
                .or(match evidence.target.transport {
                    TransportKind::Stdio => Some(Carrier::Stdio),
                    // A stream that began as that of the older transport must.
                    TransportKind::Http if evidence.contact.endpoint.is_some() => {
                        Some(Carrier::Sse)
                    }
                    TransportKind::Http => Some(Carrier::StreamableHttp),
                    TransportKind::Capture => None,
                }),
        }
    }

    /// Whether messages are HTTP bodies with a status of their own.
    pub fn is_streamable_http(&self) -> bool {
        self.carrier == Some(Carrier::StreamableHttp)
    }

    /// Whether requests stand alone.
    pub fn is_modern(&self) -> bool {
        self.era == Era::Modern
    }
}

fn published(text: &str) -> Option<&'static str> {
    Some(match Revision::read(text) {
        Revision::V2024_11_05 => "2024-11-05",
        Revision::V2025_03_26 => "2025-03-26",
        Revision::V2025_06_18 => "2025-06-18",
        Revision::V2025_11_25 => "2025-11-25",
        Revision::V2026_07_28 => "2026-07-28",
        Revision::Unknown(_) => return None,
    })
}
