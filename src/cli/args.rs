//! The words of the command line, as typed.
//!
//! The doc comments are the help texts: plain text, not Markdown.
#![expect(clippy::doc_markdown, reason = "the doc comments are help texts")]

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::commands::ci::CiArgs;
use super::exit;
use crate::config::file::Level;
use crate::config::merge::{GateWords, Words};
use crate::model::finding::Severity;
use crate::model::fuzz::FuzzLevel;

/// Audit an MCP server over the live protocol: a score, findings with fixes, and a gate for CI.
#[derive(Debug, Parser)]
#[command(name = "mcprobe", version, arg_required_else_help = true, after_long_help = after_help())]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit a live server: a URL, or a command that speaks stdio
    Audit(Box<AuditArgs>),
    /// Audit as `audit` does, and send the report to a dashboard
    Push(Box<PushArgs>),
    /// Judge saved evidence or a captured tools/list, without any server
    Check(Box<CheckArgs>),
    /// Audit in a CI system: files, a summary, outputs and a gate (what the GitHub Action runs)
    Ci(CiArgs),
    /// Make the call of one finding again, to see whether it still shows the same
    Replay(Box<ReplayArgs>),
    /// Audit the flawed server that is built in, with calls
    Demo(DemoArgs),
    /// Print the page of a rule: what it checks, why it matters, how to fix it
    #[command(after_long_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// The rule's code, such as param.untyped
        #[arg(value_name = "CODE")]
        code: String,
        /// Colours: auto, always, never; NO_COLOR is honoured
        #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
        color: ColorChoice,
    },
    /// List the rules
    #[command(after_long_help = RULES_EXAMPLES)]
    Rules(RulesArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Words of `audit`.
#[derive(Debug, Args)]
#[command(after_long_help = AUDIT_EXAMPLES)]
pub struct AuditArgs {
    /// What is audited.
    #[command(flatten)]
    pub target: TargetArgs,
    /// How to reach it.
    #[command(flatten)]
    pub reach: ReachArgs,
    /// Leave out the fixed script of harmless extra requests (docs/probes.md)
    #[arg(long)]
    pub no_probe: bool,
    /// What to call.
    #[command(flatten)]
    pub fuzz: FuzzArgs,
    /// When to fail.
    #[command(flatten)]
    pub gate: GateArgs,
    /// What to write.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Save everything that was seen, for `mcprobe check`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub evidence: Option<PathBuf>,
}

/// Words of `push`: those of `audit`, and where the report goes.
#[derive(Debug, Args)]
#[command(after_long_help = PUSH_EXAMPLES)]
pub struct PushArgs {
    /// What is audited, and how.
    #[command(flatten)]
    pub audit: AuditArgs,
    /// Where it goes.
    #[command(flatten)]
    pub upload: UploadArgs,
}

/// Where a report is sent.
#[derive(Debug, Args)]
#[command(next_help_heading = "Dashboard")]
pub struct UploadArgs {
    /// Key of the dashboard; MCPROBE_TOKEN does the same and stands in no list of processes
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub token: Option<String>,
    /// Address that takes reports [default: MCPROBE_API, else https://mcprobe.org/api/ingest]
    #[arg(long, value_name = "URL")]
    pub to: Option<String>,
    /// Exit with 5 where the gate passed and the upload failed
    #[arg(long)]
    pub fail_on_upload_error: bool,
}

/// Which server is meant.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// Address of a running server (http:// or https://)
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// Command line of a stdio server, with shell-style quoting (no shell is used)
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub stdio: Option<String>,
    /// Command and arguments of a stdio server
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// How a server is reached.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reaching the server")]
pub struct ReachArgs {
    /// Variable for a stdio server (repeatable); it sees PATH, HOME, locale, temp and these
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub env: Vec<String>,
    /// Folder to start a stdio server in
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Header for an HTTP server (repeatable)
    #[arg(long, value_name = "NAME: VALUE", allow_hyphen_values = true)]
    pub header: Vec<String>,
    /// Bearer token for an HTTP server; MCPROBE_TARGET_TOKEN does the same
    #[arg(long, value_name = "TOKEN", allow_hyphen_values = true)]
    pub bearer: Option<String>,
    /// Limit of the whole run [default: 300s]
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    /// Limit from the start to the end of the handshake [default: 30s]
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    pub startup_timeout: Option<String>,
    /// Limit of one call [default: 30s]
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    pub call_timeout: Option<String>,
    /// Era to speak: both (the newest that the server speaks, and the lists of the other), legacy, modern [default: both]
    #[arg(long, value_name = "ERA")]
    pub era: Option<String>,
    /// Transport to use, without looking for another: http, sse, stdio [default: found out]
    #[arg(long, value_name = "TRANSPORT")]
    pub transport: Option<String>,
    /// The one protocol revision to speak, such as 2025-06-18 [default: negotiated]
    #[arg(long, value_name = "VERSION")]
    pub protocol: Option<String>,
    /// Declare elicitation, sampling and roots, and answer them so: accept, decline, cancel, silence [default: nothing is declared]
    #[arg(long, value_name = "HOW")]
    pub answer: Option<String>,
}

/// What is called.
#[derive(Debug, Args)]
#[command(next_help_heading = "Calling tools (nothing is called without one of these)")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag as typed")]
pub struct FuzzArgs {
    /// Call tools that are known to read
    #[arg(long)]
    pub fuzz: bool,
    /// Call every tool but those that say destructiveHint: true
    #[arg(long)]
    pub fuzz_writes: bool,
    /// Call every tool
    #[arg(long)]
    pub fuzz_destructive: bool,
    /// Call at most this many tools [default: all]
    #[arg(long, value_name = "N")]
    pub max_tools: Option<usize>,
    /// Send each tool at most this many cases [default: what its schema calls for, 60 at most]
    #[arg(long, value_name = "N")]
    pub cases: Option<usize>,
    /// Stop calling after this long: seconds, or a span such as 2m [default: the whole run]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub budget: Option<String>,
    /// Seed of the generated cases [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Call this many tools at the same time, each over its own connection or process [default: 4 over HTTP, 1 over stdio]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Watch this folder during calls (repeatable): a write during a call to a tool that says it only reads is a finding
    #[arg(long, value_name = "DIR")]
    pub watch: Vec<PathBuf>,
    /// Print each call that would be made as plain text, and make none
    #[arg(long, conflicts_with_all = ["json", "format", "output", "evidence", "min_score", "fail_on"])]
    pub plan: bool,
}

impl FuzzArgs {
    /// The widest level that was asked for.
    pub fn level(&self) -> Option<FuzzLevel> {
        if self.fuzz_destructive {
            Some(FuzzLevel::Destructive)
        } else if self.fuzz_writes {
            Some(FuzzLevel::Writes)
        } else {
            self.fuzz.then_some(FuzzLevel::Safe)
        }
    }
}

/// When a run fails.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gate")]
pub struct GateArgs {
    /// Fail below this score (0 to 100, decimals allowed)
    #[arg(long, value_name = "SCORE", allow_hyphen_values = true)]
    pub min_score: Option<String>,
    /// Fail on findings of this severity or worse: none, error, warning, info
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<String>,
    /// Let a score without any measured behaviour pass --min-score
    #[arg(long)]
    pub allow_partial: bool,
    /// The score that gates: contract or classic; both are always shown [default: contract]
    #[arg(long, value_name = "MODEL")]
    pub score_model: Option<String>,
    /// Show and gate only these families of rules (comma-separated); scores do not change
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    pub family: Vec<String>,
    /// Settings file [default: mcprobe.toml in this folder, if there is one]
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

impl GateArgs {
    /// The words for merging.
    pub fn words(&self, default_fail_on: Option<Severity>) -> GateWords {
        GateWords {
            score_model: self.score_model.clone(),
            min_score: self.min_score.clone(),
            fail_on: self.fail_on.clone(),
            allow_partial: self.allow_partial.then_some(true),
            families: self.family.clone(),
            default_fail_on,
        }
    }
}

/// What is written, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Format on standard output [default: terminal on a terminal, markdown otherwise]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Also write the report to a file (repeatable); its ending picks the format: .json, .md, .txt
    #[arg(long, value_name = "FILE")]
    pub output: Vec<PathBuf>,
    /// Print only the line with the score and the verdict (with --json: the report), and no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Show what was tried on the way to the server as well
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Your own name for the target in the report
    #[arg(long, value_name = "LABEL")]
    pub name: Option<String>,
    /// Colours: auto, always, never; NO_COLOR is honoured
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Words of `check`.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Saved evidence, a tools/list response, an object with `tools`, or an array of tools; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// When to fail.
    #[command(flatten)]
    pub gate: GateArgs,
    /// What to write.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Words of `replay`.
#[derive(Debug, Args)]
#[command(after_long_help = REPLAY_EXAMPLES)]
pub struct ReplayArgs {
    /// The finding, by its `fingerprint` in the JSON report
    #[arg(value_name = "FINGERPRINT")]
    pub fingerprint: String,
    /// The JSON report that has it
    #[arg(long, value_name = "FILE")]
    pub report: PathBuf,
    /// What is called.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Watch this folder during the call (repeatable), for a finding that was made so
    #[arg(long, value_name = "DIR")]
    pub watch: Vec<PathBuf>,
    /// Settings file [default: mcprobe.toml in this folder, if there is one]
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// How to reach it.
    #[command(flatten)]
    pub reach: ReachArgs,
}

/// Words of `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// Only these families (comma-separated)
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    pub family: Vec<String>,
    /// For programs: an array with code, family, severity, summary and page
    #[arg(long)]
    pub json: bool,
    /// Colours: auto, always, never; NO_COLOR is honoured
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Words of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to put the JSON report
    #[arg(long, value_name = "FILE", default_value = "mcprobe-report.json")]
    pub report: PathBuf,
    /// Colours: auto, always, never; NO_COLOR is honoured
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// A picture of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person at a terminal.
    Terminal,
    /// For pull requests and job summaries.
    Markdown,
    /// For programs; see docs/schemas/report.v1.json.
    Json,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl AuditArgs {
    /// The words for merging.
    pub fn words(&self) -> Words {
        Words {
            no_probe: self.no_probe,
            fuzz: self.fuzz.level().map(Level::from),
            max_tools: self.fuzz.max_tools,
            cases: self.fuzz.cases,
            budget: self.fuzz.budget.clone(),
            seed: self.fuzz.seed,
            jobs: self.fuzz.jobs,
            watch: self.fuzz.watch.clone(),
            name: self.output.name.clone(),
            gate: self.gate.words(None),
            ..self.target.words(&self.reach)
        }
    }
}

impl ReplayArgs {
    /// The words for merging.
    pub fn words(&self) -> Words {
        Words {
            fuzz: Some(Level::Destructive),
            jobs: Some(1),
            watch: self.watch.clone(),
            ..self.target.words(&self.reach)
        }
    }
}

impl TargetArgs {
    fn words(&self, reach: &ReachArgs) -> Words {
        Words {
            url: self.url.clone(),
            stdio: self.stdio.clone(),
            command: self.command.clone(),
            ..reach.words()
        }
    }
}

impl ReachArgs {
    fn words(&self) -> Words {
        Words {
            env: self.env.clone(),
            cwd: self.cwd.clone(),
            headers: self.header.clone(),
            bearer: self.bearer.clone(),
            timeout: self.timeout.clone(),
            startup_timeout: self.startup_timeout.clone(),
            call_timeout: self.call_timeout.clone(),
            era: self.era.clone(),
            transport: self.transport.clone(),
            protocol: self.protocol.clone(),
            answer: self.answer.clone(),
            ..Words::default()
        }
    }
}

/// A mistake as one line: what is wrong, and where help is.
pub fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("wrong usage");
    let mut line = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    for next in lines {
        if let Some(tip) = next
            .strip_prefix("tip: ")
            .filter(|tip| !tip.starts_with("to pass"))
        {
            line.push_str("; ");
            line.push_str(tip);
        } else if (line.ends_with(':') && !next.starts_with("Usage"))
            || next.starts_with("[possible values")
        {
            line.push(' ');
            line.push_str(next);
        }
    }
    line.push_str("; see mcprobe --help");
    line
}

fn after_help() -> String {
    let mut text = String::from(
        "Examples:\n  mcprobe demo\n  mcprobe audit http://127.0.0.1:3000/mcp\n  mcprobe audit --fuzz -- npx -y @modelcontextprotocol/server-everything\n  mcprobe check tools.json --fail-on warning\n\nExit codes:\n",
    );
    for (code, meaning) in exit::CODES {
        text.push_str(&format_args!("  {code:<9} {meaning}\n").to_string());
    }
    text
}

const AUDIT_EXAMPLES: &str = "Examples:
  mcprobe audit https://example.com/mcp --bearer \"$TOKEN\" --min-score 75
  mcprobe audit --stdio 'node \"my server.js\" --flag' --env LEVEL=debug
  mcprobe audit --fuzz --fail-on error --output report.json --output report.md -- node server.js
  mcprobe audit --fuzz-writes --plan -- node server.js";

const REPLAY_EXAMPLES: &str = "The call goes out after the calls that it needs: those that the same process had taken before a crash, and all
calls of the report where their order or a changed list is the matter. A call that hung needs its --call-timeout
again, and a file that was written its --watch.

Exit codes: 0 it shows the same, 1 it does not, 2 wrong usage, 3 the server could not be audited.

Examples:
  mcprobe replay 5f3a9c0d1e2b4a67 --report report.json -- node server.js
  mcprobe replay 5f3a9c0d1e2b4a67 --report report.json http://127.0.0.1:3000/mcp";

const CHECK_EXAMPLES: &str = "Unlike audit, check fails on errors when nobody says otherwise (--fail-on error); --fail-on none only reports.

Examples:
  mcprobe check evidence.json
  mcprobe check tools-list.json --fail-on warning --json
  some-command | mcprobe check -";

const PUSH_EXAMPLES: &str = "The report is printed and gated as audit does it. An upload that fails is a warning and leaves the exit code alone,
unless --fail-on-upload-error is given. docs/ingest.md is the wire format.

Examples:
  MCPROBE_TOKEN=… mcprobe push https://example.com/mcp
  mcprobe push --fuzz --to https://dashboard.example.com/api/ingest -- node server.js";

const EXPLAIN_EXAMPLES: &str = "Examples:
  mcprobe explain param.untyped
  mcprobe explain call.crash";

const RULES_EXAMPLES: &str = "Examples:
  mcprobe rules
  mcprobe rules --family lint,call
  mcprobe rules --json";
