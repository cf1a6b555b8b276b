//! The `initialize` handshake of 2024-11-05 to 2025-11-25.

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::exchange::{GiveUp, RUN_IS_OVER};
use super::link::Link;
use super::sort::ECHOES;
use super::{Connection, Exchanged, Identity, Reply};
use crate::model::evidence::{Failure, ProbeState};
use crate::model::inventory::ServerInfo;
use crate::model::target::Target;
use crate::protocol::json;
use crate::protocol::message::string;
use crate::protocol::revision::{OFFERED, Revision};
use crate::transport::from_now;
use crate::transport::http::shown;

/// How long `capabilities` may be, in bytes of JSON. Longer ones are not kept.
const KEPT_CAPABILITIES: usize = 256 * 1024;

/// How much of a name, a version or the instructions is kept, in bytes.
const KEPT_TEXT: usize = 64 * 1024;

impl Connection {
    /// Sends `initialize`, reads the reply, sends `notifications/initialized`.
    pub(super) async fn handshake(&mut self, by: Instant) -> Result<(), (ProbeState, Failure)> {
        if let Link::Http { transport, .. } = &mut self.link {
            transport.reset();
        }
        let params = format!(
            r#"{{"protocolVersion":"{OFFERED}","capabilities":{{}},"clientInfo":{{"name":"mcprobe","version":"{}"}}}}"#,
            env!("CARGO_PKG_VERSION")
        );
        let began = Instant::now();
        let mut exchanged = self
            .exchange("initialize", Some(&params), by, GiveUp::Silent)
            .await;
        // A server may be busy at the very start.
        while exchanged.exchange.http_status == Some(429)
            && let Some(wait) = self.told_to_wait(by)
        {
            tokio::time::sleep(wait).await;
            exchanged = self
                .exchange("initialize", Some(&params), by, GiveUp::Silent)
                .await;
        }
        let identity = match &exchanged.reply {
            Reply::Result(raw) => self.read_identity(raw),
            _ => None,
        };
        let Some(identity) = identity else {
            return Err(self.explain(exchanged, began));
        };
        if let (Link::Http { transport, .. }, Some(version)) =
            (&mut self.link, &identity.protocol_version)
        {
            transport.set_version(version);
        }
        self.identity = identity;
        self.notify("notifications/initialized", None).await;
        Ok(())
    }

    fn told_to_wait(&self, by: Instant) -> Option<std::time::Duration> {
        let wait = self.link.head()?.retry_after?;
        (from_now(wait) < by && !wait.is_zero()).then_some(wait)
    }

    /// `None` when the result is no object.
    fn read_identity(&mut self, result: &RawValue) -> Option<Identity> {
        let mut identity = Identity::default();
        // Cleaned first: a server may well echo a credential of its environment.
        let names = [
            "protocolVersion",
            "capabilities",
            "serverInfo",
            "instructions",
        ];
        let clean = self.ledger.clean_json(result.get());
        let [version, capabilities, server, instructions] = json::pick(&clean, names)?;
        identity.protocol_version = version.as_deref().and_then(text);
        if let Some(raw) = capabilities {
            if raw.get().len() > KEPT_CAPABILITIES {
                self.ledger.note(format!(
                    "`capabilities` are longer than {} KiB and were not kept",
                    KEPT_CAPABILITIES >> 10
                ));
            } else {
                identity.capabilities = json::read(raw.get()).value;
            }
        }
        if let Some(raw) = server {
            identity.server = read_server(&raw);
        }
        identity.server.instructions = instructions.as_deref().and_then(text);
        match &identity.protocol_version {
            None => self
                .ledger
                .note("the reply to `initialize` has no `protocolVersion`"),
            Some(version) if !Revision::read(version).is_published() => self.ledger.note(format!(
                "the server chose the protocol revision `{version}`, which was never published"
            )),
            Some(_) => {}
        }
        Some(identity)
    }

    /// Why there was no handshake, for the person who has to act.
    fn explain(&self, exchanged: Exchanged, began: Instant) -> (ProbeState, Failure) {
        let Exchanged {
            exchange, reply, ..
        } = exchanged;
        let what = exchange.failure.clone().unwrap_or_default();
        let waited = format!("{:.1} s", began.elapsed().as_secs_f64());
        let is_stdio = matches!(self.link, Link::Stdio(_));
        let target = self.target();
        let noise = self.ledger.noise_lines();
        let (state, message) = match reply {
            Reply::Result(_) => (
                ProbeState::NoHandshake,
                format!("{target} answered `initialize` with a result that is no object"),
            ),
            Reply::Error { .. } | Reply::HttpRefused { .. }
                if matches!(exchange.http_status, Some(401 | 403)) =>
            {
                (
                    ProbeState::Unauthorized,
                    format!(
                        "{target} {}",
                        self.credentials_hint(exchange.http_status.unwrap_or_default())
                    ),
                )
            }
            Reply::Error { code, message, .. } => (
                ProbeState::NoHandshake,
                format!(
                    "{target} refused `initialize`: {} (code {code})",
                    self.ledger.clean_and_cut(&message, 200)
                ),
            ),
            Reply::HttpRefused {
                status: 300..=399, ..
            } => (
                ProbeState::NoHandshake,
                format!("{target} cannot be audited: {what}"),
            ),
            Reply::HttpRefused { .. } => (
                ProbeState::NoHandshake,
                format!("{target}: no usable reply to `initialize`: {what}"),
            ),
            Reply::Broken if what.contains(ECHOES) => (
                ProbeState::NoHandshake,
                format!("{target}: no usable reply to `initialize`: {what}"),
            ),
            Reply::Broken => (
                match exchange.http_status {
                    Some(status) if !(200..300).contains(&status) => ProbeState::NoHandshake,
                    _ => ProbeState::NotJson,
                },
                format!("{target}: no usable reply to `initialize`: {what}"),
            ),
            Reply::Timeout if self.is_over() => (
                ProbeState::Timeout,
                format!("{RUN_IS_OVER} {waited} after {target} was asked to `initialize`"),
            ),
            Reply::Timeout if noise > 0 => (
                ProbeState::NotJson,
                format!(
                    "{target} wrote {noise} lines that are no messages and did not answer `initialize` within {waited}{}",
                    self.framing_hint()
                ),
            ),
            Reply::Timeout if is_stdio => (
                ProbeState::Timeout,
                format!(
                    "{target} runs but did not answer `initialize` within {waited}; a longer start-up limit may help, or it does not speak MCP over stdio with one message a line"
                ),
            ),
            Reply::Timeout => (
                ProbeState::Timeout,
                format!("{target} did not answer `initialize` within {waited}"),
            ),
            Reply::Closed if is_stdio => {
                let words = exchange
                    .stderr_tail
                    .as_deref()
                    .and_then(telling_line)
                    .map(|line| format!(": {}", self.ledger.clean_and_cut(line.trim(), 200)))
                    .unwrap_or_default();
                (
                    ProbeState::Crash,
                    format!("{target} did not stay for the handshake: {what}{words}"),
                )
            }
            Reply::Closed => (
                ProbeState::Unreachable,
                format!("{target} cannot be reached: {what}"),
            ),
        };
        let stderr_tail = match &self.link {
            Link::Stdio(transport) if exchange.stderr_tail.is_none() => {
                transport.stderr_tail().map(|tail| self.last_words(&tail))
            }
            _ => exchange.stderr_tail.clone(),
        };
        let failure = Failure {
            message: self.ledger.clean(&message),
            exit: exchange.exit,
            stderr_tail,
            exchange: Some(exchange),
        };
        (state, failure)
    }

    /// The target without arguments, user or query: any may hold a secret.
    fn target(&self) -> String {
        match &self.settings.target {
            Target::Url(url) => shown(url),
            Target::Command(command) => {
                format!("`{}`", command.argv.first().map_or("", String::as_str))
            }
        }
    }

    fn credentials_hint(&self, status: u16) -> String {
        if self.settings.headers.is_empty() {
            format!("wants credentials (HTTP {status}); give them with --bearer or --header")
        } else {
            format!("refuses the given credentials (HTTP {status})")
        }
    }

    fn framing_hint(&self) -> &'static str {
        let wire = self.ledger.wire();
        let framed = wire
            .noise_first
            .iter()
            .any(|line| line.to_ascii_lowercase().starts_with("content-length:"));
        if framed {
            "; it frames messages with `Content-Length` headers, which the stdio transport does not allow"
        } else {
            ""
        }
    }
}

fn read_server(raw: &RawValue) -> ServerInfo {
    let names = ["name", "version", "title"];
    let [name, version, title] = json::pick(raw.get(), names).unwrap_or_default();
    ServerInfo {
        name: name.as_deref().and_then(text),
        version: version.as_deref().and_then(text),
        title: title.as_deref().and_then(text),
        instructions: None,
    }
}

/// At most [`KEPT_TEXT`] of what is a string.
fn text(raw: &RawValue) -> Option<String> {
    let mut text = string(raw.get())?;
    text.truncate(text.floor_char_boundary(KEPT_TEXT));
    Some(text)
}

/// The line of standard error that says most: the first that names an error,
/// else the last one.
fn telling_line(tail: &str) -> Option<&str> {
    let names_error =
        |line: &&str| line.contains("Error:") || line.to_ascii_lowercase().starts_with("error");
    let mut lines = tail.lines().filter(|line| !line.trim().is_empty());
    lines
        .clone()
        .find(names_error)
        .or_else(|| lines.next_back())
}
