//! How a target was reached: what was tried on the way there, and what the server
//! said of itself in the end.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::inventory::Inventory;
use crate::protocol::revision::Revision;

/// The way to a connection, successful or not.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Contact {
    /// The era that the audit speaks; absent when there is no connection, and in a capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub era: Option<Era>,
    /// What carries the messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<Carrier>,
    /// Everything that was tried, in order; the last one may have succeeded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// The raw result of `server/discover`, secrets removed, up to 256 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discover: Option<Box<RawValue>>,
    /// The raw result of `initialize`, secrets removed, up to 256 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initialize: Option<Box<RawValue>>,
    /// What the server declares in the other era, for one that speaks both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_era: Option<OtherEra>,
    /// Over HTTP with SSE: what the `endpoint` event named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<SseEndpoint>,
    /// What a server that wants credentials (HTTP 401) says about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<AuthMetadata>,
}

/// Which of the two lifecycles (MCP "Lifecycle" and "Versioning", 2026-07-28).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// The `initialize` handshake: 2024-11-05 to 2025-11-25.
    Legacy,
    /// Self-contained requests: 2026-07-28 and later.
    Modern,
}

impl Era {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// What carries the messages, told more finely than the target does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Carrier {
    /// A child process, one JSON message a line.
    Stdio,
    /// Streamable HTTP: 2025-03-26 and later.
    StreamableHttp,
    /// HTTP with SSE, of 2024-11-05: a GET stream with an `endpoint` event.
    Sse,
}

impl Carrier {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::StreamableHttp => "streamable-http",
            Self::Sse => "sse",
        }
    }
}

/// One thing that was tried on the way to a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Attempt {
    /// `server/discover`, `initialize`, `GET (endpoint event)`, `tools/list`, …
    pub what: String,
    /// HTTP status, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Media type of the reply, lower case, without parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// The first 200 bytes of what came, secrets removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// What it came to, in a sentence ("a legacy server: error -32601").
    pub outcome: String,
    /// How long it took, in milliseconds. Shown in the report's `run` alone.
    pub ms: u64,
}

/// What the `endpoint` event of HTTP with SSE named (MCP 2024-11-05, "Transports").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SseEndpoint {
    /// Its data as sent, secrets removed, up to 2 KiB.
    pub given: String,
    /// The address it comes to, without user, query and fragment; absent when it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
    /// Why nothing is sent there, in a sentence; absent when it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Which eras an audit may speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// The newest that the server speaks; of one that speaks both, lifecycle and lists
    /// of the other as well.
    #[default]
    Both,
    /// This one alone.
    Only(Era),
}

/// How a server may be reached, as the user forces it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Which eras may be spoken.
    pub era: EraChoice,
    /// The transport of an address; found out when absent.
    pub carrier: Option<Carrier>,
    /// The one revision that is spoken; negotiated when absent.
    pub revision: Option<Revision>,
    /// How requests of the server are answered; nothing is declared when absent.
    pub answer: Option<Answer>,
}

/// A dual-era server's other side: lifecycle and lists once more.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherEra {
    /// Which one.
    pub era: Era,
    /// What it declares there.
    pub inventory: Inventory,
    /// Why it could not be listed, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What a server that answers 401 says about where its credentials come from (MCP
/// "Authorization"; RFC 9728, RFC 8414).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AuthMetadata {
    /// The values of `WWW-Authenticate` on the 401, secrets removed, each up to 4 KiB,
    /// eight at most. Empty when there was no such header.
    pub challenges: Vec<String>,
    /// Whether credentials were sent with the request that got the 401.
    pub credentials_given: bool,
    /// Every document that was asked for, in order, sixteen at most.
    pub documents: Vec<AuthDocument>,
}

/// One document of the authorization metadata, there or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthDocument {
    /// What it should be.
    pub kind: AuthDocumentKind,
    /// What named its address.
    pub named_by: NamedBy,
    /// Its address, without user, query and fragment.
    pub url: String,
    /// For metadata of an authorization server: the issuer, as the protected
    /// resource's metadata names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// HTTP status; absent when there was no reply or it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Media type, lower case, without parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// The body as text, secrets removed, up to 64 KiB; absent when there was no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why there is no reply, in a sentence; also why it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl AuthDocument {
    /// Whether the server has it.
    pub fn is_there(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }
}

/// What a document of the authorization metadata should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AuthDocumentKind {
    /// Protected resource metadata (RFC 9728).
    ProtectedResource,
    /// Authorization server metadata (RFC 8414).
    AuthorizationServer,
    /// The same by `OpenID` Connect Discovery 1.0.
    OpenIdProvider,
}

/// What named the address of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NamedBy {
    /// `resource_metadata` in the challenge.
    Challenge,
    /// The well-known address with the server's path.
    WellKnownPath,
    /// The well-known address at the root.
    WellKnownRoot,
    /// The issuer that the resource's metadata names.
    Issuer,
    /// Nothing: the server may be its own authorization server (2025-03-26).
    ServerItself,
}

/// How the client answers a server that asks something of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// With what was asked for: form defaults, a fixed text, no roots.
    Accept,
    /// Elicitation is declined, all else refused by an error.
    Decline,
    /// Elicitation is cancelled, all else refused by an error.
    Cancel,
    /// Not at all.
    Silence,
    /// With error -32601, since nothing was declared.
    Refused,
}

/// Answers of the client to requests of the server, and what came of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// What the server asked: `elicitation/create`, `sampling/createMessage`, …
    pub method: String,
    /// How it was answered.
    pub answer: Answer,
    /// The method of our request that was in flight.
    pub during: String,
    /// How that request ended.
    pub then: AfterAnswer,
    /// How often all this was so.
    pub count: u64,
}

/// How a request ended during which the server was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AfterAnswer {
    /// A result or an error.
    Replied,
    /// Nothing within the limit.
    Silent,
    /// The process ended or the connection closed.
    Closed,
    /// Something that is no reply.
    Broken,
}
