//! What the rules over envelopes and traffic share.

use super::super::Reporter;
use super::super::quote::visible;
use crate::model::evidence::{Evidence, Seen};
use crate::model::probe::{EnvelopeFault, EnvelopeKind};
use crate::wording;

/// Characters of a message that are shown.
const MAX_MESSAGE: usize = 160;

/// Methods that are named.
const MAX_NAMES: usize = 5;

/// The fault of this kind, where there is one.
pub(super) fn of(evidence: &Evidence, kind: EnvelopeKind) -> Option<&EnvelopeFault> {
    let mut faults = evidence.wire.envelope.faults.iter();
    faults.find(|fault| fault.kind == kind)
}

/// Reports messages of this kind, all of them as one; `what` stands after "messages".
pub(super) fn report(
    evidence: &Evidence,
    reporter: &mut Reporter<'_>,
    kind: EnvelopeKind,
    what: &str,
) {
    let Some(fault) = of(evidence, kind) else {
        return;
    };
    let asked = match &fault.during {
        Some(during) => format!(", while this was asked: `{}`", visible(during, MAX_MESSAGE)),
        None => String::new(),
    };
    let first = visible(&fault.first, MAX_MESSAGE);
    let finding = reporter.report(format!(
        "{} {what}; the first is `{first}`{asked}",
        count(fault.count, "message")
    ));
    finding.occurrences = u32::try_from(fault.count).unwrap_or(u32::MAX);
}

/// A count with its noun.
pub(super) fn count(number: u64, noun: &str) -> String {
    wording::count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// Methods by name, the first five.
pub(super) fn names_of(seen: &[Seen]) -> String {
    let visible: Vec<String> = seen.iter().map(|seen| visible(&seen.method, 60)).collect();
    wording::names(visible.iter().map(String::as_str), MAX_NAMES)
}
