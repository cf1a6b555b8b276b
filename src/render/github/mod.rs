//! What GitHub shows of a run: annotations, the job summary, and the commands to
//! its runner that make them.

mod annotations;
mod summary;

pub use annotations::{Tone, annotations, problem};
pub use summary::{SUMMARY_BYTES, Setting, summary, summary_of_problem};

use crate::render::escape::{workflow_data, workflow_property};

/// What an annotation is shown as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Red.
    Error,
    /// Yellow.
    Warning,
    /// Neutral.
    Notice,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// The command that keeps a value out of the log, with its line feed.
pub fn mask(value: &str) -> String {
    format!("::add-mask::{}\n", workflow_data(value))
}

/// The command that makes an annotation, with its line feed. The texts are
/// already neutralised; a line feed in the message is shown as one.
pub fn annotation(kind: Kind, title: &str, message: &str) -> String {
    format!(
        "::{} title={}::{}\n",
        kind.word(),
        workflow_property(title),
        workflow_data(message)
    )
}

/// The command that opens a folded part of the log.
pub fn open_group(title: &str) -> String {
    format!("::group::{}\n", workflow_data(title))
}

/// The command that closes it.
pub const CLOSE_GROUP: &str = "::endgroup::\n";
