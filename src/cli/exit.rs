//! Exit codes. This table is also the one in `--help` and in the README.

use std::process::ExitCode;

use crate::config::ConfigError;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The gate passed, or nothing was asked of it.
    Pass,
    /// Wrong words on the command line, in the environment or in `mcprobe.toml`.
    Usage,
    /// Something in mcprobe itself, or in writing its output, failed.
    Internal,
    /// An upload that was required failed.
    Upload,
    /// This signal ended the command after its verdict.
    Cancelled(i32),
    /// The verdict's own code.
    Verdict(u8),
}

/// Every code and what it says.
pub const CODES: [(&str, &str); 7] = [
    ("0", "pass"),
    (
        "1",
        "the gate failed: score below --min-score, or findings at --fail-on",
    ),
    ("2", "wrong usage or configuration"),
    (
        "3",
        "the target could not be audited: no score, never a pass",
    ),
    ("4", "internal error, or the report could not be written"),
    ("5", "an upload that was required failed"),
    ("130, 143", "cancelled by Ctrl-C or a stop signal"),
];

impl Exit {
    /// The exit for an error that ended a command.
    pub fn of_error(error: &anyhow::Error) -> Self {
        if error
            .chain()
            .any(<dyn std::error::Error>::is::<ConfigError>)
        {
            Self::Usage
        } else {
            Self::Internal
        }
    }

    /// The number of it.
    pub fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Usage => 2,
            Self::Internal => 4,
            Self::Upload => 5,
            // As shells tell it; signals that end a command are small numbers.
            Self::Cancelled(signal) => match u8::try_from(signal) {
                Ok(signal) => 128_u8.saturating_add(signal),
                Err(_) => u8::MAX,
            },
            Self::Verdict(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
