//! The HTTP client: trusted roots, proxies, and no cookies, redirects or
//! process-wide settings. Built only for HTTP targets: roots cost time to load.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use url::{Host, Url};

use crate::model::secret::Secret;
use crate::model::target::is_loopback;

const CONNECT: Duration = Duration::from_secs(10);

/// Builds a client for one target; the error is a sentence.
pub(crate) fn client(url: &Url) -> Result<reqwest::Client, String> {
    let mut builder = builder();
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    build(builder, url)
}

/// Builds a client that goes to these addresses for the host's name, by no proxy.
pub(super) fn client_to(url: &Url, addresses: &[SocketAddr]) -> Result<reqwest::Client, String> {
    let builder = builder().no_proxy();
    let name = url.host_str().unwrap_or_default();
    build(builder.resolve_to_addrs(name, addresses), url)
}

/// Builds a client that leaves bodies as they come, compressed or not.
pub(super) fn undecoding_client(url: &Url) -> Result<reqwest::Client, String> {
    let mut builder = builder().no_gzip();
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    build(builder, url)
}

fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .user_agent(concat!("mcprobe/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
}

fn build(builder: reqwest::ClientBuilder, url: &Url) -> Result<reqwest::Client, String> {
    // Plain HTTP to this machine meets no certificate; the system's roots are
    // the dearest part of the start.
    let needs_roots = !(is_loopback(url) && url.scheme() == "http");
    let tls = tls(needs_roots).map_err(|error| format!("TLS cannot be set up: {error}"))?;
    builder
        .tls_backend_preconfigured(tls)
        .build()
        .map_err(|error| format!("the HTTP client cannot be set up: {}", describe(&error)))
}

fn tls(needs_roots: bool) -> Result<ClientConfig, rustls::Error> {
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let mut tls = if needs_roots {
        versions.with_platform_verifier()?.with_no_client_auth()
    } else {
        versions
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth()
    };
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(tls)
}

/// Whether an address is one that only this machine or its network reaches, as far as
/// its text says.
pub(crate) fn is_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_private_ip(ip.into()),
        Some(Host::Ipv6(ip)) => is_private_ip(ip.into()),
        Some(Host::Domain(_)) => is_loopback(url),
        None => false,
    }
}

/// The same of a number.
pub(crate) fn is_private_ip(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                || first == 0
                // Shared address space (RFC 6598).
                || (first == 100 && (64..128).contains(&second))
        }
        IpAddr::V6(ip) => {
            ip.is_loopback()
                || ip.is_unspecified()
                || ip.is_unique_local()
                || ip.is_unicast_link_local()
        }
    }
}

/// The headers of every POST: what the transport needs, then the user's own.
pub(super) fn headers(own: &[(String, Secret)]) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in own {
        let bad = || format!("`{name}` cannot be sent as a header");
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// What went wrong, innermost cause last. Never the URL: it may hold a secret.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no connection in time".to_owned();
    }
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    // The outer layers only say "client error (Connect)".
    match causes.pop() {
        Some(innermost) => without_number(&innermost).to_owned(),
        None if error.is_decode() => "the body cannot be decoded".to_owned(),
        None => "the exchange broke off".to_owned(),
    }
}

/// A system's sentence without its number, which says nothing to people and
/// differs between systems.
fn without_number(text: &str) -> &str {
    text.find(" (os error ").map_or(text, |at| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_every_name() {
        for (url, expected) in [
            ("http://localhost:1/mcp", true),
            ("http://a.LOCALHOST./", true),
            ("http://127.8.0.1/", true),
            ("http://[::1]:8080/", true),
            ("http://10.0.0.1/", false),
            ("http://localhost.example.com/", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).expect(url)), expected, "{url}");
        }
    }

    #[test]
    fn a_client_needs_no_global_provider() {
        for url in ["https://example.com/", "http://127.0.0.1/"] {
            client(&Url::parse(url).expect(url)).expect(url);
        }
        assert!(rustls::crypto::CryptoProvider::get_default().is_none());
    }
}
