//! What a success says, and what was looked at besides the cases of the plan:
//! repeats, lists read again, a call to no tool, files that changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fuzz::{CaseClass, Exchange, Outcome};

/// What a success says, measured while its result was whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Answer {
    /// Length of the `result` in bytes.
    pub bytes: usize,
    /// Characters of all its text; of the structured content where there is no
    /// text.
    pub text_chars: usize,
    /// The first part of it that the revision's schema does not allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ContentFault>,
    /// Its beginning, where that tells of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Its beginning, where that refuses in words arguments that are not plainly good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Equal for answers that say the same.
    pub digest: String,
    /// Equal for answers that say the same but for numbers, dates and ids.
    pub shape: String,
}

/// A part of a result that the protocol's schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentFault {
    /// JSON pointer into the result.
    pub pointer: String,
    /// What is wrong there.
    pub what: String,
}

/// A call by its names; the arguments stand in the row with these names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallName {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// The case's label.
    pub case: String,
}

/// Smaller arguments that fail in the same way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shrunk {
    /// The smallest that were found.
    pub arguments: Box<serde_json::value::RawValue>,
    /// Calls that it took to find them.
    pub tries: u32,
}

/// A file or folder that changed in a watched folder during a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileChange {
    /// Its path, beginning with the watched folder as it was given.
    pub path: String,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What became of a file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// It is new.
    Created,
    /// Its content or its time of change is another.
    Changed,
    /// It is gone.
    Removed,
}

impl ChangeKind {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// What was looked at besides the cases of the plan.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FollowUp {
    /// Valid calls that were made again, in plan order.
    pub repeats: Vec<Repeat>,
    /// Lists of tools that differ from the first one.
    pub relistings: Vec<Relisting>,
    /// A call to a tool that does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_tool: Option<UnknownTool>,
    /// The folders that were watched, as they were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<String>,
    /// What could not be watched, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwatched: Vec<String>,
    /// What else was noticed, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A valid call that was made again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeat {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// The case's label.
    pub case: String,
    /// Whether the tool says `idempotentHint: true`.
    pub idempotent: bool,
    /// At once, with no call between.
    pub again: Taken,
    /// Twice after all other calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Taken>,
    /// Alone on a fresh process or session, where `later` differs from the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<Taken>,
    /// Where the tools were called in the opposite order and this one was taken
    /// otherwise: so, and twice alone on another fresh process or session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reversed: Vec<Taken>,
}

/// How a repeated call was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// How it was taken.
    pub outcome: Outcome,
    /// As [`Answer::shape`]; of the error text for a refusal.
    pub shape: String,
    /// The text of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
}

/// A list of tools that differs from the first one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relisting {
    /// The tool after whose calls it was read; absent at the end of all calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_tool: Option<String>,
    /// Whether the server had said that the list changed.
    pub announced: bool,
    /// What was listed, by name.
    pub tools: Vec<ListedTool>,
}

/// A tool of a list, by name and content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListedTool {
    /// The tool's name; its position where it has none.
    pub name: String,
    /// Equal for equal entries.
    pub digest: String,
}

/// A call to a tool that does not exist.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownTool {
    /// The name that was called.
    pub name: String,
    /// How it was taken.
    pub outcome: Outcome,
    /// The JSON-RPC error code of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<i64>,
    /// The text of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
    /// What went over the wire.
    pub exchange: Exchange,
}

impl UnknownTool {
    /// The class under which its reply is read: whatever comes, nothing valid
    /// was asked for.
    pub const CLASS: CaseClass = CaseClass::Malformed;
}
