//! Which calls were made.

use super::{Met, not_tested, only_if};
use crate::model::evidence::Evidence;
use crate::model::fuzz::{FuzzRow, Outcome};

/// A call was made that fits; `what` says what was missing.
pub(in crate::rules::requirements) fn call(
    evidence: &Evidence,
    fits: fn(&FuzzRow) -> bool,
    what: &str,
) -> Met {
    let Some(run) = &evidence.fuzz else {
        return Err(not_tested("no calls were made"));
    };
    if run.rows.iter().any(fits) {
        Ok(())
    } else {
        Err(not_tested(what))
    }
}

/// A call gave structured content.
pub(in crate::rules::requirements) fn structured(evidence: &Evidence) -> Met {
    call(evidence, |_| true, "no calls were made")?;
    let rows = evidence.fuzz.iter().flat_map(|run| &run.rows);
    only_if(rows.into_iter().any(is_structured))
}

fn is_structured(row: &FuzzRow) -> bool {
    let reply = row.exchange.reply.as_deref().unwrap_or_default();
    row.outcome == Outcome::Ok && reply.contains("\"structuredContent\"")
}
