//! Which probes were made, and taken.

use super::{Gap, Met, not_tested, only_if, session, tools, traffic};
use crate::model::evidence::Evidence;
use crate::model::probe::{Probe, Taken};
use crate::wording::cut;

/// A probe was made, and the server took it instead of turning it away for a while.
pub(in crate::rules) fn probe<'a>(evidence: &'a Evidence, name: &str) -> Result<&'a Probe, Gap> {
    traffic(evidence)?;
    let Some(probes) = &evidence.probes else {
        return Err(not_tested("no probes were made"));
    };
    if let Some(probe) = probes.get(name) {
        return if lost_session(evidence, probe) {
            Err(not_tested("the session had ended"))
        } else if is_busy(probe) {
            Err(not_tested(format!(
                "the server was busy (HTTP {})",
                probe.exchange.http_status.unwrap_or_default()
            )))
        } else {
            Ok(probe)
        };
    }
    let because = probes
        .left_out
        .iter()
        .find(|left| left.name == name)
        .map_or("its probe was not made", |left| &left.because);
    Err(not_tested(cut(because, 200)))
}

/// At least one of several probes was made.
pub(in crate::rules::requirements) fn any_probe(evidence: &Evidence, names: &[&str]) -> Met {
    let mut gap = Gap::Nothing;
    for name in names {
        match probe(evidence, name) {
            Ok(_) => return Ok(()),
            Err(first) if gap == Gap::Nothing => gap = first,
            Err(_) => {}
        }
    }
    Err(gap)
}

/// 404 in a session says that the session is gone, whatever was asked for in it.
fn lost_session(evidence: &Evidence, probe: &Probe) -> bool {
    let about_something_else = probe.exchange.http_status == Some(404)
        && !matches!(probe.taken, Taken::Result | Taken::Error(-32603..=-32600))
        && !probe.name.starts_with("session-")
        && !probe.name.starts_with("http-");
    about_something_else && session(evidence).is_ok()
}

/// Too many requests, or not yet there: it says nothing about the probe.
fn is_busy(probe: &Probe) -> bool {
    matches!(probe.exchange.http_status, Some(429 | 503))
        && !matches!(probe.taken, Taken::Result | Taken::Error(_))
}

/// A list was read a second time and could be compared.
pub(in crate::rules::requirements) fn any_comparison(evidence: &Evidence, kind: &str) -> Met {
    let names = ["tools/list", "prompts/list", "resources/list"];
    let names = names.map(|method| format!("{kind}:{method}"));
    let mut gap = Gap::Nothing;
    for name in &names {
        let probe = match probe(evidence, name) {
            Ok(probe) => probe,
            Err(why) => {
                gap = why;
                continue;
            }
        };
        match &probe.comparison {
            Some(comparison) => match &comparison.not_compared {
                None => return Ok(()),
                Some(why) => gap = not_tested(cut(why, 200)),
            },
            None => gap = not_tested("the list could not be read again"),
        }
    }
    Err(gap)
}

/// The probe was made at a server that speaks no legacy revision.
pub(in crate::rules::requirements) fn modern_only(evidence: &Evidence, name: &str) -> Met {
    let probe = probe(evidence, name)?;
    only_if(probe.taken != Taken::Result)
}

/// An answer to a notification was seen.
pub(in crate::rules::requirements) fn notification(evidence: &Evidence) -> Met {
    let Err(gap) = probe(evidence, "http-notification") else {
        return Ok(());
    };
    let mut seen = evidence.wire.http.iter();
    if seen.any(|seen| seen.method.starts_with("notifications/")) {
        return Ok(());
    }
    Err(gap)
}

/// A tool that does not exist was called.
pub(in crate::rules::requirements) fn unknown_tool(evidence: &Evidence) -> Met {
    let among_calls = evidence
        .fuzz
        .as_ref()
        .is_some_and(|run| run.follow_up.unknown_tool.is_some());
    if among_calls {
        return Ok(());
    }
    tools(evidence)?;
    probe(evidence, "unknown-tool").map(drop)
}
