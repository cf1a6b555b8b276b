//! Revisions that are not negotiated.

use super::super::quote::quote;
use super::super::{Check, Reporter, Rule, Section};
use super::reply::{self, INVALID_PARAMS, told};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::probe::{Probe, Taken};
use crate::protocol::revision::{OFFERED, Revision};
use crate::rules::requirements::needs;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.init_same_version",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a server that does not negotiate its revision",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation",
        keyword: Some("MUST"),
    }),
    why: "Clients that speak another revision than the one expected cannot connect, though both sides may share one.",
    hint: "Echo the offered revision where the server supports it; answer with the newest supported one otherwise, and leave the choice to the client.",
    docs: include_str!("init_same_version.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

/// What the second connection offers.
const NEVER: &str = "1900-01-01";

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    refused_offer(evidence, reporter);
    let Some(probe) = reply::probe(evidence, "unknown-version") else {
        return;
    };
    match probe.taken {
        Taken::Result => claims(probe, reporter),
        // The text shows this error as an example.
        Taken::Error(code) if code == INVALID_PARAMS && names_supported(probe) => {}
        // The same matter, and said already.
        Taken::Error(_) | Taken::HttpOnly if needs::offer_refused(evidence) => {}
        Taken::Error(_) | Taken::HttpOnly => {
            let finding = reporter.report_matter(
                "unknown",
                format!(
                    "the offer of revision {NEVER} is answered with {}, not with a revision that the server supports",
                    told(probe)
                ),
            );
            finding.severity = Severity::Warning;
        }
        Taken::Silence | Taken::Broken | Taken::Closed => {
            reporter.report_matter(
                "unknown",
                format!("the offer of revision {NEVER} is met with {}", told(probe)),
            );
        }
    }
}

/// An answer to the offer of a revision that never was.
fn claims(probe: &Probe, reporter: &mut Reporter<'_>) {
    let result = reply::result(&probe.exchange).unwrap_or_default();
    let Some(version) = result.get("protocolVersion").and_then(|text| text.as_str()) else {
        return;
    };
    if Revision::read(version).is_published() {
        return;
    }
    let message = if version == NEVER {
        format!(
            "the server accepts revision {NEVER}, which never was: it gives back whatever is offered"
        )
    } else {
        format!(
            "the offer of revision {NEVER} is answered with {}, which was never published",
            quote(version)
        )
    };
    reporter.report_matter("unknown", message);
}

fn names_supported(probe: &Probe) -> bool {
    reply::fault(&probe.exchange).is_some_and(|fault| {
        fault
            .data
            .get("supported")
            .and_then(|all| all.as_array())
            .is_some_and(|all| !all.is_empty())
    })
}

/// The offer of the newest legacy revision was refused, and an older one was taken.
fn refused_offer(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let agreed = evidence.inventory.protocol_version.as_deref();
    if let Some(agreed) = agreed
        && needs::offer_refused(evidence)
    {
        reporter.report_matter(
            "offer",
            format!(
                "the offer of revision {OFFERED} is refused with an error, though the server supports {}: it must answer with that",
                quote(agreed)
            ),
        );
    }
}
