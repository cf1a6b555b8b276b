//! What went over the wire.

use super::{Met, connection, not_tested, only_if, traffic};
use crate::model::evidence::Evidence;
use crate::model::wire::EndedBy;

/// Something came from the server.
pub(in crate::rules::requirements) fn heard(evidence: &Evidence) -> Met {
    let wire = &evidence.wire;
    let something = wire.noise_lines > 0
        || wire.invalid_utf8_messages > 0
        || !wire.envelope.faults.is_empty()
        || !wire.envelope.error_codes.is_empty()
        || !wire.server_requests.is_empty();
    if something {
        return traffic(evidence);
    }
    connection(evidence)
}

/// Results were seen.
pub(in crate::rules::requirements) fn results(evidence: &Evidence) -> Met {
    connection(evidence)?;
    if evidence.wire.results.is_empty() {
        return Err(not_tested("no result was looked at"));
    }
    Ok(())
}

/// HTTP replies were seen.
pub(in crate::rules::requirements) fn http(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    if evidence.wire.http.is_empty() {
        return Err(not_tested("no HTTP reply was looked at"));
    }
    Ok(())
}

/// The server gave a session.
pub(in crate::rules::requirements) fn session(evidence: &Evidence) -> Met {
    http(evidence)?;
    only_if(evidence.wire.http.iter().any(|seen| seen.with_session > 0))
}

/// A request had a progress token, or progress came unasked.
pub(in crate::rules::requirements) fn progress(evidence: &Evidence) -> Met {
    connection(evidence)?;
    if evidence.wire.progress.is_empty() {
        return Err(not_tested("no request carried a progress token"));
    }
    Ok(())
}

/// The end of a process was watched.
pub(in crate::rules::requirements) fn ending(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match &evidence.wire.ending {
        Some(ending) if !ending.full_waits => Err(not_tested("there was no time to wait for it")),
        Some(ending) if ending.by == EndedBy::Earlier => {
            Err(not_tested("the server had ended before"))
        }
        Some(_) => Ok(()),
        None => Err(not_tested("how the server ended was not watched")),
    }
}

/// The stream of the older transport began with an address.
pub(in crate::rules::requirements) fn endpoint(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match evidence.contact.endpoint {
        Some(_) => Ok(()),
        None => Err(not_tested("what the stream began with is not on record")),
    }
}
