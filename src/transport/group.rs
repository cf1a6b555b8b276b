//! A child as the leader of its own process group.
//!
//! The group is signalled only while the leader is not reaped: until then its
//! number cannot belong to anyone else. So the end of the leader is noticed
//! without reaping it.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::order::{SpawnOrder, Stop};
use crate::model::fuzz::ExitStatus;

/// The ends of the pipes that belong to the server.
#[derive(Debug)]
pub(super) struct ServerEnds {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

/// Starts the server as the leader of a new group, with these pipes and nothing
/// else open.
pub(super) fn spawn(order: &SpawnOrder, ends: ServerEnds) -> io::Result<Child> {
    let mut command = Command::new(&order.program);
    if let Some((name, arguments)) = order.argv.split_first() {
        command.arg0(name).args(arguments);
    }
    command
        .env_clear()
        .envs(order.env.iter().map(|(key, value)| (key, value)))
        .stdin(ends.stdin)
        .stdout(ends.stdout)
        .stderr(ends.stderr)
        .process_group(0);
    if let Some(cwd) = &order.cwd {
        command.current_dir(cwd);
    }
    if let Some(user) = order.user {
        // With the user the standard library also drops all further groups.
        command.uid(user.uid).gid(user.gid);
    }
    command.spawn()
}

/// A process group by its leader.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    leader: Pid,
}

impl Group {
    /// The group of a child started by [`spawn`].
    pub(super) fn of(child: &Child) -> Self {
        Self {
            leader: Pid::from_child(child),
        }
    }

    /// The group with this number, where it is one.
    pub(super) fn from_number(leader: i32) -> Option<Self> {
        // 1 would be the whole system.
        let leader = Pid::from_raw(leader).filter(|_| leader > 1)?;
        Some(Self { leader })
    }

    /// The leader's process id.
    pub(super) fn number(self) -> i32 {
        self.leader.as_raw_nonzero().get()
    }

    /// Signals every process of the group. A group that is gone is fine.
    pub(super) fn stop(self, stop: Stop) {
        let signal = match stop {
            Stop::Term => Signal::TERM,
            Stop::Kill => Signal::KILL,
        };
        let _ = rustix::process::kill_process_group(self.leader, signal);
    }

    /// Blocks until the leader ends and leaves it unreaped. `None` when it is no
    /// child of this process.
    pub(super) fn wait_without_reaping(self) -> Option<ExitStatus> {
        loop {
            let waited = rustix::process::waitid(
                WaitId::Pid(self.leader),
                WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
            );
            match waited {
                Ok(Some(status)) => {
                    return match (status.exit_status(), status.terminating_signal()) {
                        (Some(code), _) => Some(ExitStatus::Code(code)),
                        (None, Some(signal)) => Some(ExitStatus::Signal(signal)),
                        (None, None) => None,
                    };
                }
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
        }
    }
}
