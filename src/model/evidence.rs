//! Everything that was seen in a run: dated, serialisable, secrets removed.
//!
//! Evidence is the waist of the house. `--evidence FILE` saves it and
//! `mcprobe check FILE` judges it again without a server.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact::{Answered, Contact};
use super::fuzz::{Exchange, ExitStatus, FuzzRun};
use super::inventory::Inventory;
use super::probe::{Envelope, Probes};
use super::target::TargetLabel;
use super::wire::{Ending, HttpFacts, ProgressFacts, Redirect, ResultFacts};

/// The version of the evidence shape. A reader refuses a newer one.
pub const EVIDENCE_VERSION: u32 = 1;

/// All observations of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// [`EVIDENCE_VERSION`].
    pub evidence_version: u32,
    /// The program that saw it.
    pub producer: Producer,
    /// What was audited.
    pub target: TargetLabel,
    /// How far the probe came.
    pub probe_state: ProbeState,
    /// What went wrong, where something ended the probe early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What the server declares.
    pub inventory: Inventory,
    /// How it was reached.
    #[serde(default)]
    pub contact: Contact,
    /// What else went over the wire.
    #[serde(default)]
    pub wire: Wire,
    /// The extra exchanges of the probe script, where it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<Probes>,
    /// Whether calls were asked for, whatever came of it.
    #[serde(default)]
    pub fuzz_asked: bool,
    /// The calls, where calls were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuzz: Option<FuzzRun>,
    /// Why the run ended before its plan did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<CutShort>,
    /// Times and host facts.
    pub run: RunFacts,
}

/// The program that made evidence or a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// `mcprobe`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Default for Producer {
    fn default() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// How far the probe came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeState {
    /// Connected, and the tools were listed.
    Ok,
    /// Something answered, but there was no handshake.
    NoHandshake,
    /// Connected, but the tools could not be listed.
    NoTools,
    /// The process ended before the tools were listed.
    Crash,
    /// No answer in time.
    Timeout,
    /// What came is no JSON-RPC.
    NotJson,
    /// The process could not be started.
    SpawnError,
    /// HTTP 401 or 403.
    Unauthorized,
    /// Nothing answered at the address.
    Unreachable,
}

impl ProbeState {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NoHandshake => "no-handshake",
            Self::NoTools => "no-tools",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::NotJson => "not-json",
            Self::SpawnError => "spawn-error",
            Self::Unauthorized => "unauthorized",
            Self::Unreachable => "unreachable",
        }
    }
}

impl fmt::Display for ProbeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What ended a probe early.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// One line: what happened, where, what to do.
    pub message: String,
    /// How the process ended, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<ExitStatus>,
    /// The last of standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The exchange that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// What went over the wire besides replies to our requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Wire {
    /// Lines on standard output that are no messages: how many.
    pub noise_lines: u64,
    /// The first of them, cut.
    pub noise_first: Vec<String>,
    /// Messages that are not UTF-8: how many.
    pub invalid_utf8_messages: u64,
    /// Notifications by method, in order of first sight.
    pub notifications: Vec<Seen>,
    /// Requests of the server by method, in order of first sight.
    pub server_requests: Vec<Seen>,
    /// What was answered to those requests, and what came of it, in order of first
    /// sight. A `ping` is not told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    /// Replies to nothing that we asked (or that came too late).
    pub stray_replies: u64,
    /// Messages that break the rules of their envelope.
    pub envelope: Envelope,
    /// Requests and notifications that came before `notifications/initialized` was
    /// sent, by method, in order of first sight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before_initialized: Vec<Seen>,
    /// Progress notifications, and those that break a rule.
    #[serde(skip_serializing_if = "ProgressFacts::is_empty")]
    pub progress: ProgressFacts,
    /// What results hold besides their content, by method in order of first sight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultFacts>,
    /// HTTP replies by method, status and media type, in order of first sight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<HttpFacts>,
    /// Redirects over HTTP, each once, in order of first sight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Redirect>,
    /// How a stdio server ended; absent over HTTP and where nothing was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// Anything else worth knowing, a sentence each.
    pub notes: Vec<String>,
}

/// A method and how often it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// The method.
    pub method: String,
    /// How often.
    pub count: u64,
}

/// Why a run ended before its plan did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CutShort {
    /// The limit of the whole run.
    Deadline,
    /// The time that all calls together were given (`--budget`).
    Budget,
    /// Ctrl-C or a stop signal; the number is the signal's.
    Cancelled(i32),
    /// The server could not be started again after a crash.
    NoRestart,
}

/// Times and host facts: all that may differ between two runs of one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunFacts {
    /// RFC 3339, UTC.
    pub started_at: String,
    /// The whole run.
    pub duration_ms: u64,
    /// From the start to the end of the handshake.
    pub connect_ms: u64,
    /// Reading the lists.
    pub gather_ms: u64,
    /// All calls.
    pub fuzz_ms: u64,
    /// Operating system and architecture.
    pub host: String,
}
