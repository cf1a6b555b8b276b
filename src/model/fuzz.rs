//! What was called, what was left alone, and how each call was taken.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::answer::{Answer, CallName, ContentFault, FileChange, FollowUp, Shrunk};
use super::rows::Rows;

/// Which tools may be called; each level adds to the one before.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum FuzzLevel {
    /// Tools known to read.
    Safe,
    /// Every tool but those that say `destructiveHint: true`.
    Writes,
    /// Every tool.
    Destructive,
}

impl FuzzLevel {
    /// The word for it in output and settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Writes => "writes",
            Self::Destructive => "destructive",
        }
    }

    /// The flag that asks for it.
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Safe => "--fuzz",
            Self::Writes => "--fuzz-writes",
            Self::Destructive => "--fuzz-destructive",
        }
    }
}

impl fmt::Display for FuzzLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What a case is for; decides which score counts it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum CaseClass {
    /// Fits the schema; made by the generator.
    Generated,
    /// Fits the schema; the user's own example arguments.
    Example,
    /// Breaks the declared schema in one way.
    Malformed,
    /// Breaks the declared type by a value that converts harmlessly ("5" for 5).
    Coercion,
    /// Adds a key that an open object allows.
    ExtraKey,
    /// Allowed by the schema, yet servers trip over it.
    Edge,
}

impl CaseClass {
    /// Whether the arguments fit the declared schema and should simply work.
    pub const fn is_valid(self) -> bool {
        matches!(self, Self::Generated | Self::Example)
    }

    /// Whether the arguments break the declared schema.
    pub const fn breaks_schema(self) -> bool {
        matches!(self, Self::Malformed | Self::Coercion)
    }
}

/// One fuzz input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    /// `valid`, `missing_required:<field>`, `wrong_type:<field>`, …
    pub label: String,
    /// What it is for.
    pub class: CaseClass,
    /// The `arguments` exactly as sent (raw, because some values fit no tree).
    pub arguments: Box<RawValue>,
}

/// How the server took a case.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// A result without `isError`.
    Ok,
    /// A result with `isError: true`.
    ToolError,
    /// A JSON-RPC error reply.
    RpcError,
    /// Asks for more input, hands out a task, or was turned away by HTTP (401, 403,
    /// 429, 503, a redirect) before the tool was asked: inconclusive.
    InputRequired,
    /// No reply within the call's limit.
    Timeout,
    /// The process ended, the transport closed, or the reply is no JSON-RPC.
    ProtocolCrash,
}

impl Outcome {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "toolError",
            Self::RpcError => "rpcError",
            Self::InputRequired => "inputRequired",
            Self::Timeout => "timeout",
            Self::ProtocolCrash => "protocolCrash",
        }
    }

    /// Whether the server answered and said no.
    pub const fn is_refusal(self) -> bool {
        matches!(self, Self::ToolError | Self::RpcError)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// One call and how it went.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FuzzRow {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// The input.
    pub case: Case,
    /// How it was taken.
    pub outcome: Outcome,
    /// Success on arguments that break the declared schema.
    #[serde(default)]
    pub silently_accepted: bool,
    /// Success on a value that converts harmlessly.
    #[serde(default)]
    pub coerced: bool,
    /// Success on valid arguments with nothing in it.
    #[serde(default)]
    pub empty_success: bool,
    /// Success whose structured content does not fit `outputSchema`: where and how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema_violation: Option<String>,
    /// The error text of a refusal, whole up to the kept size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
    /// The JSON-RPC error code of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<i64>,
    /// Byte offset of the first byte of the reply that is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid_utf8_at: Option<usize>,
    /// For a call during which the server ended: whether the same call alone
    /// on a fresh process ended it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
    /// What a success says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The first part of a refusal's result that the revision's schema does not allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal_fault: Option<ContentFault>,
    /// For a crash that the call alone does not cause: the calls that the same
    /// process took before it, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<CallName>,
    /// Smaller arguments that crash or hang the server as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Shrunk>,
    /// What changed in watched folders during the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<FileChange>,
    /// What went over the wire.
    pub exchange: Exchange,
    /// From the request's last byte to the reply, in microseconds.
    pub latency_us: u64,
}

/// Bytes of a reply and of a refusal that are kept where there is no room for more.
const HEAD: usize = 512;

impl FuzzRow {
    /// Keeps no more than the first 512 bytes of the reply and of the refusal, and of
    /// the request where it was refused: its arguments are in the case as well.
    pub fn keep_heads(&mut self) {
        let request = &mut self.exchange.request;
        if self.outcome.is_refusal() && request.len() > HEAD {
            request.truncate(request.floor_char_boundary(HEAD));
            request.push(CUT);
            request.shrink_to_fit();
        }
        if let Some(reply) = &mut self.exchange.reply
            && reply.len() > HEAD
        {
            self.exchange.reply_bytes.get_or_insert(reply.len());
            reply.truncate(reply.floor_char_boundary(HEAD));
            reply.shrink_to_fit();
        }
        if let Some(text) = &mut self.error_text
            && text.len() > HEAD
        {
            text.truncate(text.floor_char_boundary(HEAD));
            text.push(CUT);
            text.shrink_to_fit();
        }
    }
}

/// Stands at the end of a refusal or a request that was cut.
const CUT: char = '…';

/// Whether two refusals say the same, as far as both are kept.
pub fn is_same_refusal(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    if one == other {
        return true;
    }
    let kept = |text: &str| {
        let head = text.strip_suffix(CUT)?;
        (head.len() + 4 > HEAD).then(|| head.trim_end().len())
    };
    let common = match (kept(one), kept(other)) {
        (Some(one), Some(other)) => one.min(other),
        (Some(one), None) if one < other.len() => one,
        (None, Some(other)) if other < one.len() => other,
        _ => return false,
    };
    one.as_bytes()[..common] == other.as_bytes()[..common]
}

/// A request and what came of it, as bytes on the wire showed it (secrets
/// removed, long replies cut).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Exchange {
    /// The request message.
    pub request: String,
    /// The reply message, or whatever came in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Length of the whole reply in bytes, where it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_bytes: Option<usize>,
    /// HTTP status of the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// Why there is no reply, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// How the process ended, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<ExitStatus>,
    /// The last of standard error, where the process ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExitStatus {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// What a tool's turn in the plan came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolTurn {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// Called, or left alone and why.
    pub decision: Decision,
}

/// Whether a tool is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    tag = "kind"
)]
pub enum Decision {
    /// It is called, because of this.
    Call {
        /// Why it is thought right to call it.
        because: String,
    },
    /// It is left alone.
    Skip {
        /// Why.
        because: String,
        /// What would include it: a flag or lines for `mcprobe.toml`.
        include_with: String,
    },
}

impl Decision {
    /// Whether the tool is called.
    pub const fn calls(&self) -> bool {
        matches!(self, Self::Call { .. })
    }
}

/// A tool that was given up before its last case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Abandoned {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// How many of its cases were not sent.
    pub cases_left: usize,
    /// Why it was given up.
    pub because: String,
}

impl Abandoned {
    /// The reason when the run ended at a case.
    pub fn run_ended_at(case: &str) -> String {
        format!("the run ended at its case `{case}`")
    }
}

/// All calls of a run, in plan order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FuzzRun {
    /// What was allowed.
    pub level: FuzzLevel,
    /// The seed of the cases.
    pub seed: u64,
    /// Every listed tool and what was decided about it.
    pub turns: Vec<ToolTurn>,
    /// Every call made.
    pub rows: Rows,
    /// Tools given up before their last case.
    pub abandoned: Vec<Abandoned>,
    /// What was looked at besides the cases.
    #[serde(default)]
    pub follow_up: FollowUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_that_were_cut_are_compared_as_far_as_they_are_kept() {
        let whole = "no such record; ".repeat(60);
        let cut = |at: usize| format!("{}{CUT}", &whole[..at]);
        assert!(is_same_refusal("no", " no "));
        assert!(!is_same_refusal("no", "no…"));
        assert!(!is_same_refusal("no…", "no such record"));
        assert!(is_same_refusal(&cut(512), &whole));
        assert!(is_same_refusal(&whole, &cut(600)));
        assert!(is_same_refusal(&cut(600), &cut(512)));
        let other = whole.replacen("record", "ticket", 1);
        assert!(!is_same_refusal(&other, &cut(512)));
        assert!(!is_same_refusal(&cut(512), &whole[..400]));
    }
}
