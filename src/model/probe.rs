//! What the fixed script of extra requests showed, and how messages broke the
//! rules of their envelope.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fuzz::Exchange;
pub use crate::protocol::envelope::EnvelopeKind;

/// The probe exchanges of a run, in the order of the script.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Probes {
    /// Every exchange made.
    pub made: Vec<Probe>,
    /// Probes of the script that were not made, and why; sorted by name.
    pub left_out: Vec<LeftOut>,
}

impl Probes {
    /// The probe with this name, where it was made.
    pub fn get(&self, name: &str) -> Option<&Probe> {
        self.made.iter().find(|probe| probe.name == name)
    }
}

/// One probe exchange.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Probe {
    /// Its name in the script (`docs/probes.md`), as `unknown-method`.
    pub name: String,
    /// What went over the wire. `request` is the raw text sent, broken or not; over
    /// HTTP the request line and the headers that matter stand before it.
    pub exchange: Exchange,
    /// How it was taken.
    pub taken: Taken,
    /// The HTTP reply's headers that a rule may need, names in lower case.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Messages that came before the reply (or in place of one), raw, cut at 2 KiB,
    /// 20 at most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<String>,
    /// Whether the server still answered afterwards; absent when it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alive: Option<bool>,
    /// How a list that was read again differs from the first reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<ListComparison>,
    /// The form of the session id that this exchange gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionForm>,
}

/// How a list that was read again differs from the first reading. Names are labels
/// (`tools[3]` where there is none); twenty of each kind at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ListComparison {
    /// Why it could not be compared; the rest is empty then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
    /// The same entries in another order.
    pub reordered: bool,
    /// Entries that were not there before.
    pub added: Vec<String>,
    /// Entries that are gone.
    pub removed: Vec<String>,
    /// Entries with other content.
    pub changed: Vec<String>,
}

impl ListComparison {
    /// Whether both readings hold the same entries, in whatever order.
    pub fn same_entries(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// What a session id looks like; the id itself is a secret and differs by run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionForm {
    /// Its length in bytes.
    pub bytes: usize,
    /// Whether all bytes are 0x21 to 0x7E.
    pub visible_ascii: bool,
    /// Whether another session of the run had the same id.
    pub repeated: bool,
}

/// How a probe was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Taken {
    /// A JSON-RPC result.
    Result,
    /// A JSON-RPC error; its code (0 when it is no integer).
    Error(i64),
    /// Nothing within the probe's limit.
    #[default]
    Silence,
    /// An HTTP reply without a JSON-RPC message in it.
    HttpOnly,
    /// Something that is no JSON-RPC response.
    Broken,
    /// The process ended or the connection closed.
    Closed,
}

/// A probe that was not made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LeftOut {
    /// Its name in the script.
    pub name: String,
    /// Why: "not over stdio", "`--no-probe`", "the server was gone after `parse-error`".
    pub because: String,
}

/// Messages that break the rules of their envelope (MCP "Overview: Messages"), over
/// the whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Envelope {
    /// One entry a kind, in order of first sight.
    pub faults: Vec<EnvelopeFault>,
    /// JSON-RPC error codes that were seen and how often, by code.
    pub error_codes: BTreeMap<i64, u64>,
}

/// One kind of broken envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvelopeFault {
    /// Which rule it breaks.
    pub kind: EnvelopeKind,
    /// How many messages.
    pub count: u64,
    /// The first one, raw, secrets removed, cut at 2 KiB.
    pub first: String,
    /// The request that was in flight, cut at 2 KiB; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during: Option<String>,
}
