//! The `initialize` handshake of 2024-11-05 to 2025-11-25.

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::super::{Connection, Identity, Reply};
use super::discover::{capabilities, client_info, text};
use super::{Refusal, UNLIMITED};
use crate::model::contact::Era;
use crate::model::inventory::ServerInfo;
use crate::protocol::revision::Revision;
use crate::protocol::{json, jsonrpc};

/// How long `capabilities` may be, in bytes of JSON. Longer ones are not kept.
const KEPT_CAPABILITIES: usize = 256 * 1024;

/// How long the result of a first message may be that is kept whole, in bytes.
const KEPT_RESULT: usize = 256 * 1024;

/// How much of a name, a version or the instructions is kept, in bytes.
pub(super) const KEPT_TEXT: usize = 64 * 1024;

impl Connection {
    /// The handshake, and once more with the revision that a refusal names: a server
    /// should offer another itself, and some refuse instead.
    pub(super) async fn legacy(
        &mut self,
        offer: &Revision,
        by: Instant,
    ) -> Result<(), Box<Refusal>> {
        let Err(refusal) = self.initialize(offer, by).await else {
            return Ok(());
        };
        let is_forced = self.settings.approach.reach.revision.is_some();
        let Some(named) = named(&refusal.exchanged.reply, offer).filter(|_| !is_forced) else {
            return Err(refusal);
        };
        self.initialize(&named, by).await?;
        self.ledger.note(format!(
            "the server refused `initialize` with {offer} in place of offering {named}, which it accepts"
        ));
        Ok(())
    }

    /// Sends `initialize`, reads the reply, sends `notifications/initialized`.
    pub(super) async fn initialize(
        &mut self,
        offer: &Revision,
        by: Instant,
    ) -> Result<(), Box<Refusal>> {
        self.speak(Era::Legacy, offer);
        let params = self.initialize_params(offer);
        let refusal = self
            .patient_exchange("initialize", Some(&params), UNLIMITED, by)
            .await;
        let identity = match &refusal.exchanged.reply {
            Reply::Result(raw) => {
                let raw = raw.clone();
                self.read_initialize(&raw)
            }
            _ => None,
        };
        let Some(identity) = identity else {
            let outcome = outcome(&refusal.exchanged.reply);
            self.attempted(&refusal, outcome);
            return Err(refusal);
        };
        let version = identity.protocol_version.clone();
        self.attempted(
            &refusal,
            format!(
                "connected: {}",
                version.as_deref().unwrap_or("no revision named")
            ),
        );
        if let Some(version) = &version {
            self.link.set_version(version);
        }
        self.identity = identity;
        self.notify("notifications/initialized", None).await;
        if self.settings.approach.reach.answer.is_some() {
            // It may ask on a stream of its own.
            self.link.listen().await;
        }
        Ok(())
    }

    /// A new session with the revision of the old one.
    pub(in crate::client) async fn renew_session(
        &mut self,
        by: Instant,
    ) -> Result<(), Box<Refusal>> {
        let offer = self.revision.clone();
        self.initialize(&offer, by).await
    }

    fn initialize_params(&self, offer: &Revision) -> String {
        format!(
            r#"{{"protocolVersion":"{offer}","capabilities":{},"clientInfo":{}}}"#,
            capabilities(self.settings.approach.reach.answer),
            client_info()
        )
    }

    /// The whole request, for another framing.
    pub(super) fn initialize_request(&self, offer: &Revision) -> String {
        jsonrpc::request(
            self.last_id + 1,
            "initialize",
            Some(&self.initialize_params(offer)),
        )
    }

    /// `None` when the result is no object.
    fn read_initialize(&mut self, result: &RawValue) -> Option<Identity> {
        // Cleaned first: a server may well echo a credential of its environment.
        let names = [
            "protocolVersion",
            "capabilities",
            "serverInfo",
            "instructions",
        ];
        let clean = self.ledger.clean_json(result.get());
        let [version, capabilities, server, instructions] = json::pick(&clean, names)?;
        let identity = Identity {
            protocol_version: version.as_deref().and_then(text),
            ..self.read_identity(
                capabilities.as_deref(),
                server.as_deref(),
                instructions.as_deref(),
            )
        };
        match &identity.protocol_version {
            None => self
                .ledger
                .note("the reply to `initialize` has no `protocolVersion`"),
            Some(version) if !Revision::read(version).is_published() => self.ledger.note(format!(
                "the server chose the protocol revision `{version}`, which was never published"
            )),
            Some(_) => {}
        }
        self.contact.initialize = kept(clean);
        Some(identity)
    }

    /// What a server says of itself in either era; all texts are clean.
    pub(super) fn read_identity(
        &mut self,
        capabilities: Option<&RawValue>,
        server: Option<&RawValue>,
        instructions: Option<&RawValue>,
    ) -> Identity {
        let mut identity = Identity::default();
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
            identity.server = read_server(raw);
        }
        identity.server.instructions = instructions.and_then(text);
        identity
    }
}

/// A clean result as it is kept; `None` when it is too long.
pub(super) fn kept(clean: String) -> Option<Box<RawValue>> {
    if clean.len() > KEPT_RESULT {
        return None;
    }
    RawValue::from_string(clean).ok()
}

/// The newest legacy revision, but for the one that was offered, whose date stands in
/// an error.
fn named(reply: &Reply, offered: &Revision) -> Option<Revision> {
    let Reply::Error { message, data, .. } = reply else {
        return None;
    };
    let in_data = data.as_deref().map_or("", RawValue::get);
    let said = |revision: &&Revision| {
        let name = revision.as_str();
        revision.is_legacy()
            && *revision != offered
            && (message.contains(name) || in_data.contains(name))
    };
    Revision::PUBLISHED.iter().rev().find(said).cloned()
}

/// What a refused handshake came to, in a sentence.
fn outcome(reply: &Reply) -> String {
    match reply {
        Reply::Result(_) => "a result that is no object".to_owned(),
        Reply::Error { code, message, .. } => format!("refused (error {code}): {message}"),
        Reply::HttpRefused { .. } => "turned away".to_owned(),
        Reply::Broken => "no message".to_owned(),
        Reply::Timeout => "no reply in time".to_owned(),
        Reply::Closed => "the process ended or the connection closed".to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_may_name_what_would_be_accepted() {
        let refusal = |message: &str, data: &str| Reply::Error {
            code: -32602,
            message: message.to_owned(),
            data: RawValue::from_string(data.to_owned()).ok(),
        };
        let offered = Revision::V2025_11_25;
        for (reply, expected) in [
            (
                refusal("only 2025-06-18", "null"),
                Some(Revision::V2025_06_18),
            ),
            (
                refusal(
                    "no",
                    r#"{"supported":["2024-11-05","2025-03-26"],"requested":"2025-11-25"}"#,
                ),
                Some(Revision::V2025_03_26),
            ),
            (refusal("no 2025-11-25", r#"["2026-07-28"]"#), None),
            (refusal("on 2030-01-01", "{}"), None),
            (Reply::Timeout, None),
        ] {
            assert_eq!(named(&reply, &offered), expected, "{reply:?}");
        }
    }
}
