//! One document by GET, from whatever host names it: nothing of ours goes along, no
//! redirect is followed, and a name that leads to a private address is refused where
//! those are.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::header::ACCEPT;
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use super::dial::{self, describe};
use super::{head, is_private, is_private_ip};
use crate::transport::from_now;

/// How much of a document is read, in bytes.
const READ: usize = 64 * 1024;

/// How long one document may take.
const LIMIT: Duration = Duration::from_secs(5);

/// What came of asking for a document.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    pub(crate) status: Option<u16>,
    pub(crate) media: Option<String>,
    pub(crate) text: Option<String>,
    /// Why there is no reply, or why it is not whole.
    pub(crate) failure: Option<String>,
}

impl Fetched {
    /// One that was not asked for.
    pub(crate) fn not_asked(why: String) -> Self {
        Self {
            failure: Some(why),
            ..Self::default()
        }
    }
}

/// Asks for a document; `may_be_private` says whether it may come from an address
/// that only this machine or its network reaches.
pub(crate) async fn fetch(url: &Url, may_be_private: bool, by: Instant) -> Fetched {
    let by = by.min(from_now(LIMIT));
    match timeout_at(by, read(url, may_be_private)).await {
        Ok(Ok(fetched)) => fetched,
        Ok(Err(why)) => Fetched::not_asked(why),
        Err(_) => Fetched::not_asked("no reply in time".to_owned()),
    }
}

async fn read(url: &Url, may_be_private: bool) -> Result<Fetched, String> {
    let addresses = addresses(url).await?;
    let leads_inside = addresses.iter().any(|address| is_private_ip(address.ip()));
    if !may_be_private && (leads_inside || is_private(url)) {
        return Err("not asked for: its name leads to a private address".to_owned());
    }
    let client = dial::client_to(url, &addresses)?;
    let mut response = client
        .get(url.clone())
        .header(ACCEPT, "application/json")
        .send()
        .await
        .map_err(|error| describe(&error))?;
    let head = head(&response);
    let mut body = Vec::new();
    let mut failure = None;
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) => {
                let room = READ - body.len();
                body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                if bytes.len() > room {
                    failure = Some(format!("it is longer than {} KiB", READ >> 10));
                    break;
                }
            }
            Ok(None) => break,
            Err(error) => {
                failure = Some(format!("the body broke off: {}", describe(&error)));
                break;
            }
        }
    }
    Ok(Fetched {
        status: Some(head.status),
        media: Some(head.media).filter(|media| !media.is_empty()),
        text: Some(String::from_utf8_lossy(&body).into_owned()),
        failure,
    })
}

/// What the host's name leads to, so that the connection goes where was looked.
async fn addresses(url: &Url) -> Result<Vec<SocketAddr>, String> {
    let port = url.port_or_known_default().unwrap_or(443);
    match url.host() {
        Some(Host::Domain(name)) => tokio::net::lookup_host((name, port))
            .await
            .map(Iterator::collect)
            .map_err(|_| "its name cannot be resolved".to_owned()),
        Some(Host::Ipv4(ip)) => Ok(vec![SocketAddr::new(ip.into(), port)]),
        Some(Host::Ipv6(ip)) => Ok(vec![SocketAddr::new(ip.into(), port)]),
        None => Err("it names no host".to_owned()),
    }
}
