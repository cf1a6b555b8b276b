//! How a target was reached: what was tried on the way there, and what the server
//! said of itself in the end.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::inventory::Inventory;

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
