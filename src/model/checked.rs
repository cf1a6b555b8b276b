//! What a run can say about each requirement of the protocol.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every requirement that concerns this server, by area.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProtocolSection {
    /// The published revision that the requirements were taken from.
    pub revision: String,
    /// Whether the server named that revision; `false` where it named none, or one
    /// that was never published.
    pub negotiated: bool,
    /// One entry a requirement, area by area.
    pub checks: Vec<Checked>,
}

impl ProtocolSection {
    /// The areas that have requirements, in their fixed order, with their tallies.
    pub fn areas(&self) -> Vec<(Area, Tally)> {
        Area::ALL
            .into_iter()
            .map(|area| {
                let own = self.checks.iter().filter(|check| check.area == area);
                (area, Tally::of(own))
            })
            .filter(|(_, tally)| tally.checks() > 0)
            .collect()
    }

    /// The tally of all.
    pub fn tally(&self) -> Tally {
        Tally::of(self.checks.iter())
    }
}

/// How many requirements held, did not hold, or could not be tested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Looked at, and kept.
    pub passed: usize,
    /// Looked at, and broken.
    pub failed: usize,
    /// Not looked at.
    pub not_tested: usize,
}

impl Tally {
    fn of<'a>(checks: impl Iterator<Item = &'a Checked>) -> Self {
        let mut tally = Self::default();
        for check in checks {
            match check.state {
                CheckState::Passed => tally.passed += 1,
                CheckState::Failed | CheckState::Suppressed => tally.failed += 1,
                CheckState::NotTested { .. } => tally.not_tested += 1,
            }
        }
        tally
    }

    /// Those that were looked at.
    pub const fn run(self) -> usize {
        self.passed + self.failed
    }

    /// All of them.
    pub const fn checks(self) -> usize {
        self.run() + self.not_tested
    }
}

/// One requirement and what the run can say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Its id in `docs/protocol-checks.md`.
    pub id: &'static str,
    /// Its area.
    pub area: Area,
    /// What the text asks for, in a few words.
    pub says: &'static str,
    /// MUST, SHOULD, …; absent where the text has no keyword.
    pub keyword: Option<&'static str>,
    /// Link to the text of the revision.
    pub link: String,
    /// What came of it.
    pub state: CheckState,
}

/// What came of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckState {
    /// It was looked at and holds.
    Passed,
    /// It was looked at and is broken; findings say where.
    Failed,
    /// It was looked at and is broken, and the user suppressed every finding that says
    /// so. It counts as failed.
    Suppressed,
    /// It was not looked at.
    NotTested {
        /// Why, in a few words.
        because: String,
    },
}

/// A part of the protocol.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// From the first message to the agreed revision.
    Lifecycle,
    /// The form of every message, and replies to malformed ones.
    Messages,
    /// Tools, their schemas and their results.
    Tools,
    /// Resources.
    Resources,
    /// Prompts.
    Prompts,
    /// Ping, paging, logging, progress, completion, caching.
    Utilities,
    /// Methods, statuses and headers.
    Http,
    /// `Mcp-Session-Id`.
    Sessions,
    /// Credentials and their metadata.
    Auth,
    /// Standard streams, addresses, and the older transport.
    Transport,
}

impl Area {
    /// Every area, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Lifecycle,
        Self::Messages,
        Self::Tools,
        Self::Resources,
        Self::Prompts,
        Self::Utilities,
        Self::Http,
        Self::Sessions,
        Self::Auth,
        Self::Transport,
    ];

    /// The word for it in output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lifecycle => "lifecycle",
            Self::Messages => "messages",
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Prompts => "prompts",
            Self::Utilities => "utilities",
            Self::Http => "http",
            Self::Sessions => "sessions",
            Self::Auth => "auth",
            Self::Transport => "transport",
        }
    }
}
