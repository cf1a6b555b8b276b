//! What is said over the guard's control socket: one order to start a server,
//! then signals one way and reports the other, each one line of JSON.

use serde::{Deserialize, Serialize};

use crate::model::fuzz::ExitStatus;
use crate::model::target::Owner;

/// How a server is started; every path is already resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SpawnOrder {
    /// The program's path.
    pub(super) program: String,
    /// The name it was called by, then its arguments.
    pub(super) argv: Vec<String>,
    /// The whole environment.
    pub(super) env: Vec<(String, String)>,
    /// The folder to start in.
    pub(super) cwd: Option<String>,
    /// Whom it runs as; the one who starts it when absent.
    pub(super) user: Option<Owner>,
}

/// A signal for the server's process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stop {
    /// SIGTERM.
    Term,
    /// SIGKILL.
    Kill,
}

/// What the guard says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Report {
    /// The server runs.
    Spawned {
        /// Its process id, which is its group's as well.
        pid: i32,
    },
    /// The server could not be started.
    Error {
        /// The operating system's number for it.
        os: Option<i32>,
        /// Its text for it.
        text: String,
    },
    /// The server ended.
    Exited(ExitStatus),
}

/// Any of these as one line.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("plain data is JSON");
    line.push(b'\n');
    line
}
