//! Where the server is.

use url::Url;

use super::{Met, not_tested, only_if, traffic};
use crate::model::evidence::Evidence;
use crate::model::target::is_loopback;

/// The server is on this machine.
pub(in crate::rules::requirements) fn loopback(evidence: &Evidence) -> Met {
    traffic(evidence)?;
    only_if(address(evidence).is_some_and(|url| is_local(&url)))
}

/// The server is on another machine.
pub(in crate::rules::requirements) fn remote(evidence: &Evidence) -> Met {
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
