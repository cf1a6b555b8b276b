//! An authorization server without proper metadata.

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
    code: "protocol.auth_as_metadata",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "an authorization server without proper metadata",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-location",
        keyword: Some("MUST"),
    }),
    why: "Clients cannot sign in, or must give up the protection of their codes.",
    hint: "Serve RFC 8414 or OpenID metadata whose `issuer` is that of the resource, with HTTPS endpoints and `S256`.",
    docs: include_str!("auth_as_metadata.md"),
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
        .filter(|document| {
            document.kind != AuthDocumentKind::ProtectedResource && needs::is_named(document)
        })
        .collect();
    // Where no authorization server is named, `protocol.auth_prm` says so.
    let Some(first) = documents.first() else {
        return;
    };
    let found = documents.iter().find(|document| document.is_there());
    let Some(found) = found else {
        reporter.report(format!(
            "no metadata of the authorization server {} was found, as at {}",
            quote(first.issuer.as_deref().unwrap_or_default()),
            visible(&first.url, 120)
        ));
        return;
    };
    let value = json::read(found.text.as_deref().unwrap_or_default()).value;
    let faults = faults(&value, found.issuer.as_deref());
    if !faults.is_empty() {
        reporter.report(format!(
            "the metadata of the authorization server at {}: {}",
            visible(&found.url, 120),
            faults.join("; ")
        ));
    }
}

fn faults(metadata: &Value, expected: Option<&str>) -> Vec<String> {
    if !metadata.is_object() {
        return vec!["it is no JSON object".to_owned()];
    }
    let mut faults = Vec::new();
    let issuer = metadata.get("issuer").and_then(Value::as_str);
    match (issuer, expected) {
        (None, _) => faults.push("it has no `issuer`".to_owned()),
        (Some(issuer), Some(expected)) if issuer != expected => faults.push(format!(
            "`issuer` is {}, and the resource names {}",
            quote(issuer),
            quote(expected)
        )),
        (Some(_), _) => {}
    }
    for key in ["authorization_endpoint", "token_endpoint"] {
        match metadata.get(key).and_then(Value::as_str) {
            None => faults.push(format!("it has no `{key}`")),
            Some(address) if !is_safe(address) => {
                faults.push(format!(
                    "`{key}` is not reached over HTTPS: {}",
                    quote(address)
                ));
            }
            Some(_) => {}
        }
    }
    let methods = metadata
        .get("code_challenge_methods_supported")
        .and_then(Value::as_array);
    if !methods.is_some_and(|methods| methods.iter().any(|method| method == "S256")) {
        faults.push("`code_challenge_methods_supported` does not list `S256`".to_owned());
    }
    faults
}

fn is_safe(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.scheme() == "https" || needs::is_local(&url))
}
