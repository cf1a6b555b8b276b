//! What all traffic of a run shows, message by message: counted, never stored
//! whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::Seen;

/// The results of one method, as far as their outer members go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResultFacts {
    /// The method that was asked for.
    pub method: String,
    /// How many results came.
    pub count: u64,
    /// `resultType` as raw JSON and how often; `absent` where there was none. Ten
    /// different ones at most, each cut at 80 characters.
    pub result_types: BTreeMap<String, u64>,
    /// Results without `io.modelcontextprotocol/serverInfo` in their `_meta`.
    pub without_server_info: u64,
    /// `ttlMs` as raw JSON and how often, as `result_types`.
    pub ttl_ms: BTreeMap<String, u64>,
    /// `cacheScope` as raw JSON and how often, as `result_types`.
    pub cache_scopes: BTreeMap<String, u64>,
    /// Methods that `inputRequests` ask for, in order of first sight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input_requests: Vec<Seen>,
}

/// HTTP replies to one method with one status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HttpFacts {
    /// The method of the request or notification that was posted.
    pub method: String,
    /// The status.
    pub status: u16,
    /// The media type in lower case, without parameters; empty when absent.
    pub media: String,
    /// The charset that the content type names, in lower case; absent for UTF-8 and
    /// ASCII, and when it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// The content encoding of a body that we did not ask for and cannot read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// How many such replies.
    pub count: u64,
    /// How many of them carried an `Mcp-Session-Id`.
    pub with_session: u64,
}

/// A redirect that a message of ours met. Addresses are told without user, query and
/// fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Redirect {
    /// The status.
    pub status: u16,
    /// The address that was asked.
    pub from: String,
    /// The address that the reply names; absent when it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whether the message went there. Later ones go there at once.
    pub followed: bool,
}

/// `notifications/progress` of a run (MCP "Progress").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProgressFacts {
    /// Tokens that we gave.
    pub tokens_given: u64,
    /// Notifications with a token of ours while its request was in flight.
    pub in_flight: u64,
    /// Notifications with a token that we never gave, or none.
    pub unknown_token: u64,
    /// Notifications that came after the reply to their request.
    pub after_reply: u64,
    /// Notifications whose `progress` is not greater than the one before, or no
    /// number.
    pub not_increasing: u64,
    /// The first one that breaks a rule, raw, secrets removed, cut at 2 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}

impl ProgressFacts {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How a stdio server ended when the audit was done with it. Steps, not
/// milliseconds: two runs of one server say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// What it took.
    pub by: EndedBy,
    /// Whether each step had its whole time (5 s for the end of input, 2 s for the
    /// stop signal); `false` near the run's deadline and on cancel.
    pub full_waits: bool,
    /// Whether processes that it started were still there when it had ended by
    /// itself; absent where that cannot be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children_left: Option<bool>,
}

/// The step that ended a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndedBy {
    /// It had ended before.
    Earlier,
    /// Its standard input was closed.
    EndOfInput,
    /// SIGTERM, after the end of input had not been enough.
    StopSignal,
    /// SIGKILL, after SIGTERM had not been enough.
    KillSignal,
}
