//! Flag over environment over file over default.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::file::{FileConfig, Level, RuleLevel, Span};
use super::reach::ReachWords;
use super::{ConfigError, Limits, LoadedFile, Settings, label, parse, suppress, target};
use crate::fuzz::plan::{PlanSettings, ToolChoice};
use crate::judge::JudgeSettings;
use crate::model::finding::{Family, RuleChoice, Severity};
use crate::model::fuzz::FuzzLevel;
use crate::model::report::{ScoreModel, Thresholds};
use crate::model::suppression::Suppressions;
use crate::model::target::Target;
use crate::rules::RULES;

/// What was said on the command line, not yet checked.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// Positional URL.
    pub url: Option<String>,
    /// `--stdio`.
    pub stdio: Option<String>,
    /// Words after `--`.
    pub command: Vec<String>,
    /// `--env`, each `NAME=VALUE`.
    pub env: Vec<String>,
    /// `--cwd`.
    pub cwd: Option<PathBuf>,
    /// `--header`, each `Name: value`.
    pub headers: Vec<String>,
    /// `--bearer`.
    pub bearer: Option<String>,
    /// `--timeout`.
    pub timeout: Option<String>,
    /// `--startup-timeout`.
    pub startup_timeout: Option<String>,
    /// `--call-timeout`.
    pub call_timeout: Option<String>,
    /// `--era`.
    pub era: Option<String>,
    /// `--transport`.
    pub transport: Option<String>,
    /// `--protocol`.
    pub protocol: Option<String>,
    /// `--answer`.
    pub answer: Option<String>,
    /// `--no-probe`.
    pub no_probe: bool,
    /// `--fuzz`, `--fuzz-writes`, `--fuzz-destructive`; `Off` overrules the file.
    pub fuzz: Option<Level>,
    /// `--max-tools`.
    pub max_tools: Option<usize>,
    /// `--cases`.
    pub cases: Option<usize>,
    /// `--budget`.
    pub budget: Option<String>,
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--jobs`.
    pub jobs: Option<usize>,
    /// `--watch`.
    pub watch: Vec<PathBuf>,
    /// `--name`.
    pub name: Option<String>,
    /// The gate.
    pub gate: GateWords,
    /// Whether an address of a scheme that cannot be audited counts as a target
    /// that cannot be reached; else it is refused as a wrong word.
    pub keeps_foreign_scheme: bool,
    /// What `fuzz` is when nobody says.
    pub default_fuzz: Option<Level>,
    /// What the limits are when nobody says.
    pub default_limits: Limits,
}

/// What was said about the gate.
#[derive(Debug, Clone, Default)]
pub struct GateWords {
    /// `--score-model`.
    pub score_model: Option<String>,
    /// `--min-score`.
    pub min_score: Option<String>,
    /// `--fail-on`.
    pub fail_on: Option<String>,
    /// `--allow-partial`; `Some(false)` overrules the file.
    pub allow_partial: Option<bool>,
    /// `--family`; empty means all.
    pub families: Vec<String>,
    /// What `fail-on` is when nobody says.
    pub default_fail_on: Option<Severity>,
}

/// What the environment says.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `MCPROBE_TARGET_TOKEN`: bearer token for an HTTP target.
    pub target_token: Option<String>,
}

/// The settings of a live audit.
pub fn settings(
    words: Words,
    environment: &Environment,
    file: Option<&LoadedFile>,
) -> Result<Settings, ConfigError> {
    let empty = FileConfig::default();
    let config = file.map_or(&empty, |file| &file.config);
    let folder = file.and_then(|file| file.path.parent());
    let fuzz = match words.fuzz.or(config.fuzz.level).or(words.default_fuzz) {
        None | Some(Level::Off) => None,
        Some(Level::Safe) => Some(FuzzLevel::Safe),
        Some(Level::Writes) => Some(FuzzLevel::Writes),
        Some(Level::Destructive) => Some(FuzzLevel::Destructive),
    };
    let judge = judge_settings(&words.gate, file, fuzz.is_some())?;
    let limits = limits(&words, config)?;
    let asked = ReachWords::of(&words, config);
    let name = words.name.clone().or_else(|| config.target.name.clone());
    let (max_tools, seed) = (
        words.max_tools.or(config.fuzz.max_tools),
        words.seed.or(config.fuzz.seed).unwrap_or(0),
    );
    let cases = words.cases.or(config.fuzz.cases);
    if cases == Some(0) {
        return Err(ConfigError::new(
            "cases: a tool that is called gets at least 1; leave it out for the usual number",
        ));
    }
    let (no_probe, watch) = (words.no_probe, words.watch.clone());
    let asked_jobs = words.jobs.or(config.fuzz.jobs);
    let reached = target::target(words, config, folder)?;
    let jobs = jobs(asked_jobs, &watch, &reached.target)?;
    let headers = target::headers(&reached, environment, config)?;
    let reach = asked.read(&reached.target)?;
    let hidden = match &reached.target {
        Target::Command(command) => label::secrets_of_env(&command.env),
        Target::Url(_) => Vec::new(),
    };
    Ok(Settings {
        target: reached.target,
        name,
        headers,
        hidden,
        limits,
        reach,
        probe: !no_probe && config.probe.unwrap_or(true),
        fuzz,
        plan: PlanSettings {
            level: fuzz.unwrap_or(FuzzLevel::Safe),
            max_tools,
            seed,
            cases,
            scratch_paths: Vec::new(),
            per_tool: per_tool(config)?,
        },
        jobs,
        watch,
        judge,
    })
}

/// Tools called at the same time over HTTP when nobody says.
const HTTP_JOBS: usize = 4;

/// The most tools called at the same time.
const MAX_JOBS: usize = 64;

/// How many tools are called at the same time. Over stdio each job is a process
/// of its own, so more than one has to be asked for.
fn jobs(asked: Option<usize>, watch: &[PathBuf], target: &Target) -> Result<usize, ConfigError> {
    match asked {
        Some(0) => Err(ConfigError::new(
            "jobs: 0 would call nothing; use 1 or more",
        )),
        Some(many) if many > MAX_JOBS => Err(ConfigError::new(format!(
            "jobs: {many} is more than {MAX_JOBS}"
        ))),
        Some(many) if many > 1 && !watch.is_empty() => Err(ConfigError::new(
            "jobs: calls are made one by one while folders are watched, or nobody knows which call wrote; leave it out",
        )),
        Some(many) => Ok(many),
        None => Ok(match target {
            Target::Url(_) if watch.is_empty() => HTTP_JOBS,
            Target::Url(_) | Target::Command(_) => 1,
        }),
    }
}

/// How evidence is judged; all that `check` needs.
pub fn judge_settings(
    words: &GateWords,
    file: Option<&LoadedFile>,
    fuzz_asked: bool,
) -> Result<JudgeSettings, ConfigError> {
    let empty = FileConfig::default();
    let config = file.map_or(&empty, |file| &file.config);
    let gate = &config.gate;
    let min_score = match (&words.min_score, gate.min_score) {
        (Some(text), _) => Some(parse::min_score(text)?),
        (None, Some(score)) => Some(parse::score_in_range(score).ok_or_else(|| {
            ConfigError::new(format!("min-score: {score} is no number from 0 to 100"))
        })?),
        (None, None) => None,
    };
    let fail_on = match words.fail_on.as_ref().or(gate.fail_on.as_ref()) {
        Some(text) => parse::fail_on(text)?,
        None => words.default_fail_on,
    };
    let score_model = match words.score_model.as_ref().or(gate.score_model.as_ref()) {
        Some(text) => text
            .parse()
            .map_err(|message| ConfigError::new(format!("score-model: {message}")))?,
        None => ScoreModel::default(),
    };
    Ok(JudgeSettings {
        score_model,
        thresholds: Thresholds {
            min_score,
            fail_on,
            allow_partial: words.allow_partial.or(gate.allow_partial).unwrap_or(false),
        },
        rules: rules(config)?,
        suppressions: file.map_or_else(|| Ok(Suppressions::default()), suppress::read)?,
        families: families(&words.families)?,
        fuzz_asked,
        label: None,
    })
}

/// The picked families; `None` means all.
pub fn families(words: &[String]) -> Result<Option<BTreeSet<Family>>, ConfigError> {
    if words.is_empty() {
        return Ok(None);
    }
    let picked = words.iter().map(|word| parse::family(word));
    picked.collect::<Result<_, _>>().map(Some)
}

/// Rule choices; every code must exist.
fn rules(config: &FileConfig) -> Result<BTreeMap<String, RuleChoice>, ConfigError> {
    let mut choices = BTreeMap::new();
    for (code, level) in &config.rules {
        if !RULES.iter().any(|rule| rule.code == code) {
            return Err(ConfigError::new(format!(
                "[rules] of the settings file: there is no rule `{code}`; {}",
                nearest_rule(code)
            )));
        }
        let choice = match level {
            RuleLevel::Off => RuleChoice::Off,
            RuleLevel::Error => RuleChoice::Severity(Severity::Error),
            RuleLevel::Warning => RuleChoice::Severity(Severity::Warning),
            RuleLevel::Info => RuleChoice::Severity(Severity::Info),
        };
        choices.insert(code.clone(), choice);
    }
    Ok(choices)
}

/// What to do about a code that no rule has.
pub fn nearest_rule(code: &str) -> String {
    let known: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    let hint = parse::nearest_or_all(code, &known);
    if hint.starts_with("did you mean") {
        hint
    } else {
        "`mcprobe rules` lists them".to_owned()
    }
}

fn per_tool(config: &FileConfig) -> Result<BTreeMap<String, ToolChoice>, ConfigError> {
    let mut choices = BTreeMap::new();
    for (name, tool) in &config.tools {
        if tool.allow && tool.deny {
            return Err(ConfigError::new(format!(
                "[tools] of the settings file: the tool `{name}` is both allowed and denied; keep one"
            )));
        }
        let choice = ToolChoice {
            allow: tool.allow,
            deny: tool.deny,
            arguments: tool.arguments.clone().map(Value::Object),
        };
        choices.insert(name.clone(), choice);
    }
    Ok(choices)
}

fn limits(words: &Words, config: &FileConfig) -> Result<Limits, ConfigError> {
    let defaults = words.default_limits;
    let pick = |flag: &str, word: Option<&String>, span: Option<&Span>, default: Duration| match (
        word, span,
    ) {
        (Some(text), _) | (None, Some(Span::Text(text))) => parse::span(flag, text),
        (None, Some(Span::Seconds(count))) => parse::seconds(flag, *count),
        (None, None) => Ok(default),
    };
    let file = &config.limits;
    Ok(Limits {
        run: pick(
            "timeout",
            words.timeout.as_ref(),
            file.timeout.as_ref(),
            defaults.run,
        )?,
        startup: pick(
            "startup-timeout",
            words.startup_timeout.as_ref(),
            file.startup_timeout.as_ref(),
            defaults.startup,
        )?,
        call: pick(
            "call-timeout",
            words.call_timeout.as_ref(),
            file.call_timeout.as_ref(),
            defaults.call,
        )?,
        budget: match (&words.budget, &config.fuzz.budget) {
            (Some(text), _) | (None, Some(Span::Text(text))) => Some(parse::span("budget", text)?),
            (None, Some(Span::Seconds(count))) => Some(parse::seconds("budget", *count)?),
            (None, None) => None,
        },
    })
}
