//! A child that is watched and not spoken to: its input is empty, what it writes
//! on either stream is drained to one bounded tail.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::net::unix::pipe;
use tokio::sync::mpsc;

use super::super::Spawner;
use super::super::group::ServerEnds;
use super::super::order::Stop;
use super::process::{Life, Process};
use super::program::{self, SpawnError};
use super::stderr::Stderr;
use super::{AFTERMATH, Aftermath};
use crate::model::fuzz::ExitStatus;
use crate::model::target::ServerCommand;

/// How many pieces of output may wait for their reader.
const PIECES: usize = 8;

/// A running child. Dropping it kills its whole group.
#[derive(Debug)]
pub(crate) struct Service {
    process: Process,
    output: Stderr,
}

/// Pieces of what a service writes, as they come; the end when it is over.
pub(crate) type Pieces = mpsc::Receiver<Vec<u8>>;

impl Service {
    /// Starts a child. A reader of the pieces may stop; the child is drained all
    /// the same.
    pub(crate) async fn start(
        command: &ServerCommand,
        spawner: &Spawner,
    ) -> Result<(Self, Pieces), SpawnError> {
        let order = program::order(command)?;
        let system = |error: io::Error| {
            SpawnError::from_system(&order.program, error.raw_os_error(), &error.to_string())
        };
        let (ours, theirs) = io::pipe().map_err(system)?;
        let ends = ServerEnds {
            stdin: File::open("/dev/null").map_err(system)?.into(),
            // One pipe for both keeps what was written in its order.
            stdout: theirs.try_clone().map_err(system)?.into(),
            stderr: theirs.into(),
        };
        let pipe = pipe::Receiver::from_owned_fd(OwnedFd::from(ours)).map_err(system)?;
        let process = Process::spawn(&order, ends, spawner).await?;
        let (heard, pieces) = mpsc::channel(PIECES);
        let output = Stderr::read_aloud(pipe, heard);
        Ok((Self { process, output }, pieces))
    }

    /// Waits for its end; `None` when nobody can say how it ended. May be dropped
    /// and called again.
    pub(crate) async fn ended(&mut self) -> Option<ExitStatus> {
        match self.process.ended().await {
            Life::Ended(exit) => Some(exit),
            Life::Running | Life::Lost => None,
        }
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&self) -> bool {
        self.process.life() == Life::Running
    }

    /// How it ended and its last words, as far as they come within a second.
    pub(crate) async fn aftermath(&mut self) -> Aftermath {
        let exit = tokio::time::timeout(AFTERMATH, self.ended()).await;
        if exit.is_ok() {
            self.output.settle(AFTERMATH).await;
        }
        Aftermath {
            exit: exit.ok().flatten(),
            stderr_tail: self.output.tail(),
        }
    }

    /// The last of what it wrote.
    pub(crate) fn tail(&self) -> Option<String> {
        self.output.tail()
    }

    /// Ends it: SIGTERM, after `limit` SIGKILL to the whole group.
    pub(crate) async fn end(mut self, limit: Duration) {
        if self.is_running() {
            self.process.stop(Stop::Term).await;
            let _ = tokio::time::timeout(limit, self.process.ended()).await;
        }
        self.process.end(AFTERMATH).await;
    }
}
