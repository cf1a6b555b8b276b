//! One place where a rule fired.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a finding matters. Ordered from the worst down.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Breaks the protocol's text, JSON Schema, or the tool itself.
    Error,
    /// Costs the agent something, or goes against a SHOULD.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// The word for it in output and settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Severity {
    type Err = String;

    /// Takes our word and mcp-probe's (`high`, `medium`, `low`).
    fn from_str(word: &str) -> Result<Self, String> {
        match word.to_ascii_lowercase().as_str() {
            "error" | "high" | "critical" => Ok(Self::Error),
            "warning" | "warn" | "medium" => Ok(Self::Warning),
            "info" | "low" => Ok(Self::Info),
            _ => Err(format!(
                "`{word}` is no severity; use error, warning or info"
            )),
        }
    }
}

/// What the user decided about a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleChoice {
    /// Its findings are not shown and do not gate.
    Off,
    /// Its findings have this severity.
    Severity(Severity),
}

/// A group of rules that can be picked and gated together.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// The twelve scored rules.
    Lint,
    /// What an unattended agent could do.
    Safety,
    /// What server-written text could do to a model.
    Text,
    /// What a named client refuses.
    Compat,
    /// What the protocol's text forbids.
    Protocol,
    /// How the server behaves as a process.
    Process,
    /// How tools behave when called.
    Call,
    /// What the user's own settings file says, and no longer holds.
    Settings,
}

impl Family {
    /// Every family, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Lint,
        Self::Safety,
        Self::Text,
        Self::Compat,
        Self::Protocol,
        Self::Process,
        Self::Call,
        Self::Settings,
    ];

    /// The word for it in output and settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Safety => "safety",
            Self::Text => "text",
            Self::Compat => "compat",
            Self::Protocol => "protocol",
            Self::Process => "process",
            Self::Call => "call",
            Self::Settings => "settings",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Where a rule fired. All absent means the server as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// The tool's label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The parameter's name (the last named property on the way).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// JSON pointer into the result of `tools/list`, or into the call's result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The tool's position in the list, for keeping two tools of one name apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_index: Option<usize>,
    /// Whether the parameter lies below the top level of its schema.
    #[serde(default)]
    pub nested: bool,
}

/// A section of a specification, and the keyword it uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// Link to the section.
    pub link: Cow<'static, str>,
    /// MUST, SHOULD, …, where the text has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<Cow<'static, str>>,
}

/// One place where a rule fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Dotted id of the rule.
    pub code: Cow<'static, str>,
    /// The rule's family.
    pub family: Family,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, here.
    pub message: String,
    /// What it costs, in one sentence.
    pub why: Cow<'static, str>,
    /// What to do about it.
    pub hint: Cow<'static, str>,
    /// Where.
    pub location: Location,
    /// The case's label, where it is about a call: with the tool it names the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What forbids it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Spec>,
    /// How many times the same matter occurs; the `classic` score counts each.
    pub occurrences: u32,
    /// Stable id of this finding: the same rule at the same place.
    pub fingerprint: String,
}
