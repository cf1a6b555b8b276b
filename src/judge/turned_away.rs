//! Calls that HTTP turned away before a tool was asked.

use std::collections::BTreeMap;

use crate::model::fuzz::{FuzzRow, Outcome};
use crate::model::report::Report;
use crate::wording::{count, names};

/// The most tools that a sentence names.
const NAMED: usize = 4;

/// The status with which HTTP turned a call away.
fn status(row: &FuzzRow) -> Option<u16> {
    // What asks for more input was answered, with a good status and without a text.
    let is_away = row.outcome == Outcome::InputRequired && row.error_text.is_some();
    row.exchange.http_status.filter(|_| is_away)
}

const fn wants_credentials(status: u16) -> bool {
    matches!(status, 401 | 403 | 407)
}

/// A sentence for each status: how many calls, of which tools, and what to do.
pub(super) fn sentences(rows: &[FuzzRow]) -> Vec<String> {
    let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for row in rows {
        if let Some(status) = status(row) {
            by_status.entry(status).or_default().push(&row.tool);
        }
    }
    by_status
        .into_iter()
        .map(|(status, mut tools)| {
            let calls = count(tools.len(), "call");
            tools.dedup();
            format!(
                "HTTP {status} turned away {calls} of {}; {}.",
                names(tools, NAMED),
                remedy(status)
            )
        })
        .collect()
}

const fn remedy(status: u16) -> &'static str {
    match status {
        401 | 407 => "give credentials for calls with `--bearer` or `--header`",
        403 => "give credentials that allow calls with `--bearer` or `--header`",
        429 => "the server limits how often it may be called",
        300..=399 => "audit the address that the server redirects calls to",
        _ => "look into the server, or what stands before it",
    }
}

/// Whether calls were made and every one was turned away for want of credentials.
pub fn every_call_wants_credentials(report: &Report) -> bool {
    let rows = report.fuzz.as_ref().map_or(&[][..], |fuzz| &fuzz.rows);
    !rows.is_empty()
        && rows
            .iter()
            .all(|row| status(row).is_some_and(wants_credentials))
}
