//! The requirements of the protocol, a line an area.

use super::page::{Ink, Page, fit};
use super::{more, plain};
use crate::model::checked::{ProtocolSection, Tally};
use crate::render::digest;
use crate::wording::{count, cut, names};

/// The most reasons for gaps, and the most ids after each.
const GAPS: usize = 3;
const IDS: usize = 4;

/// The most broken requirements.
const BROKEN: usize = 12;

pub(super) fn section(page: &mut Page, section: &ProtocolSection) {
    page.heading("Protocol", &plain(&digest::protocol(section)));
    // Where nothing could be tested, the reason is the whole section.
    if section.tally().run() > 0 {
        areas(page, section);
    }
    for check in digest::broken(section).take(BROKEN) {
        let lead = format!("  {} ", page.ink(Ink::Red, "✗"));
        let text = format!(
            "{}: {}{}",
            check.id,
            check.says,
            digest::suppressed_mark(check)
        );
        page.text(&lead, 4, Ink::Plain, &text);
    }
    more(page, digest::broken(section).count(), BROKEN, "check");
    let gaps = digest::gaps(section);
    for (because, ids) in gaps.iter().take(GAPS) {
        let text = format!(
            "{} not tested: {} ({})",
            count(ids.len(), "check"),
            plain(&cut(because, 200)),
            names(ids.iter().copied(), IDS)
        );
        page.text("  · ", 4, Ink::Dim, &text);
    }
    more(page, gaps.len(), GAPS, "reason");
}

fn areas(page: &mut Page, section: &ProtocolSection) {
    let head = format!("  {}  passed  failed  not tested", fit("area", 9));
    let head = page.ink(Ink::Dim, &head);
    page.line(&head);
    for (area, tally) in section.areas() {
        let line = row(page, area.word(), tally);
        page.line(&line);
    }
}

fn row(page: &Page, area: &str, tally: Tally) -> String {
    let number = |value: usize, width: usize, ink: Ink| {
        if value == 0 {
            return page.ink(Ink::Dim, &format!("{:>width$}", "·"));
        }
        page.ink(ink, &format!("{value:>width$}"))
    };
    format!(
        "  {}  {}  {}  {}",
        fit(area, 9),
        number(tally.passed, 6, Ink::Plain),
        number(tally.failed, 6, Ink::Red),
        number(tally.not_tested, 10, Ink::Dim),
    )
}
