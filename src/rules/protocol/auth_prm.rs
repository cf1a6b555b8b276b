//! A protected server without proper metadata.

use serde_json::Value;
use url::Url;

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::contact::{AuthDocument, AuthDocumentKind};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::protocol::json;
use crate::rules::requirements::needs;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.auth_prm",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a server that wants a token and does not say where to get one",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-location",
        keyword: Some("MUST"),
    }),
    why: "Clients cannot sign in, and users see nothing but a failed connection.",
    hint: "Serve protected resource metadata (RFC 9728), with `resource` and `authorization_servers`, and name its address in the challenge.",
    docs: include_str!("auth_prm.md"),
    subsumes: &[],
    check: Check::Evidence(check),
};

fn check(evidence: &Evidence, reporter: &mut Reporter<'_>) {
    let Some(auth) = &evidence.contact.auth else {
        return;
    };
    let documents: Vec<&AuthDocument> = auth
        .documents
        .iter()
        .filter(|document| document.kind == AuthDocumentKind::ProtectedResource)
        .collect();
    let found = documents.iter().find(|document| document.is_there());
    let Some(found) = found else {
        let challenge = if auth.challenges.is_empty() {
            "the 401 has no challenge"
        } else {
            "the challenge leads to none"
        };
        let tried: Vec<String> = documents
            .iter()
            .take(3)
            .map(|document| format!("{}: {}", visible(&document.url, 120), outcome(document)))
            .collect();
        reporter.report(format!(
            "no protected resource metadata was found: {challenge}{}",
            if tried.is_empty() {
                String::new()
            } else {
                format!("; {}", tried.join("; "))
            }
        ));
        return;
    };
    let value = json::read(found.text.as_deref().unwrap_or_default()).value;
    if let Some(fault) = fault(&value, needs::address(evidence).as_ref()) {
        reporter.report(format!(
            "the protected resource metadata at {} {fault}",
            visible(&found.url, 120)
        ));
    }
}

fn outcome(document: &AuthDocument) -> String {
    match (document.status, document.failure.as_deref()) {
        (Some(status), _) => format!("HTTP {status}"),
        (None, Some(failure)) => visible(failure, 80),
        (None, None) => "no reply".to_owned(),
    }
}

fn fault(metadata: &Value, server: Option<&Url>) -> Option<String> {
    if !metadata.is_object() {
        return Some("is no JSON object".to_owned());
    }
    let servers = metadata
        .get("authorization_servers")
        .and_then(Value::as_array);
    if servers.is_none_or(Vec::is_empty) {
        return Some("names no `authorization_servers`".to_owned());
    }
    let Some(resource) = metadata.get("resource").and_then(Value::as_str) else {
        return Some("has no `resource`".to_owned());
    };
    let names_it = server.is_none_or(|server| is_for(resource, server));
    (!names_it).then(|| format!("is for {}, which is another resource", quote(resource)))
}

/// The resource is the server, or the part of its site that the server is in.
fn is_for(resource: &str, server: &Url) -> bool {
    Url::parse(resource).is_ok_and(|resource| {
        let path = resource.path().trim_end_matches('/');
        let below = server.path().strip_prefix(path);
        resource.origin() == server.origin()
            && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}
