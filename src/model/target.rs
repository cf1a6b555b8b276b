//! What is audited.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// What is audited, as the user named it.
#[derive(Debug, Clone)]
pub enum Target {
    /// A server that is already running and reached over HTTP.
    Url(Url),
    /// A server that is started for the audit and spoken to over stdio.
    Command(ServerCommand),
}

/// How a stdio server is started.
#[derive(Debug, Clone, Default)]
pub struct ServerCommand {
    /// The program and its arguments; never empty, no shell involved.
    pub argv: Vec<String>,
    /// Variables that the user named, on top of the clean environment.
    pub env: BTreeMap<String, String>,
    /// The folder to start in; ours when absent.
    pub cwd: Option<PathBuf>,
    /// Whom it runs as; ourselves when absent. Only root can choose.
    pub user: Option<Owner>,
}

/// Whom a process or a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The user's number.
    pub uid: u32,
    /// The group's number.
    pub gid: u32,
}

/// Which mover of messages reached the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// A child process, one JSON message a line.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// No server: a saved or captured list.
    Capture,
}

impl TransportKind {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Capture => "capture",
        }
    }
}

/// Whether an address leads to this machine, which no proxy can reach for us.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost")
                || name.to_ascii_lowercase().ends_with(".localhost")
        }
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The target as it may be shown: no userinfo, no secret query value, no
/// secret argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetLabel {
    /// How it was reached.
    pub transport: TransportKind,
    /// The redacted URL, command line or file name.
    pub display: String,
    /// The user's own name for it (`--name`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
