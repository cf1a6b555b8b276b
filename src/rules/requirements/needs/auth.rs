//! What a server that wants credentials showed.

use super::{Gap, Met, not_tested, only_if, traffic};
use crate::model::contact::{AuthDocument, AuthDocumentKind, AuthMetadata, NamedBy};
use crate::model::evidence::{Evidence, ProbeState};
use crate::wording::cut;

/// The server wanted credentials at some point.
pub(in crate::rules::requirements) fn turned_away(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    let at_the_door = evidence.probe_state == ProbeState::Unauthorized;
    let without_token = evidence
        .probes
        .as_ref()
        .is_some_and(|probes| probes.get("no-token").is_some());
    only_if(at_the_door || without_token)
}

/// What a 401 tells of its authorization was looked at.
pub(in crate::rules::requirements) fn auth(evidence: &Evidence) -> Result<&AuthMetadata, Gap> {
    turned_away(evidence)?;
    let auth = evidence.contact.auth.as_ref();
    auth.ok_or_else(|| not_tested("no metadata was looked at"))
}

/// A 401 had a challenge.
pub(in crate::rules::requirements) fn challenge(evidence: &Evidence) -> Met {
    match auth(evidence)?.challenges.as_slice() {
        [] => Err(not_tested("the 401 had no challenge")),
        _ => Ok(()),
    }
}

/// A document of the authorization metadata was asked for, there or not.
pub(in crate::rules::requirements) fn auth_document(
    evidence: &Evidence,
    kinds: &[AuthDocumentKind],
) -> Met {
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
