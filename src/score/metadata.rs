//! Does the server say who it is?

use crate::model::evidence::Evidence;
use crate::model::report::Dimension;
use crate::model::target::TransportKind;

use super::points::{Points, decimal};
use super::{Measure, Reach};

/// Hundredths that a missing name, a missing version and instructions weigh.
const NAME: u32 = 400;
const VERSION: u32 = 200;
const INSTRUCTIONS: u32 = 100;

/// Ten points, less 4 without a name and 2 without a version, plus 1 for
/// instructions, never over ten. Both models agree.
pub(super) fn measure(evidence: &Evidence) -> Measure {
    let inventory = &evidence.inventory;
    let server = &inventory.server;
    let shook_hands =
        inventory.protocol_version.is_some() || server.name.is_some() || server.version.is_some();
    if !shook_hands && Reach::of(evidence) == Reach::NotListed {
        return Measure::unmeasured(Dimension::Metadata, "Not measured: there was no handshake.");
    }
    if evidence.target.transport == TransportKind::Capture && !shook_hands {
        return Measure::unmeasured(
            Dimension::Metadata,
            "Not measured: a captured list does not say whose it is.",
        );
    }
    let mut lost = 0;
    let mut reasons = Vec::new();
    if is_missing(server.name.as_deref()) {
        lost += NAME;
        reasons.push(format!(
            "The server gives no name: −{}.",
            decimal(NAME.into())
        ));
    }
    if is_missing(server.version.as_deref()) {
        lost += VERSION;
        reasons.push(format!(
            "The server gives no version: −{}.",
            decimal(VERSION.into())
        ));
    }
    let instructs = server
        .instructions
        .as_deref()
        .is_some_and(|text| !text.trim().is_empty());
    match (lost, instructs) {
        (0, true) => reasons.push("Name, version and instructions are there: 10.".to_owned()),
        (0, false) => reasons.push(
            "Name and version are there: 10. Instructions would be welcome and cost nothing here."
                .to_owned(),
        ),
        (_, true) => {
            lost = lost.saturating_sub(INSTRUCTIONS);
            reasons.push("Instructions are there: +1.".to_owned());
        }
        (_, false) => {}
    }
    Measure {
        dimension: Dimension::Metadata,
        points: Some(Points::FULL.less(lost)),
        reasons,
    }
}

fn is_missing(text: Option<&str>) -> bool {
    matches!(text, None | Some("" | "unknown"))
}
