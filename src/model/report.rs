//! The whole judged run.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checked::ProtocolSection;
use super::contact::{Attempt, Carrier, Era};
use super::evidence::{CutShort, Failure, ProbeState, Producer, RunFacts};
use super::finding::{Finding, Severity};
use super::fuzz::{Abandoned, FuzzLevel};
use super::inventory::ServerInfo;
use super::rows::Rows;
use super::suppression::SuppressionSection;
use super::target::TargetLabel;

/// Everything that the pictures show.
#[derive(Debug, Clone)]
pub struct Report {
    /// The program that judged.
    pub producer: Producer,
    /// What was audited.
    pub target: TargetLabel,
    /// Who the server says it is.
    pub server: ServerInfo,
    /// The negotiated revision.
    pub protocol_version: Option<String>,
    /// How it was reached.
    pub reached: Reached,
    /// How far the probe came.
    pub probe_state: ProbeState,
    /// What ended it early.
    pub failure: Option<Failure>,
    /// Why the run ended before its plan did.
    pub cut_short: Option<CutShort>,
    /// How many entries each list has; `None` where it was not read.
    pub counts: Counts,
    /// The model whose number gates.
    pub score_model: ScoreModel,
    /// Both models.
    pub scores: Scores,
    /// How much of the score rests on calls.
    pub completeness: Completeness,
    /// Findings as shown: subsumed ones left out, the worst first.
    pub findings: Vec<Finding>,
    /// What the user decided to live with; `None` where that is nothing.
    pub suppressions: Option<SuppressionSection>,
    /// What the run says about each requirement of the protocol; `None` where that
    /// family was not picked.
    pub protocol: Option<ProtocolSection>,
    /// The calls; `None` when none were asked for.
    pub fuzz: Option<FuzzSection>,
    /// Which tools were called, which not and why.
    pub coverage: Coverage,
    /// What else was seen, a sentence each.
    pub notes: Vec<String>,
    /// What this run says nothing about.
    pub untested: Vec<Untested>,
    /// The gate's answer.
    pub verdict: Verdict,
    /// Times and host facts.
    pub run: RunFacts,
}

/// How a server was reached.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// The era that was spoken; absent without a connection, and in a capture.
    pub era: Option<Era>,
    /// What carried the messages.
    pub carrier: Option<Carrier>,
    /// Everything that was tried, in order.
    pub attempts: Vec<Attempt>,
    /// The other side of a server that speaks both eras.
    pub other: Option<OtherSide>,
}

/// The other era of a server that speaks both.
#[derive(Debug, Clone)]
pub struct OtherSide {
    /// Which one.
    pub era: Era,
    /// The revision that was spoken there.
    pub protocol_version: Option<String>,
    /// Tools listed there; absent where the list was not read.
    pub tools: Option<usize>,
    /// Why it could not be listed, in a sentence.
    pub failure: Option<String>,
}

impl Report {
    /// The score of the model that gates.
    pub const fn score(&self) -> &ModelScore {
        self.scores.of(self.score_model)
    }
}

/// How many entries each list has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tools.
    pub tools: Option<usize>,
    /// Prompts.
    pub prompts: Option<usize>,
    /// Resources.
    pub resources: Option<usize>,
    /// Resource templates.
    pub resource_templates: Option<usize>,
}

/// A way of making a number of evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScoreModel {
    /// Judges a server by its own contract.
    #[default]
    Contract,
    /// The formula of the tool that many people come from.
    Classic,
}

impl ScoreModel {
    /// The word for it in output and settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Classic => "classic",
        }
    }
}

impl fmt::Display for ScoreModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for ScoreModel {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "contract" => Ok(Self::Contract),
            "classic" => Ok(Self::Classic),
            _ => Err(format!(
                "`{word}` is no score model; use contract or classic"
            )),
        }
    }
}

/// Both scores of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The `contract` model.
    pub contract: ModelScore,
    /// The `classic` model.
    pub classic: ModelScore,
}

impl Scores {
    /// The score of one model.
    pub const fn of(&self, model: ScoreModel) -> &ModelScore {
        match model {
            ScoreModel::Contract => &self.contract,
            ScoreModel::Classic => &self.classic,
        }
    }
}

/// One model's number and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelScore {
    /// Which model.
    pub model: ScoreModel,
    /// The model's version; a changed formula is a new version.
    pub version: u32,
    /// 0–100; `None` when there is nothing to score.
    pub overall: Option<u32>,
    /// The letter for it.
    pub grade: Option<Grade>,
    /// The four dimensions in their fixed order.
    pub dimensions: Vec<DimensionScore>,
    /// The arithmetic of the overall, in a line.
    pub arithmetic: String,
    /// The cap that was applied, where one was.
    pub cap: Option<Cap>,
}

/// A limit on the overall score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cap {
    /// The highest overall that is left.
    pub limit: u32,
    /// The overall without it.
    pub uncapped: u32,
    /// Why.
    pub because: String,
}

/// A letter for a score.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[expect(missing_docs, reason = "the letters speak for themselves")]
pub enum Grade {
    A,
    B,
    C,
    D,
    F,
}

impl Grade {
    /// The letter for an overall score of 0–100.
    pub const fn of(overall: u32) -> Self {
        match overall {
            90.. => Self::A,
            75..90 => Self::B,
            60..75 => Self::C,
            40..60 => Self::D,
            0..40 => Self::F,
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::F => "F",
        })
    }
}

/// One of the four questions a score answers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    /// Does it say who it is?
    Metadata,
    /// Do its schemas tell an agent what to send?
    SchemaQuality,
    /// Does it refuse bad input cleanly?
    ErrorHandling,
    /// Do good calls work?
    Liveness,
}

impl Dimension {
    /// The four, in their fixed order.
    pub const ALL: [Self; 4] = [
        Self::Metadata,
        Self::SchemaQuality,
        Self::ErrorHandling,
        Self::Liveness,
    ];

    /// The key in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::SchemaQuality => "schemaQuality",
            Self::ErrorHandling => "errorHandling",
            Self::Liveness => "liveness",
        }
    }

    /// The title for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Metadata => "Metadata & Documentation",
            Self::SchemaQuality => "Schema Quality",
            Self::ErrorHandling => "Error Handling",
            Self::Liveness => "Liveness & Performance",
        }
    }
}

/// A dimension's score.
#[derive(Debug, Clone, PartialEq)]
pub struct DimensionScore {
    /// Which dimension.
    pub dimension: Dimension,
    /// 0–10, two decimals; `None` when it was not measured.
    pub score: Option<f64>,
    /// How it came about, a sentence each.
    pub reasons: Vec<String>,
}

/// How much of the score rests on calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completeness {
    /// The word for it.
    pub level: CompletenessLevel,
    /// Why it is not more, a sentence each.
    pub reasons: Vec<String>,
}

/// The three grades of completeness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum CompletenessLevel {
    /// At least half of the tools were judged by calls.
    #[serde(rename = "full")]
    Full,
    /// Fewer than half of the tools were judged by calls.
    #[serde(rename = "partial")]
    Partial,
    /// No behaviour was measured.
    #[serde(rename = "static only")]
    StaticOnly,
}

impl CompletenessLevel {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::StaticOnly => "static only",
        }
    }
}

impl fmt::Display for CompletenessLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The calls of a run, as shown.
#[derive(Debug, Clone)]
pub struct FuzzSection {
    /// What was allowed.
    pub level: FuzzLevel,
    /// The seed of the cases.
    pub seed: u64,
    /// Every call, in plan order.
    pub rows: Rows,
    /// Tools given up before their last case.
    pub abandoned: Vec<Abandoned>,
    /// For each row how much its refusal helps, 0 to 3; `None` where nothing that
    /// breaks the schema was refused.
    pub points: Vec<Option<u8>>,
    /// How much the refusals of each tool help, in plan order.
    pub helpfulness: Vec<ToolHelpfulness>,
    /// How long the answered calls of each tool took, in plan order.
    pub latencies: Vec<ToolLatency>,
}

/// How long the answered calls of one tool took, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolLatency {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// Calls that were answered.
    pub calls: usize,
    /// Half of them took at most this.
    pub p50_us: u64,
    /// 95 of 100 of them took at most this.
    pub p95_us: u64,
}

/// How much the refusals of one tool help whoever has to correct the call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolHelpfulness {
    /// The tool's label.
    pub tool: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// Refusals of arguments that break the schema.
    pub refusals: usize,
    /// Those that name the field.
    pub name_field: usize,
    /// Those that say what was expected there.
    pub say_expected: usize,
    /// Those that say what would be allowed.
    pub say_allowed: usize,
}

impl ToolHelpfulness {
    /// Mean points per refusal, 0 to 3, in hundredths; rounded half up.
    pub const fn mean_hundredths(&self) -> usize {
        let points = self.name_field + self.say_expected + self.say_allowed;
        if self.refusals == 0 {
            return 0;
        }
        (200 * points + self.refusals) / (2 * self.refusals)
    }
}

/// Which tools were called, which not and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tools listed.
    pub total_tools: usize,
    /// Labels of the tools that were called, in list order.
    pub called: Vec<String>,
    /// The tools that were not, in list order.
    pub skipped: Vec<Skipped>,
}

/// A tool that was not called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The tool's label.
    pub tool: String,
    /// The sort of reason.
    pub kind: SkipKind,
    /// Why.
    pub because: String,
    /// What would include it.
    pub include_with: String,
}

/// The sorts of reason for leaving a tool alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipKind {
    /// It says that it destroys.
    Destructive,
    /// It comes after the largest number of tools to call.
    OverCap,
    /// Anything else.
    Other,
}

/// Something that this run says nothing about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untested {
    /// What.
    pub what: String,
    /// Why, and what would test it, on one line.
    pub because: String,
    /// Lines for `mcprobe.toml` that would test it.
    pub paste: Option<String>,
}

/// What a gate asks for; by default nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thresholds {
    /// The lowest overall score that passes, 0–100.
    pub min_score: Option<f64>,
    /// The mildest severity that fails; `None` never fails.
    pub fail_on: Option<Severity>,
    /// Whether a `static only` score may pass `min_score` when calls were asked for.
    pub allow_partial: bool,
}

/// The gate's answer in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Every threshold holds.
    Pass,
    /// The score is below `min_score`.
    BelowMinScore,
    /// A finding is at or above `fail_on`.
    Findings,
    /// Calls were asked for and none could be judged, or there is no score.
    Partial,
    /// The target wants credentials.
    Unauthorized,
    /// The target could not be audited.
    CannotAudit,
    /// The run was cancelled.
    Cancelled,
}

impl VerdictKind {
    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::BelowMinScore => "below-min-score",
            Self::Findings => "findings",
            Self::Partial => "partial",
            Self::Unauthorized => "unauthorized",
            Self::CannotAudit => "cannot-audit",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The gate's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether every threshold holds.
    pub passed: bool,
    /// The answer in a word.
    pub kind: VerdictKind,
    /// The process's exit code for it.
    pub exit_code: u8,
    /// What decided, a sentence each.
    pub reasons: Vec<String>,
    /// What was asked for.
    pub thresholds: Thresholds,
}
