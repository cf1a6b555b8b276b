//! Words become [`Settings`], once: flag over environment over file over
//! default. After this room nobody asks whether something was set.

pub mod file;
#[cfg(feature = "world")]
pub mod find;
pub mod label;
pub mod merge;
pub mod parse;
mod reach;
mod suppress;
mod target;

use std::path::PathBuf;
use std::time::Duration;

use crate::fuzz::plan::PlanSettings;
use crate::judge::JudgeSettings;
use crate::model::contact::Reach;
use crate::model::fuzz::FuzzLevel;
use crate::model::secret::Secret;
use crate::model::suppression::Day;
use crate::model::target::Target;

/// Everything a live audit needs to know.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What is audited.
    pub target: Target,
    /// The user's own name for it.
    pub name: Option<String>,
    /// Headers for an HTTP target, checked.
    pub headers: Vec<(String, Secret)>,
    /// Further values that no output may hold (values of `--env`).
    pub hidden: Vec<Secret>,
    /// How long things may take.
    pub limits: Limits,
    /// How it is reached.
    pub reach: Reach,
    /// Whether the probe script runs.
    pub probe: bool,
    /// Which tools may be called; `None` calls none.
    pub fuzz: Option<FuzzLevel>,
    /// How calls are planned (used only with `fuzz`).
    pub plan: PlanSettings,
    /// How many tools are called at the same time; at least one.
    pub jobs: usize,
    /// Folders that are watched during calls, which are then made one by one.
    pub watch: Vec<PathBuf>,
    /// How the evidence is judged.
    pub judge: JudgeSettings,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The whole run.
    pub run: Duration,
    /// From the start of the server to the end of the handshake.
    pub startup: Duration,
    /// One call.
    pub call: Duration,
    /// All calls of tools together; the run's own limit when absent.
    pub budget: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            run: Duration::from_mins(5),
            startup: Duration::from_secs(30),
            call: Duration::from_secs(30),
            budget: None,
        }
    }
}

/// What was wrong with the words, in one line: what, where, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The whole line.
    pub message: String,
}

impl ConfigError {
    /// An error with this line.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

/// A settings file that was read.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// Where it was.
    pub path: PathBuf,
    /// What it said.
    pub config: file::FileConfig,
    /// The day on which it was read: by it suppressions expire.
    pub read_on: Day,
}
