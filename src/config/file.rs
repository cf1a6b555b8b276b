//! `mcprobe.toml`: its whole schema, and reading it.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::ConfigError;
use super::parse;
use crate::model::fuzz::FuzzLevel;

/// The settings file of mcprobe, `mcprobe.toml`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[schemars(title = "mcprobe.toml")]
pub struct FileConfig {
    /// What to audit when the command line names no target.
    pub target: TargetSection,
    /// How long things may take.
    pub limits: LimitsSection,
    /// Whether a fixed script of harmless extra requests is sent; `true` by default.
    pub probe: Option<bool>,
    /// Which tools may be called, and how.
    pub fuzz: FuzzSection,
    /// Choices for single tools, by name.
    pub tools: BTreeMap<String, ToolSection>,
    /// Rules turned off or re-ranked, by code. Changes what is shown and
    /// gated, never the score.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Findings to live with: not shown, not gated, and without cost to the score.
    pub suppress: Vec<SuppressEntry>,
    /// What makes a run fail.
    pub gate: GateSection,
}

/// What to audit.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TargetSection {
    /// Address of a running server, `http://` or `https://`.
    pub url: Option<String>,
    /// Program and arguments of a stdio server.
    pub command: Option<Vec<String>>,
    /// The same as one line with shell-style quoting (no shell is used).
    pub stdio: Option<String>,
    /// Variables for the stdio server, on top of a clean environment.
    pub env: BTreeMap<String, String>,
    /// Folder to start the stdio server in, relative to this file.
    pub cwd: Option<String>,
    /// Headers for an HTTP server.
    pub headers: BTreeMap<String, String>,
    /// Your own name for the target, shown in reports.
    pub name: Option<String>,
    /// `both` (default): the newest era that the server speaks, and of one that
    /// speaks both the other one's lists as well; `legacy` or `modern` alone.
    pub era: Option<String>,
    /// `http`, `sse` or `stdio`; found out by default.
    pub transport: Option<String>,
    /// The one protocol revision to speak, such as `2025-06-18`; negotiated by default.
    pub protocol: Option<String>,
    /// How the server is answered when it asks something: `accept`, `decline`,
    /// `cancel` or `silence`; by default the client declares nothing and refuses.
    pub answer: Option<String>,
}

/// How long things may take: a number of seconds, or text such as `"90s"`, `"2m"`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct LimitsSection {
    /// The whole run; 300 s by default.
    pub timeout: Option<Span>,
    /// From the start of the server to the end of the handshake; 30 s by default.
    pub startup_timeout: Option<Span>,
    /// One call; 30 s by default.
    pub call_timeout: Option<Span>,
}

/// A span of time.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Span {
    /// Seconds.
    Seconds(f64),
    /// Text such as `"90s"`.
    Text(String),
}

/// Which tools may be called, and how.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FuzzSection {
    /// `off` by default: no tool is called.
    pub level: Option<Level>,
    /// At most this many tools are called; all by default.
    pub max_tools: Option<usize>,
    /// At most this many cases for each tool; by default what its schema
    /// calls for, some 40 for an ordinary tool.
    pub cases: Option<usize>,
    /// How long all calls together may take; the whole run by default.
    pub budget: Option<Span>,
    /// Seed of the generated cases; 0 by default.
    pub seed: Option<u64>,
    /// Tools called at the same time, each over a connection of its own; by
    /// default 4 over HTTP and 1 over stdio.
    pub jobs: Option<usize>,
}

/// Which tools may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// None.
    Off,
    /// Tools known to read.
    Safe,
    /// Every tool but those that say `destructiveHint: true`.
    Writes,
    /// Every tool.
    Destructive,
}

impl From<FuzzLevel> for Level {
    fn from(level: FuzzLevel) -> Self {
        match level {
            FuzzLevel::Safe => Self::Safe,
            FuzzLevel::Writes => Self::Writes,
            FuzzLevel::Destructive => Self::Destructive,
        }
    }
}

/// Choices for one tool.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ToolSection {
    /// Call it whatever the level says.
    pub allow: bool,
    /// Never call it.
    pub deny: bool,
    /// Example arguments of a call that works.
    #[schemars(with = "Option<BTreeMap<String, Value>>")]
    pub arguments: Option<Map<String, Value>>,
}

/// Off, or another severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleLevel {
    /// Not shown and not gated.
    Off,
    /// Re-ranked as an error.
    Error,
    /// Re-ranked as a warning.
    Warning,
    /// Re-ranked as information.
    Info,
}

/// Findings of one rule to live with.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SuppressEntry {
    /// The rule's code.
    pub rule: String,
    /// The tool's name; all tools, and the server as a whole, by default.
    pub tool: Option<String>,
    /// JSON pointer to the place, or to one above it: from the tool's own entry, such
    /// as `/inputSchema/properties/path`, or as a report has it, with the tool's
    /// position in the list; everywhere by default.
    #[schemars(regex(pattern = "^/"))]
    pub pointer: Option<String>,
    /// Why; it stands in every report.
    #[schemars(regex(pattern = r"\S"))]
    pub reason: String,
    /// The last day on which it holds (UTC), as `YYYY-MM-DD`; for good by default.
    #[serde(default, deserialize_with = "day")]
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub expires: Option<String>,
}

/// TOML has dates of its own; whoever writes one means the same.
fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => Ok(Some(text)),
        toml::Value::Datetime(date) => Ok(Some(date.to_string())),
        _ => Err(D::Error::custom(
            "it has to be a day, such as \"2027-06-30\"",
        )),
    }
}

/// What makes a run fail.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GateSection {
    /// The lowest score that passes, 0 to 100.
    pub min_score: Option<f64>,
    /// `none`, or the mildest severity that fails: `error`, `warning`, `info`.
    pub fail_on: Option<String>,
    /// Let a score without any measured behaviour pass `min-score`.
    pub allow_partial: Option<bool>,
    /// `contract` (default) or `classic`: the score that gates.
    pub score_model: Option<String>,
}

/// Reads the text of a settings file; `name` is shown in errors.
pub fn read(name: &str, text: &str) -> Result<FileConfig, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1)
            .map_or_else(String::new, |line| format!(":{line}"));
        ConfigError::new(format!("{name}{line}: {}", explain(error.message())))
    })
}

/// The parser's sentence in plain words: with the nearest name where a name was
/// unknown, and without a value of the wrong type, which may be a credential.
fn explain(message: &str) -> String {
    if message.starts_with("data did not match any variant") {
        return "it has to be a number of seconds, or text such as \"90s\"".to_owned();
    }
    let of_type = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = of_type.and_then(|rest| rest.rsplit_once(", expected ")) {
        if expected == "a sequence" && found == "map" {
            return "it has to be a list; its sections take two brackets, such as [[suppress]]"
                .to_owned();
        }
        return format!("it has to be {}, not {}", wanted(expected), given(found));
    }
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("the key {key} is missing here");
    }
    let mut quoted = message.split('`').skip(1).step_by(2);
    let Some(unknown) = quoted.next() else {
        return message.to_owned();
    };
    let kind = if message.starts_with("unknown field") {
        "key"
    } else if message.starts_with("unknown variant") {
        "value"
    } else {
        return message.to_owned();
    };
    let known: Vec<&str> = quoted.collect();
    format!(
        "unknown {kind} `{unknown}`; {}",
        parse::nearest_or_all(unknown, &known)
    )
}

fn wanted(expected: &str) -> String {
    match expected {
        "a map" => "a table, such as { NAME = \"value\" }",
        "a sequence" => "a list, such as [\"node\", \"server.js\"]",
        "a string" => "text in quotes",
        "a boolean" => "true or false",
        "f64" => "a number",
        "usize" | "u64" => "a whole number from 0 on",
        section if section.starts_with("struct ") => "a section with keys of its own",
        other => other,
    }
    .to_owned()
}

fn given(found: &str) -> &'static str {
    match found.split_whitespace().next().unwrap_or_default() {
        "string" => "text",
        "integer" => "this whole number",
        "floating" => "a number with decimals",
        "boolean" => "true or false",
        "map" => "a table",
        "sequence" => "a list",
        _ => "this",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_name_their_line_and_the_nearest_key() {
        let error = read("mcprobe.toml", "[gate]\nmin_score = 80\n").expect_err("unknown key");
        assert_eq!(
            error.message,
            "mcprobe.toml:2: unknown key `min_score`; did you mean `min-score`?"
        );
        let error =
            read("mcprobe.toml", "[fuzz]\nlevel = \"everything\"\n").expect_err("bad level");
        assert_eq!(
            error.message,
            "mcprobe.toml:2: unknown value `everything`; use one of `off`, `safe`, `writes`, `destructive`"
        );
    }

    #[test]
    fn values_of_a_wrong_type_are_told_in_plain_words_and_not_repeated() {
        let told = |text: &str| read("a.toml", text).expect_err(text).message;
        let lines: Vec<String> = [
            "[target]\nheaders = \"Bearer s3cr3tvalue\"",
            "[target]\nenv = \"TOKEN=s3cr3tvalue, expected a map\"",
            "[target]\ncommand = \"node server.js s3cr3tvalue\"",
            "[target]\nurl = 5",
            "[fuzz]\nmax-tools = \"ten\"",
            "[fuzz]\nmax-tools = -1",
            "[gate]\nmin-score = \"75\"",
            "[gate]\nallow-partial = \"yes\"",
            "[limits]\ntimeout = []",
            "gate = 75",
            "[suppress]\nrule = \"param.untyped\"",
            "[[suppress]]\nrule = \"param.untyped\"",
            "[[suppress]]\nrule = \"param.untyped\"\nreason = \"r\"\nexpires = 2027",
            "[[suppress]]\nrule = \"param.untyped\"\nreason = \"r\"\nuntil = \"2027-01-01\"",
        ]
        .map(told)
        .into();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        a.toml:2: it has to be a table, such as { NAME = "value" }, not text
        a.toml:2: it has to be a table, such as { NAME = "value" }, not text
        a.toml:2: it has to be a list, such as ["node", "server.js"], not text
        a.toml:2: it has to be text in quotes, not this whole number
        a.toml:2: it has to be a whole number from 0 on, not text
        a.toml:2: it has to be a whole number from 0 on, not this whole number
        a.toml:2: it has to be a number, not text
        a.toml:2: it has to be true or false, not text
        a.toml:2: it has to be a number of seconds, or text such as "90s"
        a.toml:1: it has to be a section with keys of its own, not this whole number
        a.toml:1: it has to be a list; its sections take two brackets, such as [[suppress]]
        a.toml:1: the key `reason` is missing here
        a.toml:4: it has to be a day, such as "2027-06-30"
        a.toml:4: unknown key `until`; use one of `rule`, `tool`, `pointer`, `reason`, `expires`
        "#);
    }

    #[test]
    fn a_whole_file_reads() {
        let text = r#"
            [target]
            command = ["node", "server.js"]
            env = { LEVEL = "1" }
            [limits]
            timeout = "2m"
            call-timeout = 5
            [fuzz]
            level = "writes"
            [tools."read file"]
            arguments = { path = "a.txt", depth = 2 }
            [rules]
            "param.untyped" = "off"
            [gate]
            min-score = 75.5
        "#;
        let config = read("mcprobe.toml", text).expect("a good file");
        assert_eq!(config.limits.timeout, Some(Span::Text("2m".to_owned())));
        assert_eq!(config.limits.call_timeout, Some(Span::Seconds(5.0)));
        assert_eq!(config.gate.min_score, Some(75.5));
        let arguments = config.tools["read file"]
            .arguments
            .as_ref()
            .expect("arguments");
        assert_eq!(arguments["depth"], 2);
    }
}
