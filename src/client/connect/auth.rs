//! What a server that wants credentials says about where they come from: the
//! challenge, the protected resource's metadata and its authorization servers'.
//!
//! Nothing of ours goes along: no credential, no header of the user's. Sources: MCP
//! "Authorization", RFC 9728 section 3, RFC 8414 section 3, `OpenID` Connect
//! Discovery 1.0 section 4.

use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::super::Connection;
use crate::model::contact::{AuthDocument, AuthDocumentKind, AuthMetadata, NamedBy};
use crate::model::secret::Torn;
use crate::protocol::json;
use crate::protocol::message::string;
use crate::protocol::modern::strings;
use crate::transport::from_now;
use crate::transport::http::document::{self, Fetched};
use crate::transport::http::{HttpTransport, is_private, shown};

/// How much of a challenge is kept, in bytes.
const KEPT_CHALLENGE: usize = 4 * 1024;

/// How much of a document is kept, in bytes.
const KEPT_DOCUMENT: usize = 64 * 1024;

/// How many documents are asked for.
const MAX_DOCUMENTS: usize = 16;

/// How many authorization servers are looked at.
const MAX_SERVERS: usize = 3;

/// How long all of it may take.
const LIMIT: Duration = Duration::from_secs(15);

/// Documents that are asked for, one after the other until one is there.
struct Wanted {
    kind: AuthDocumentKind,
    named_by: NamedBy,
    url: Url,
}

impl Connection {
    /// Reads what is said after HTTP 401, once, for rules. Up to 15 s, and nothing of it can
    /// fail: what is not there is what was found.
    pub(in crate::client) async fn read_auth_metadata(&mut self) {
        if self.contact.auth.is_some() {
            return;
        }
        let Some(address) = self.link.http().map(|http| http.url().clone()) else {
            return;
        };
        let Some(head) = self.link.head().filter(|head| head.status == 401) else {
            return;
        };
        let by = from_now(LIMIT).min(self.settings.deadline);
        let said = head.challenges.clone();
        let mut found = AuthMetadata {
            challenges: said
                .iter()
                .map(|challenge| {
                    self.ledger
                        .clean_and_bound(challenge, KEPT_CHALLENGE, Torn::Nowhere)
                })
                .collect(),
            credentials_given: self.link.http().is_some_and(HttpTransport::has_credentials),
            documents: Vec::new(),
        };
        let named = said
            .iter()
            .find_map(|challenge| parameter(challenge, "resource_metadata"));
        let resource = self
            .first(&mut found, resources(&address, named.as_deref()), None, by)
            .await;
        let issuers = resource.as_deref().map(issuers).unwrap_or_default();
        if issuers.is_empty() {
            let own = Wanted {
                kind: AuthDocumentKind::AuthorizationServer,
                named_by: NamedBy::ServerItself,
                url: well_known(&address, "oauth-authorization-server", ""),
            };
            self.first(&mut found, vec![own], None, by).await;
        }
        for issuer in issuers {
            let wanted = Url::parse(&issuer).map(|url| metadata_of(&url));
            self.first(&mut found, wanted.unwrap_or_default(), Some(&issuer), by)
                .await;
        }
        self.contact.auth = Some(found);
    }

    /// Asks for one document after the other until one is a JSON object; its text, not
    /// cleaned.
    async fn first(
        &self,
        found: &mut AuthMetadata,
        wanted: Vec<Wanted>,
        issuer: Option<&str>,
        by: Instant,
    ) -> Option<String> {
        let address = self.link.http()?.url().clone();
        for wanted in wanted {
            if found.documents.len() == MAX_DOCUMENTS {
                return None;
            }
            let fetched = match refusal(&address, &wanted.url) {
                Some(why) => Fetched::not_asked(why),
                None => document::fetch(&wanted.url, is_private(&address), by).await,
            };
            let text = fetched.text;
            found.documents.push(AuthDocument {
                kind: wanted.kind,
                named_by: wanted.named_by,
                url: self.ledger.clean(&shown(&wanted.url)),
                issuer: issuer.map(|issuer| self.ledger.clean_and_cut(issuer, KEPT_CHALLENGE)),
                status: fetched.status,
                media: fetched.media,
                text: text
                    .as_deref()
                    .map(|text| self.ledger.clean_and_bound(text, KEPT_DOCUMENT, Torn::End)),
                failure: fetched.failure.map(|why| self.ledger.clean(&why)),
            });
            let is_there = fetched.status == Some(200);
            if let Some(text) = text.filter(|text| is_there && json::pick(text, [""]).is_some()) {
                return Some(text);
            }
        }
        None
    }
}

/// Why a document is not asked for: only the server's own origin, or https.
fn refusal(address: &Url, wanted: &Url) -> Option<String> {
    if wanted.origin() == address.origin() {
        return None;
    }
    if wanted.scheme() != "https" && !(is_private(address) && is_private(wanted)) {
        return Some("not asked for: it is at another origin and not https".to_owned());
    }
    (is_private(wanted) && !is_private(address))
        .then(|| "not asked for: the address is private and the server's is not".to_owned())
}

/// Where the protected resource's metadata may be.
fn resources(address: &Url, named: Option<&str>) -> Vec<Wanted> {
    let wanted = |named_by, url| Wanted {
        kind: AuthDocumentKind::ProtectedResource,
        named_by,
        url,
    };
    if let Some(url) = named.and_then(|named| address.join(named).ok()) {
        return vec![wanted(NamedBy::Challenge, url)];
    }
    let path = address.path().trim_end_matches('/');
    let name = "oauth-protected-resource";
    let mut all = Vec::new();
    if !path.is_empty() {
        all.push(wanted(
            NamedBy::WellKnownPath,
            well_known(address, name, path),
        ));
    }
    all.push(wanted(
        NamedBy::WellKnownRoot,
        well_known(address, name, ""),
    ));
    all
}

/// Where the metadata of an authorization server may be.
fn metadata_of(issuer: &Url) -> Vec<Wanted> {
    let wanted = |kind, url| Wanted {
        kind,
        named_by: NamedBy::Issuer,
        url,
    };
    let path = issuer.path().trim_end_matches('/');
    let mut all = vec![
        wanted(
            AuthDocumentKind::AuthorizationServer,
            well_known(issuer, "oauth-authorization-server", path),
        ),
        wanted(
            AuthDocumentKind::OpenIdProvider,
            well_known(issuer, "openid-configuration", path),
        ),
    ];
    if !path.is_empty() {
        let mut behind = well_known(issuer, "openid-configuration", "");
        behind.set_path(&format!("{path}/.well-known/openid-configuration"));
        all.push(wanted(AuthDocumentKind::OpenIdProvider, behind));
    }
    all
}

/// A well-known address at an origin, the path behind it.
fn well_known(base: &Url, name: &str, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("/.well-known/{name}{path}"));
    url.set_query(None);
    url.set_fragment(None);
    // Fails only for addresses without a host, which are not spoken to.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// The authorization servers that a resource's metadata names.
fn issuers(metadata: &str) -> Vec<String> {
    let listed = json::pick(metadata, ["authorization_servers"]).and_then(|[listed]| listed);
    let mut issuers = listed.as_deref().map(strings).unwrap_or_default();
    issuers.truncate(MAX_SERVERS);
    issuers
}

/// The value of a parameter of a challenge, as a quoted string or a token (RFC 9110,
/// section 11.2).
fn parameter(challenge: &str, name: &str) -> Option<String> {
    let at = challenge.to_ascii_lowercase().find(&format!("{name}="))?;
    let value = &challenge[at + name.len() + 1..];
    let value = match value.strip_prefix('"') {
        Some(quoted) => {
            // The quotes of JSON and of HTTP escape alike what an address may hold.
            let end = quoted.find('"')?;
            string(&format!("\"{}\"", &quoted[..end]))?
        }
        None => value
            .split([',', ' ', '\t'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    Some(value).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect(text)
    }

    #[test]
    fn challenges_name_their_metadata() {
        for (challenge, expected) in [
            (
                r#"Bearer error="invalid", resource_metadata="https://a.example/x?y=1", scope="r""#,
                Some("https://a.example/x?y=1"),
            ),
            ("Bearer Resource_Metadata=/here, x=y", Some("/here")),
            (r#"Bearer resource_metadata="open"#, None),
            ("Bearer resource_metadata=", None),
            ("Bearer", None),
        ] {
            assert_eq!(
                parameter(challenge, "resource_metadata").as_deref(),
                expected,
                "{challenge}"
            );
        }
    }

    #[test]
    fn documents_stand_where_the_texts_say() {
        let at = |wanted: Vec<Wanted>| -> Vec<String> {
            wanted.iter().map(|wanted| wanted.url.to_string()).collect()
        };
        let server = url("https://u:p@a.example/mcp/?k=v#f");
        assert_eq!(
            at(resources(&server, None)),
            [
                "https://a.example/.well-known/oauth-protected-resource/mcp",
                "https://a.example/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            at(resources(&server, Some("/meta"))),
            ["https://u:p@a.example/meta"]
        );
        assert_eq!(
            at(metadata_of(&url("https://as.example/tenant1"))),
            [
                "https://as.example/.well-known/oauth-authorization-server/tenant1",
                "https://as.example/.well-known/openid-configuration/tenant1",
                "https://as.example/tenant1/.well-known/openid-configuration",
            ]
        );
        assert_eq!(at(metadata_of(&url("https://as.example"))).len(), 2);
    }

    #[test]
    fn nothing_private_is_asked_for_a_public_server() {
        let public = url("https://a.example/mcp");
        let own = url("http://127.0.0.1:9/mcp");
        assert!(refusal(&public, &url("https://a.example/x")).is_none());
        assert!(refusal(&public, &url("https://as.example/x")).is_none());
        assert!(refusal(&public, &url("http://as.example/x")).is_some());
        for private in [
            "https://10.0.0.1/",
            "https://169.254.169.254/",
            "https://[fd00::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://localhost/",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
        ] {
            assert!(refusal(&public, &url(private)).is_some(), "{private}");
        }
        assert!(refusal(&own, &url("http://localhost:8/x")).is_none());
    }
}
