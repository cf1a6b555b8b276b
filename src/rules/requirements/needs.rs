//! What must have been seen before a requirement can be judged.

use url::Url;

use crate::model::contact::{Attempt, AuthDocument, AuthDocumentKind, AuthMetadata, NamedBy};
use crate::model::evidence::{Evidence, ProbeState};
use crate::model::fuzz::{FuzzRow, Outcome};
use crate::model::inventory::{ListEnd, Listing};
use crate::model::probe::{Probe, Taken};
use crate::model::target::{TransportKind, is_loopback};
use crate::model::wire::EndedBy;
use crate::protocol::revision::OFFERED;
use crate::wording::cut;

/// Why a requirement cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// The server has nothing that it could be about.
    Nothing,
    /// It was not tested, and why.
    NotTested(String),
}

type Met = Result<(), Gap>;

fn not_tested(because: impl Into<String>) -> Gap {
    Gap::NotTested(because.into())
}

/// Nothing is judged that was never declared.
pub(super) const fn only_if(there: bool) -> Met {
    if there { Ok(()) } else { Err(Gap::Nothing) }
}

/// Messages went to and fro, whatever came of it.
pub(super) fn traffic(evidence: &Evidence) -> Met {
    match evidence.target.transport {
        TransportKind::Capture => Err(not_tested("a saved list has no traffic")),
        TransportKind::Stdio | TransportKind::Http => Ok(()),
    }
}

/// The server was reached and spoke the protocol.
pub(super) fn connection(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match evidence.probe_state {
        ProbeState::Ok | ProbeState::NoTools => Ok(()),
        _ if evidence.inventory.protocol_version.is_some() => Ok(()),
        state => Err(not_tested(format!("there was no connection ({state})"))),
    }
}

/// Something came from the server.
pub(super) fn heard(evidence: &Evidence) -> Met {
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

/// The stream of the older transport began with an address.
pub(super) fn endpoint(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match evidence.contact.endpoint {
        Some(_) => Ok(()),
        None => Err(not_tested("what the stream began with is not on record")),
    }
}

/// A list was read, as far as it went, and has entries.
pub(super) fn entries(evidence: &Evidence, list: &Listing, noun: &str) -> Met {
    match &list.end {
        _ if !list.entries.is_empty() => Ok(()),
        ListEnd::Failed { .. } | ListEnd::Bounded { .. } => {
            Err(not_tested(format!("the {noun} could not be listed")))
        }
        ListEnd::NotAsked if evidence.probe_state != ProbeState::Ok => {
            Err(not_tested(format!("the {noun} were not listed")))
        }
        ListEnd::NotAsked
        | ListEnd::Complete
        | ListEnd::RepeatedPage
        | ListEnd::RepeatedCursor { .. } => Err(Gap::Nothing),
    }
}

/// There are tools.
pub(super) fn tools(evidence: &Evidence) -> Met {
    entries(evidence, &evidence.inventory.tools, "tools")
}

/// A tool has this member; the key may also stand deeper in the entry.
pub(super) fn tools_with(evidence: &Evidence, key: &str) -> Met {
    tools(evidence)?;
    let quoted = format!("\"{key}\"");
    let mut entries = evidence.inventory.tools.entries.iter();
    only_if(entries.any(|raw| raw.get().contains(&quoted)))
}

/// The server declares a capability.
pub(super) fn declared(evidence: &Evidence, capability: &str) -> Met {
    connection(evidence)?;
    only_if(evidence.inventory.declares(capability))
}

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
pub(super) fn any_probe(evidence: &Evidence, names: &[&str]) -> Met {
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
pub(super) fn any_comparison(evidence: &Evidence, kind: &str) -> Met {
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

/// A call was made that fits; `what` says what was missing.
pub(super) fn call(evidence: &Evidence, fits: fn(&FuzzRow) -> bool, what: &str) -> Met {
    let Some(run) = &evidence.fuzz else {
        return Err(not_tested("no calls were made"));
    };
    if run.rows.iter().any(fits) {
        Ok(())
    } else {
        Err(not_tested(what))
    }
}

/// Results were seen.
pub(super) fn results(evidence: &Evidence) -> Met {
    connection(evidence)?;
    if evidence.wire.results.is_empty() {
        return Err(not_tested("no result was looked at"));
    }
    Ok(())
}

/// HTTP replies were seen.
pub(super) fn http(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    if evidence.wire.http.is_empty() {
        return Err(not_tested("no HTTP reply was looked at"));
    }
    Ok(())
}

/// The server gave a session.
pub(super) fn session(evidence: &Evidence) -> Met {
    http(evidence)?;
    only_if(evidence.wire.http.iter().any(|seen| seen.with_session > 0))
}

/// `initialize` was answered.
pub(super) fn initialized(evidence: &Evidence) -> Met {
    connection(evidence)?;
    match evidence.contact.initialize {
        Some(_) => Ok(()),
        None => Err(not_tested("the result of `initialize` was not kept")),
    }
}

/// A revision was offered that the server could not simply accept.
pub(super) fn negotiation(evidence: &Evidence) -> Met {
    if offer_refused(evidence) {
        return Ok(());
    }
    probe(evidence, "unknown-version").map(drop)
}

/// Whether our offer was refused because of its revision, and an older one was taken.
pub(in crate::rules) fn offer_refused(evidence: &Evidence) -> bool {
    let refused = |at: &Attempt| {
        let head = at.head.as_deref().unwrap_or_default();
        at.what == "initialize"
            && head.contains("\"error\"")
            && head.to_ascii_lowercase().contains("version")
    };
    let agreed = evidence.inventory.protocol_version.as_deref();
    agreed.is_some_and(|agreed| agreed < OFFERED.as_str())
        && evidence.contact.attempts.iter().any(refused)
}

/// A revision was agreed on.
pub(super) fn revision(evidence: &Evidence) -> Met {
    connection(evidence)?;
    match evidence.inventory.protocol_version {
        Some(_) => Ok(()),
        None => Err(not_tested("the server named no revision")),
    }
}

/// A capability is declared whose methods were asked for.
pub(super) fn any_declared(evidence: &Evidence) -> Met {
    connection(evidence)?;
    let declared = ["tools", "prompts", "resources", "completions", "logging"];
    only_if(
        declared
            .iter()
            .any(|capability| evidence.inventory.declares(capability)),
    )
}

/// Something is not declared and was asked for all the same.
pub(super) fn undeclared(evidence: &Evidence) -> Met {
    connection(evidence)?;
    let inventory = &evidence.inventory;
    if !inventory.declares("tools") {
        // The list of tools is always asked for.
        return Ok(());
    }
    let mut gap = Gap::Nothing;
    for (capability, method) in UNDECLARED {
        if inventory.declares(capability) {
            continue;
        }
        match probe(evidence, &format!("undeclared:{method}")) {
            Ok(_) => return Ok(()),
            Err(why) if gap == Gap::Nothing => gap = why,
            Err(_) => {}
        }
    }
    Err(gap)
}

/// Capabilities and the method that shows whether each works.
pub(in crate::rules) const UNDECLARED: [(&str, &str); 5] = [
    ("tools", "tools/list"),
    ("prompts", "prompts/list"),
    ("resources", "resources/list"),
    ("completions", "completion/complete"),
    ("logging", "logging/setLevel"),
];

/// The probe was made at a server that speaks no legacy revision.
pub(super) fn modern_only(evidence: &Evidence, name: &str) -> Met {
    let probe = probe(evidence, name)?;
    only_if(probe.taken != Taken::Result)
}

/// Something has icons.
pub(super) fn icons(evidence: &Evidence) -> Met {
    connection_or_list(evidence)?;
    let lists = evidence.inventory.lists().into_iter();
    let mut entries = lists.flat_map(|(_, list)| &list.entries);
    only_if(entries.any(|raw| raw.get().contains("\"icons\"")))
}

fn connection_or_list(evidence: &Evidence) -> Met {
    match evidence.target.transport {
        TransportKind::Capture => Ok(()),
        TransportKind::Stdio | TransportKind::Http => connection(evidence),
    }
}

/// A tool that does not exist was called.
pub(super) fn unknown_tool(evidence: &Evidence) -> Met {
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

/// A call gave structured content.
pub(super) fn structured(evidence: &Evidence) -> Met {
    call(evidence, |_| true, "no calls were made")?;
    let rows = evidence.fuzz.iter().flat_map(|run| &run.rows);
    only_if(rows.into_iter().any(is_structured))
}

fn is_structured(row: &FuzzRow) -> bool {
    let reply = row.exchange.reply.as_deref().unwrap_or_default();
    row.outcome == Outcome::Ok && reply.contains("\"structuredContent\"")
}

/// There are resources or templates of such.
pub(super) fn resources(evidence: &Evidence) -> Met {
    let inventory = &evidence.inventory;
    if !inventory.resource_templates.entries.is_empty() {
        return Ok(());
    }
    entries(evidence, &inventory.resources, "resources")
}

/// A list was read to an end of whatever kind.
pub(super) fn lists_read(evidence: &Evidence) -> Met {
    let mut bound = None;
    for (_, list) in evidence.inventory.lists() {
        match &list.end {
            ListEnd::NotAsked | ListEnd::Failed { .. } => {}
            ListEnd::Bounded { reason } => bound = Some(cut(reason, 200)),
            ListEnd::Complete | ListEnd::RepeatedPage | ListEnd::RepeatedCursor { .. } => {
                return traffic(evidence);
            }
        }
    }
    Err(not_tested(bound.unwrap_or_else(|| {
        "no list was read to its end".to_owned()
    })))
}

/// A request had a progress token, or progress came unasked.
pub(super) fn progress(evidence: &Evidence) -> Met {
    connection(evidence)?;
    if evidence.wire.progress.is_empty() {
        return Err(not_tested("no request carried a progress token"));
    }
    Ok(())
}

/// The end of a process was watched.
pub(super) fn ending(evidence: &Evidence) -> Met {
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

/// The server is on this machine.
pub(super) fn loopback(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    only_if(address(evidence).is_some_and(|url| is_local(&url)))
}

/// The server is on another machine.
pub(super) fn remote(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    match address(evidence) {
        Some(url) => only_if(!is_local(&url)),
        None => Err(not_tested("the address is not known")),
    }
}

/// The address of an HTTP server.
pub(in crate::rules) fn address(evidence: &Evidence) -> Option<Url> {
    Url::parse(&evidence.target.display).ok()
}

/// Whether an address leads to this machine, also as a container calls it.
pub(in crate::rules) fn is_local(url: &Url) -> bool {
    is_loopback(url) || url.domain() == Some("host.docker.internal")
}

/// The server wanted credentials at some point.
pub(super) fn turned_away(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    let at_the_door = evidence.probe_state == ProbeState::Unauthorized;
    let without_token = evidence
        .probes
        .as_ref()
        .is_some_and(|probes| probes.get("no-token").is_some());
    only_if(at_the_door || without_token)
}

/// What a 401 tells of its authorization was looked at.
pub(super) fn auth(evidence: &Evidence) -> Result<&AuthMetadata, Gap> {
    turned_away(evidence)?;
    let auth = evidence.contact.auth.as_ref();
    auth.ok_or_else(|| not_tested("no metadata was looked at"))
}

/// A 401 had a challenge.
pub(super) fn challenge(evidence: &Evidence) -> Met {
    match auth(evidence)?.challenges.as_slice() {
        [] => Err(not_tested("the 401 had no challenge")),
        _ => Ok(()),
    }
}

/// A document of the authorization metadata was asked for, there or not.
pub(super) fn auth_document(evidence: &Evidence, kinds: &[AuthDocumentKind]) -> Met {
    let documents = &auth(evidence)?.documents;
    let mut own = documents
        .iter()
        .filter(|document| kinds.contains(&document.kind) && is_named(document))
        .peekable();
    if own.peek().is_none() {
        return Err(not_tested("no such document was named"));
    }
    let mut because = None;
    for document in own {
        match &document.failure {
            _ if document.status.is_some() => return Ok(()),
            Some(failure) => because = because.or(Some(cut(failure, 200))),
            None => {}
        }
    }
    Err(not_tested(
        because.unwrap_or_else(|| "no reply came".to_owned()),
    ))
}

/// Whether something led to the document, or it is there without: a server that names
/// no authorization server was only looked at for being one itself.
pub(in crate::rules) fn is_named(document: &AuthDocument) -> bool {
    document.named_by != NamedBy::ServerItself || document.is_there()
}

/// An answer to a notification was seen.
pub(super) fn notification(evidence: &Evidence) -> Met {
    let Err(gap) = probe(evidence, "http-notification") else {
        return Ok(());
    };
    let mut seen = evidence.wire.http.iter();
    if seen.any(|seen| seen.method.starts_with("notifications/")) {
        return Ok(());
    }
    Err(gap)
}
