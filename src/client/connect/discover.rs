//! `server/discover`, the first message to every server: who knows it speaks the
//! modern era.
//!
//! Three errors can come of a modern server alone; no other error says anything.

use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::super::{Connection, Discovered, Identity, Reply};
use super::{Refusal, UNLIMITED, Unreached};
use crate::model::contact::{Answer, Era};
use crate::protocol::json;
use crate::protocol::message::string;
use crate::protocol::modern::{self, META_SERVER, UNSUPPORTED_VERSION};
use crate::protocol::revision::{OFFERED, Revision};

/// The method.
pub(in crate::client) const DISCOVER: &str = "server/discover";

/// What `server/discover` came to.
pub(super) enum Discovery {
    /// The modern era is spoken from now on.
    Modern,
    /// Anything else, which `initialize` with this revision may follow.
    Legacy(Box<Refusal>, Revision),
    /// Silence, or the end of the process or the connection.
    NoReply(Box<Refusal>),
    /// Turned away for a reason that another first message does not change.
    Refused(Box<Refusal>),
}

/// What the versions of a modern server come to.
enum Choice {
    /// One that both speak.
    Modern(Revision),
    /// Only legacy ones are spoken by both.
    Legacy(Revision),
    /// None is spoken by both.
    None,
}

impl Connection {
    /// Asks once, and once more where the server names another modern revision.
    /// Each answer is waited for no longer than `each`.
    pub(super) async fn discover(
        &mut self,
        revision: &Revision,
        each: Duration,
        by: Instant,
    ) -> Discovery {
        self.speak(Era::Modern, revision);
        let mut is_second = false;
        loop {
            let refusal = self.patient_exchange(DISCOVER, None, each, by).await;
            let status = refusal.exchanged.exchange.http_status;
            match &refusal.exchanged.reply {
                Reply::Result(raw) => {
                    let raw = raw.clone();
                    return self.read_discovery(refusal, &raw);
                }
                Reply::Error { code, data, .. } if *code == UNSUPPORTED_VERSION => {
                    let named = modern::supported(data.as_deref());
                    let choice = self.choose(&named);
                    let why = format!("a modern server (error {code})");
                    self.attempted(&refusal, why);
                    match choice {
                        Choice::Modern(revision) if !is_second => {
                            is_second = true;
                            self.speak(Era::Modern, &revision);
                        }
                        Choice::Legacy(revision) => return Discovery::Legacy(refusal, revision),
                        Choice::None if named.is_empty() => {
                            return Discovery::Legacy(refusal, OFFERED);
                        }
                        Choice::Modern(_) | Choice::None => return Discovery::Refused(refusal),
                    }
                }
                Reply::Error { code, .. } if modern::is_modern_error(*code) => {
                    let why = format!("a modern server that tells nothing (error {code})");
                    self.attempted(&refusal, why);
                    self.go_blind("a modern server refused `server/discover`");
                    return Discovery::Modern;
                }
                Reply::Error { .. } | Reply::HttpRefused { .. } if is_final(status) => {
                    self.attempted(&refusal, "turned away");
                    return Discovery::Refused(refusal);
                }
                Reply::Error { code, .. } => {
                    let why = format!("no modern server (error {code})");
                    self.attempted(&refusal, why);
                    return Discovery::Legacy(refusal, OFFERED);
                }
                Reply::HttpRefused { .. } | Reply::Broken => {
                    self.attempted(&refusal, "no message of a modern server");
                    return Discovery::Legacy(refusal, OFFERED);
                }
                Reply::Timeout => {
                    self.attempted(&refusal, "no reply in time");
                    return Discovery::NoReply(refusal);
                }
                Reply::Closed if self.link.is_unreachable() => {
                    self.attempted(&refusal, "no connection");
                    return Discovery::Refused(refusal);
                }
                Reply::Closed => {
                    self.attempted(&refusal, "the process ended or the connection closed");
                    return Discovery::NoReply(refusal);
                }
            }
        }
    }

    /// A result is one of a modern server when it lists versions.
    fn read_discovery(&mut self, refusal: Box<Refusal>, raw: &RawValue) -> Discovery {
        let clean = self.ledger.clean_json(raw.get());
        let names = [
            "supportedVersions",
            "capabilities",
            "instructions",
            "_meta",
            "serverInfo",
        ];
        let [versions, capabilities, instructions, meta, server] =
            json::pick(&clean, names).unwrap_or_default();
        let listed = versions.filter(|raw| json::first_elements(raw.get(), 1).is_some());
        let Some(listed) = listed.as_deref().map(modern::strings) else {
            self.attempted(&refusal, "no modern server (the result lists no versions)");
            return Discovery::Legacy(refusal, OFFERED);
        };
        let spoken = match self.choose(&listed) {
            Choice::Modern(revision) => revision,
            Choice::None if listed.is_empty() => {
                self.ledger
                    .note("`supportedVersions` in the result of `server/discover` is empty");
                self.revision.clone()
            }
            Choice::Legacy(revision) => {
                self.attempted(
                    &refusal,
                    format!("a server that lists legacy revisions alone, the newest {revision}"),
                );
                return Discovery::Legacy(refusal, revision);
            }
            Choice::None => {
                self.attempted(&refusal, "a server of other revisions");
                return Discovery::Refused(refusal);
            }
        };
        self.attempted(&refusal, format!("connected: {spoken}"));
        self.speak(Era::Modern, &spoken);
        let server = meta
            .and_then(|meta| json::pick(meta.get(), [META_SERVER]))
            .and_then(|[server]| server)
            // An earlier draft had it at the top.
            .or(server);
        self.identity = Identity {
            protocol_version: Some(spoken.as_str().to_owned()),
            ..self.read_identity(
                capabilities.as_deref(),
                server.as_deref(),
                instructions.as_deref(),
            )
        };
        self.contact.discover = super::initialize::kept(clean);
        Discovery::Modern
    }

    /// A modern server that says nothing of itself.
    pub(super) fn go_blind(&mut self, note: &str) {
        self.discovered = Discovered::Nothing;
        self.ledger.note(note);
        self.identity = Identity {
            protocol_version: Some(self.revision.as_str().to_owned()),
            ..Identity::default()
        };
    }

    fn choose(&self, listed: &[String]) -> Choice {
        let names = || listed.iter().map(String::as_str);
        let wanted = self.settings.approach.reach.revision.as_ref();
        let suits = |revision: &Revision| wanted.is_none_or(|wanted| wanted == revision);
        if let Some(revision) = Revision::newest(names(), |found| found.is_modern() && suits(found))
        {
            return Choice::Modern(revision);
        }
        match Revision::newest(names(), |found| found.is_legacy() && suits(found)) {
            Some(revision) => Choice::Legacy(revision),
            None => Choice::None,
        }
    }

    /// The last resort over HTTP: a modern server without `server/discover` lists its
    /// tools all the same.
    pub(super) async fn try_blindly(&mut self, by: Instant) -> Result<(), Unreached> {
        self.speak(Era::Modern, &self.spoken());
        let refusal = self
            .patient_exchange("tools/list", None, UNLIMITED, by)
            .await;
        if matches!(refusal.exchanged.reply, Reply::Result(_)) {
            self.attempted(&refusal, format!("connected: {}", self.revision));
            self.go_blind("a modern server without `server/discover`");
            return Ok(());
        }
        self.attempted(&refusal, "no modern server either");
        Err(self.explain(*refusal))
    }

    /// What each request of the modern era has in its `_meta`.
    pub(in crate::client) fn meta(&self) -> [(&'static str, String); 3] {
        [
            (
                modern::META_VERSION,
                crate::protocol::jsonrpc::quote(self.revision.as_str()),
            ),
            (modern::META_CLIENT, client_info()),
            (
                modern::META_CAPABILITIES,
                capabilities(self.settings.approach.reach.answer).to_owned(),
            ),
        ]
    }
}

/// Whether HTTP says something that no other message changes.
const fn is_final(status: Option<u16>) -> bool {
    matches!(status, Some(300..=399 | 401 | 403 | 407 | 429 | 451))
}

/// Who we are, as JSON.
pub(super) fn client_info() -> String {
    format!(
        r#"{{"name":"mcprobe","version":"{}"}}"#,
        env!("CARGO_PKG_VERSION")
    )
}

/// What we say that we can do, as JSON.
pub(super) const fn capabilities(answer: Option<Answer>) -> &'static str {
    match answer {
        None | Some(Answer::Refused) => "{}",
        Some(Answer::Accept | Answer::Decline | Answer::Cancel | Answer::Silence) => {
            r#"{"roots":{},"sampling":{},"elicitation":{}}"#
        }
    }
}

/// A raw JSON text as a string, cut.
pub(super) fn text(raw: &RawValue) -> Option<String> {
    let mut text = string(raw.get())?;
    text.truncate(text.floor_char_boundary(super::initialize::KEPT_TEXT));
    Some(text)
}
