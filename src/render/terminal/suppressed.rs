//! What the user decided to live with.

use super::page::{Ink, Page};
use super::{more, plain};
use crate::model::suppression::{Suppressed, SuppressionSection, SuppressionState};
use crate::render::suppressed;
use crate::wording::cut;

/// The most suppressions.
const LISTED: usize = 12;

pub(super) fn section(page: &mut Page, section: &SuppressionSection) {
    page.heading("Suppressed", &suppressed::tally(section));
    for entry in section.entries.iter().take(LISTED) {
        one(page, entry);
    }
    more(page, section.entries.len(), LISTED, "suppression");
}

fn one(page: &mut Page, entry: &Suppressed) {
    let ink = match entry.state {
        SuppressionState::InUse { .. } => Ink::Plain,
        SuppressionState::Expired => Ink::Yellow,
        SuppressionState::Stale => Ink::Cyan,
        SuppressionState::NotTested { .. } => Ink::Dim,
    };
    let suppression = &entry.suppression;
    let text = format!(
        "{} ({}) {}",
        suppression.code,
        plain(&suppressed::place(suppression)),
        suppressed::fate(entry)
    );
    page.text("  · ", 4, ink, &text);
    page.text("    ", 4, Ink::Dim, &plain(&cut(&suppression.reason, 300)));
}
