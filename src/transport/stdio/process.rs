//! The server's process: started by us or by a guard, watched, and never left
//! behind.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{oneshot, watch};

use super::super::group::{self, Group, ServerEnds};
use super::super::order::{self, Report, SpawnOrder, Stop};
use super::super::{Spawner, guard};
use super::program::SpawnError;
use crate::model::fuzz::ExitStatus;

/// Whether the server still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    Running,
    Ended(ExitStatus),
    /// Ended, and nobody can say how: the guard is gone.
    Lost,
}

/// A started server. Dropping it kills the whole group.
#[derive(Debug)]
pub(super) struct Process {
    group: Group,
    life: watch::Receiver<Life>,
    keeper: Keeper,
}

/// Who reaps the leader, and is told when to.
#[derive(Debug)]
enum Keeper {
    /// A thread of ours; it reaps when `release` is dropped.
    Thread {
        release: Option<mpsc::Sender<()>>,
        reaped: oneshot::Receiver<()>,
    },
    /// The guard; it reaps when the socket ends.
    Guard {
        orders: Option<OwnedWriteHalf>,
        process: tokio::process::Child,
    },
}

impl Process {
    pub(super) async fn spawn(
        order: &SpawnOrder,
        ends: ServerEnds,
        spawner: &Spawner,
    ) -> Result<Self, SpawnError> {
        match spawner {
            Spawner::Direct => Self::spawn_directly(order, ends),
            Spawner::Guarded { exe } => Self::spawn_guarded(order, ends, exe).await,
        }
    }

    fn spawn_directly(order: &SpawnOrder, ends: ServerEnds) -> Result<Self, SpawnError> {
        let mut child = group::spawn(order, ends).map_err(|error| {
            SpawnError::from_system(&order.program, error.raw_os_error(), &error.to_string())
        })?;
        let group = Group::of(&child);
        let (say, life) = watch::channel(Life::Running);
        let (release, released) = mpsc::channel::<()>();
        let (say_reaped, reaped) = oneshot::channel();
        std::thread::spawn(move || {
            let end = group.wait_without_reaping();
            let _ = say.send(end.map_or(Life::Lost, Life::Ended));
            // Nothing is ever sent: the sender's end is the release.
            let _ = released.recv();
            group.stop(Stop::Kill);
            let _ = child.wait();
            let _ = say_reaped.send(());
        });
        Ok(Self {
            group,
            life,
            keeper: Keeper::Thread {
                release: Some(release),
                reaped,
            },
        })
    }

    async fn spawn_guarded(
        order: &SpawnOrder,
        ends: ServerEnds,
        exe: &Path,
    ) -> Result<Self, SpawnError> {
        let refused = |error: &dyn std::fmt::Display| SpawnError::Guard(error.to_string());
        let (ours, theirs) = StdUnixStream::pair().map_err(|e| refused(&e))?;
        let mut command = Command::new(exe);
        command
            .arg(guard::ARGUMENT)
            .env_clear()
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        let process = tokio::process::Command::from(command)
            .spawn()
            .map_err(|e| refused(&e))?;
        ours.set_nonblocking(true).map_err(|e| refused(&e))?;
        let control = UnixStream::from_std(ours).map_err(|e| refused(&e))?;
        let message = order::line(order);
        let sent = send_with_pipes(&control, &message, &ends).map_err(|e| refused(&e))?;
        drop(ends);
        let (reports, mut orders) = control.into_split();
        orders
            .write_all(&message[sent..])
            .await
            .map_err(|e| refused(&e))?;
        let mut reports = BufReader::new(reports).lines();
        let pid = match next_report(&mut reports).await {
            Some(Report::Spawned { pid }) => pid,
            Some(Report::Error { os, text }) => {
                return Err(SpawnError::from_system(&order.program, os, &text));
            }
            Some(Report::Exited(_)) | None => {
                return Err(refused(&"it ended before the server was started"));
            }
        };
        let group = Group::from_number(pid).ok_or_else(|| refused(&"it names no process"))?;
        let (say, life) = watch::channel(Life::Running);
        tokio::spawn(async move {
            let end = match next_report(&mut reports).await {
                Some(Report::Exited(exit)) => Life::Ended(exit),
                _ => Life::Lost,
            };
            let _ = say.send(end);
        });
        Ok(Self {
            group,
            life,
            keeper: Keeper::Guard {
                orders: Some(orders),
                process,
            },
        })
    }

    /// How it stands, as far as is known.
    pub(super) fn life(&self) -> Life {
        *self.life.borrow()
    }

    /// Waits for its end.
    pub(super) async fn ended(&mut self) -> Life {
        match self.life.wait_for(|life| *life != Life::Running).await {
            Ok(life) => *life,
            Err(_) => Life::Lost,
        }
    }

    /// Whether processes of its group, or that were handed down to the guard, run
    /// while the leader itself does not. `None` where that cannot be seen (elsewhere
    /// than on Linux).
    pub(super) fn has_children(&self) -> Option<bool> {
        let leader = self.group.number();
        let heir = match &self.keeper {
            Keeper::Thread { .. } => None,
            Keeper::Guard { process, .. } => process.id(),
        };
        let processes = std::fs::read_dir("/proc").ok()?;
        let is_left = processes.flatten().any(|process| {
            let stat = std::fs::read_to_string(process.path().join("stat"));
            stat.ok()
                .and_then(|stat| Stat::read(&stat))
                .is_some_and(|stat| {
                    stat.runs
                        && stat.pid != leader
                        && (stat.group == leader || heir.is_some_and(|heir| stat.parent == heir))
                })
        });
        Some(is_left)
    }

    /// Signals the whole group.
    pub(super) async fn stop(&mut self, stop: Stop) {
        match &mut self.keeper {
            Keeper::Thread { .. } => self.group.stop(stop),
            Keeper::Guard { orders, .. } => {
                if let Some(orders) = orders {
                    let _ = orders.write_all(&order::line(&stop)).await;
                }
            }
        }
    }

    /// Kills what is left of the group and waits until it is reaped, no longer
    /// than `limit`.
    pub(super) async fn end(&mut self, limit: Duration) {
        self.let_go();
        let gone = async {
            match &mut self.keeper {
                Keeper::Thread { reaped, .. } => {
                    let _ = reaped.await;
                }
                Keeper::Guard { process, .. } => {
                    // A guard that was killed itself has ended nothing.
                    if process.wait().await.is_ok_and(|end| !end.success()) {
                        self.group.stop(Stop::Kill);
                    }
                }
            }
        };
        let _ = tokio::time::timeout(limit, gone).await;
    }

    fn let_go(&mut self) {
        match &mut self.keeper {
            Keeper::Thread { release, .. } => {
                if let Some(release) = release.take() {
                    self.group.stop(Stop::Kill);
                    drop(release);
                }
            }
            Keeper::Guard { orders, process } => {
                if orders.take().is_none() {
                    return;
                }
                let failed = matches!(process.try_wait(), Ok(Some(end)) if !end.success());
                if failed || *self.life.borrow() == Life::Lost {
                    self.group.stop(Stop::Kill);
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// What the kernel says of a process.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    pid: i32,
    /// Neither ended nor dying.
    runs: bool,
    parent: u32,
    group: i32,
}

impl Stat {
    /// `pid (name) state parent group …`; the name may hold anything.
    fn read(text: &str) -> Option<Self> {
        let (pid, _) = text.split_once(' ')?;
        let (_, rest) = text.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        Some(Self {
            pid: pid.parse().ok()?,
            runs: !matches!(fields.next()?, "Z" | "X" | "x"),
            parent: fields.next()?.parse().ok()?,
            group: fields.next()?.parse().ok()?,
        })
    }
}

/// The pipes travel with the first bytes of the order. A new socket has room for
/// those, so this does not block.
fn send_with_pipes(
    control: &UnixStream,
    line: &[u8],
    ends: &ServerEnds,
) -> rustix::io::Result<usize> {
    let pipes = [ends.stdin.as_fd(), ends.stdout.as_fd(), ends.stderr.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&pipes));
    let first = &line[..line.len().min(4096)];
    rustix::net::sendmsg(
        control,
        &[IoSlice::new(first)],
        &mut ancillary,
        SendFlags::empty(),
    )
}

async fn next_report(reports: &mut Lines<BufReader<OwnedReadHalf>>) -> Option<Report> {
    let line = reports.next_line().await.ok()??;
    serde_json::from_str(&line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_is_read_whatever_the_name() {
        assert_eq!(
            Stat::read("12 (a b) c) Z 3 4 4 0 -1"),
            Some(Stat {
                pid: 12,
                runs: false,
                parent: 3,
                group: 4
            })
        );
        assert!(Stat::read("12 (sh) S 3 12 12").is_some_and(|stat| stat.runs));
        assert_eq!(Stat::read("12"), None);
        assert_eq!(Stat::read("x (sh) S 3 12"), None);
    }
}
