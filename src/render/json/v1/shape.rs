//! The types of the shape, in the order in which they are written. Their
//! comments become the descriptions in the JSON Schema.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::suppressed::Suppressions;
use crate::model::answer::ChangeKind;
use crate::model::checked::Area;
use crate::model::contact::{Carrier, Era};
use crate::model::evidence::{CutShort, ProbeState};
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{CaseClass, ExitStatus, FuzzLevel, Outcome};
use crate::model::report::{CompletenessLevel, Grade, ScoreModel, VerdictKind};

/// A judged audit of one MCP server.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "mcprobe report, version 1")]
pub(super) struct Document<'a> {
    /// The version of this shape.
    #[schemars(extend("const" = super::SCHEMA_VERSION))]
    pub(super) schema_version: u32,
    /// The program that judged.
    pub(super) tool: Program<'a>,
    /// What was audited.
    pub(super) target: Target<'a>,
    /// Who the server says it is.
    pub(super) server: Server<'a>,
    /// 0–100 by `scoreModel`; null when there is nothing to score.
    #[schemars(range(min = 0, max = 100))]
    pub(super) overall: Option<u32>,
    /// The letter for `overall`.
    pub(super) grade: Option<Grade>,
    /// The model of `overall`, `grade` and `dimensions`.
    pub(super) score_model: ScoreModel,
    /// The four dimensions of `scoreModel`.
    pub(super) dimensions: Vec<Dimension<'a>>,
    /// Both models.
    pub(super) scores: Scores<'a>,
    /// How much of the score rests on calls.
    pub(super) completeness: Completeness<'a>,
    /// How far the probe came.
    pub(super) probe_state: ProbeState,
    /// What ended it early.
    pub(super) failure: Option<Failure<'a>>,
    /// Why the run ended before its plan did.
    pub(super) cut_short: Option<CutShort>,
    /// The negotiated revision of the protocol.
    pub(super) protocol_version: Option<&'a str>,
    /// How the server was reached.
    pub(super) contact: Contact<'a>,
    /// How many entries each list has; null where it was not read.
    pub(super) counts: Counts,
    /// The worst first.
    pub(super) findings: Vec<Finding<'a>>,
    /// What the settings file says to live with; null where that is nothing.
    pub(super) suppressions: Option<Suppressions<'a>>,
    /// What the run says about each requirement of the protocol; null where the family
    /// `protocol` was not picked.
    pub(super) protocol: Option<Protocol<'a>>,
    /// Every call, in the order of the plan.
    pub(super) fuzz: Vec<Row<'a>>,
    /// How much the refusals of each tool help whoever has to correct the call.
    pub(super) helpfulness: Vec<Helpfulness<'a>>,
    /// Which tools were called, which not and why.
    pub(super) coverage: Coverage<'a>,
    /// Reserved; null in this version.
    pub(super) safety: Option<Reserved>,
    /// Reserved; null in this version.
    pub(super) trust: Option<Reserved>,
    /// What else was seen, a sentence each.
    pub(super) notes: &'a [String],
    /// What this run says nothing about.
    pub(super) untested: Vec<Untested<'a>>,
    /// The gate's answer.
    pub(super) verdict: Verdict<'a>,
    /// Times and host facts: all that may differ between two runs of one thing.
    pub(super) run: Run<'a>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Contact<'a> {
    /// `legacy` or `modern`; null without a connection, and in a capture.
    pub(super) era: Option<Era>,
    /// What carried the messages: `stdio`, `streamable-http` or `sse`.
    pub(super) transport: Option<Carrier>,
    /// Everything that was tried on the way, in order.
    pub(super) attempts: Vec<Attempt<'a>>,
    /// The other era of a server that speaks both, where it was looked at.
    pub(super) other_era: Option<OtherEra<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Attempt<'a> {
    /// The method, or `GET (endpoint event)`.
    pub(super) what: &'a str,
    /// The HTTP status.
    pub(super) status: Option<u16>,
    /// The media type of the reply, without parameters.
    pub(super) media: Option<&'a str>,
    /// Its first 200 bytes, without credentials.
    pub(super) head: Option<&'a str>,
    /// What it came to.
    pub(super) outcome: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OtherEra<'a> {
    pub(super) era: Era,
    pub(super) protocol_version: Option<&'a str>,
    /// Tools listed there; null where the list was not read.
    pub(super) tools: Option<usize>,
    /// Why it could not be listed.
    pub(super) failure: Option<&'a str>,
}

/// Nothing yet.
#[derive(Serialize, JsonSchema)]
pub(super) enum Reserved {}

#[derive(Serialize, JsonSchema)]
pub(super) struct Program<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Target<'a> {
    /// `stdio`, `http` or `capture`.
    pub(super) transport: &'static str,
    /// The redacted URL, command line or file name.
    pub(super) display: &'a str,
    /// The user's own name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Server<'a> {
    /// Null where the server gave none.
    pub(super) name: Option<&'a str>,
    /// Null where the server gave none.
    pub(super) version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Dimension<'a> {
    /// `metadata`, `schemaQuality`, `errorHandling` or `liveness`.
    pub(super) key: &'static str,
    /// The title for people.
    pub(super) label: &'static str,
    /// 0–10 with two decimals; null when not measured.
    #[schemars(range(min = 0, max = 10))]
    pub(super) score: Option<f64>,
    /// How it came about, a sentence each.
    pub(super) reasons: &'a [String],
    /// Whether it is left out of the mean.
    pub(super) not_measured: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Scores<'a> {
    pub(super) contract: Score<'a>,
    pub(super) classic: Score<'a>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Score<'a> {
    /// The version of the formula.
    pub(super) version: u32,
    /// 0–100; null when there is nothing to score.
    #[schemars(range(min = 0, max = 100))]
    pub(super) overall: Option<u32>,
    pub(super) grade: Option<Grade>,
    pub(super) dimensions: Vec<Dimension<'a>>,
    /// The arithmetic of the overall.
    pub(super) arithmetic: &'a str,
    /// The limit that lowered the overall.
    pub(super) cap: Option<Cap<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Cap<'a> {
    pub(super) limit: u32,
    pub(super) uncapped: u32,
    pub(super) because: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Completeness<'a> {
    pub(super) level: CompletenessLevel,
    pub(super) reasons: &'a [String],
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failure<'a> {
    /// What happened, where, what to do.
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit: Option<ExitStatus>,
    /// The last of standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr_tail: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exchange: Option<Exchange<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    pub(super) tools: Option<usize>,
    pub(super) prompts: Option<usize>,
    pub(super) resources: Option<usize>,
    pub(super) resource_templates: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Finding<'a> {
    /// Dotted id of the rule.
    pub(super) code: &'a str,
    pub(super) family: Family,
    pub(super) severity: Severity,
    /// What is wrong, here.
    pub(super) message: &'a str,
    /// What it costs, in one sentence.
    pub(super) why: &'a str,
    /// What to do about it.
    pub(super) hint: &'a str,
    /// Empty means the server as a whole.
    pub(super) location: Location<'a>,
    /// The case of the call that shows it: with `location.tool` it names an entry
    /// of `fuzz`, which `mcprobe replay` makes again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) case: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spec: Option<Spec<'a>>,
    /// The same for the same rule at the same place.
    pub(super) fingerprint: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) param: Option<&'a str>,
    /// JSON pointer into the result of `tools/list`, or into a call's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pointer: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Spec<'a> {
    pub(super) link: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) keyword: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Protocol<'a> {
    /// The published revision that the requirements were taken from.
    pub(super) revision: &'a str,
    /// Whether the server named that revision.
    pub(super) negotiated: bool,
    /// Requirements that were looked at, and held.
    pub(super) passed: usize,
    /// Requirements that were looked at, and did not hold.
    pub(super) failed: usize,
    /// Requirements that were not looked at.
    pub(super) not_tested: usize,
    /// The same by area.
    pub(super) areas: Vec<ProtocolArea>,
    /// Every requirement that concerns the server, by area.
    pub(super) checks: Vec<ProtocolCheck<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProtocolArea {
    pub(super) area: Area,
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) not_tested: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProtocolCheck<'a> {
    /// Its id in `docs/protocol-checks.md`.
    pub(super) id: &'a str,
    pub(super) area: Area,
    /// What the text asks for.
    pub(super) says: &'a str,
    pub(super) state: ProtocolState,
    /// Present when true: it failed, and every finding that says so is suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suppressed: Option<bool>,
    /// Why it was not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) because: Option<&'a str>,
    /// The text.
    pub(super) spec: Spec<'a>,
}

/// What came of a requirement.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum ProtocolState {
    /// It was looked at and holds.
    Passed,
    /// It was looked at and is broken; findings say where.
    Failed,
    /// It was not looked at: neither passed nor failed.
    NotTested,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row<'a> {
    /// The tool's label.
    pub(super) name: &'a str,
    /// The case's label.
    pub(super) case: &'a str,
    pub(super) class: CaseClass,
    pub(super) outcome: Outcome,
    /// Success on arguments that break the declared schema.
    pub(super) silently_accepted: bool,
    /// Success on a value that converts harmlessly; on such cases only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) coerced: Option<bool>,
    /// As sent; absent where a strict parser could not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) arguments: Option<&'a RawValue>,
    /// As sent, as text, where a strict parser could not read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) arguments_text: Option<&'a str>,
    /// On valid cases that succeeded only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) empty_success: Option<bool>,
    /// Present when true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_schema_violation: Option<bool>,
    /// Where and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_schema_error: Option<&'a str>,
    /// The text of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error_message: Option<&'a str>,
    /// The JSON-RPC code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error_code: Option<i64>,
    /// How much a refusal of arguments that break the schema helps: a point each
    /// for naming the field, what was expected there and what would be allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 3))]
    pub(super) helpfulness: Option<u8>,
    /// On a crash: whether the call alone, on a fresh process, causes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confirmed: Option<bool>,
    /// On a crash that the call alone does not cause: the calls that the same
    /// process took before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Vec<CallName<'a>>>,
    /// On a crash: smaller arguments that cause it too, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shrunk_arguments: Option<&'a str>,
    /// What changed in watched folders during the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) writes: Option<Vec<Write<'a>>>,
    /// With every crash, timeout, silent accept and broken output schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exchange: Option<Exchange<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CallName<'a> {
    /// The tool's label.
    pub(super) tool: &'a str,
    /// The case's label.
    pub(super) case: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Write<'a> {
    pub(super) path: &'a str,
    pub(super) kind: ChangeKind,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Helpfulness<'a> {
    pub(super) tool: &'a str,
    /// Refusals of arguments that break the schema.
    pub(super) refusals: usize,
    /// Mean points of a refusal, 0 to 3 with two decimals.
    #[schemars(range(min = 0, max = 3))]
    pub(super) mean: f64,
    /// Refusals that name the field.
    pub(super) name_field: usize,
    /// Refusals that say what was expected there.
    pub(super) say_expected: usize,
    /// Refusals that say what would be allowed.
    pub(super) say_allowed: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange<'a> {
    pub(super) request: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<&'a str>,
    /// Length of the whole reply, where it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reply_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) http_status: Option<u16>,
    /// Why there is no reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit: Option<ExitStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr_tail: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Coverage<'a> {
    /// Which tools were allowed to be called; null when no calls were asked for.
    pub(super) level: Option<FuzzLevel>,
    /// The seed of the cases.
    pub(super) seed: Option<u64>,
    pub(super) total_tools: usize,
    pub(super) fuzzed_tools: usize,
    pub(super) called: &'a [String],
    pub(super) skipped_destructive: Vec<&'a str>,
    pub(super) skipped_over_cap: Vec<&'a str>,
    /// All skipped tools, those of the two lists above included.
    pub(super) skipped: Vec<Skipped<'a>>,
    pub(super) abandoned: Vec<Abandoned<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skipped<'a> {
    pub(super) tool: &'a str,
    pub(super) reason: &'a str,
    /// A flag, or lines for `mcprobe.toml`.
    pub(super) include_with: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Abandoned<'a> {
    pub(super) tool: &'a str,
    pub(super) cases_left: usize,
    pub(super) reason: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Untested<'a> {
    pub(super) what: &'a str,
    /// Why, and what would test it.
    pub(super) because: &'a str,
    /// Lines for `mcprobe.toml` that would test it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paste: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Verdict<'a> {
    pub(super) passed: bool,
    pub(super) result: VerdictKind,
    pub(super) exit_code: u8,
    pub(super) reasons: &'a [String],
    pub(super) thresholds: Thresholds,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thresholds {
    pub(super) min_score: Option<f64>,
    pub(super) fail_on: Option<Severity>,
    pub(super) allow_partial: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    /// RFC 3339, UTC.
    pub(super) started_at: &'a str,
    pub(super) duration_ms: u64,
    pub(super) connect_ms: u64,
    pub(super) gather_ms: u64,
    pub(super) fuzz_ms: u64,
    /// Of each entry of `contact.attempts`, in its order.
    pub(super) attempts_ms: Vec<u64>,
    /// Of each entry of `fuzz`, in its order.
    pub(super) latencies_us: Vec<u64>,
    /// Of the answered calls of each tool.
    pub(super) tool_latencies: Vec<ToolLatency<'a>>,
    /// Operating system and architecture.
    pub(super) host: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolLatency<'a> {
    pub(super) tool: &'a str,
    /// Calls that were answered.
    pub(super) calls: usize,
    /// The median.
    pub(super) p50_us: u64,
    /// 95 of 100 calls took at most this.
    pub(super) p95_us: u64,
}
