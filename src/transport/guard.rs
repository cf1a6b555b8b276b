//! The guard process: between us and the server, so that the server is gone when
//! we are, even by SIGKILL.
//!
//! The program starts itself again with the one argument [`ARGUMENT`] and a socket
//! as standard input. Over the socket come the order and the three pipes; back go
//! reports. The end of the socket means that nobody is left to serve: the guard
//! kills the server's group, then whatever else was handed down to it (on Linux
//! it is a child subreaper), until no child is left, and ends.

use std::io::{BufRead as _, BufReader, IoSliceMut, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use nix::sys::signal::{SigSet, Signal};
use rustix::io::FdFlags;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use rustix::process::{Pid, WaitOptions};

use super::group::{self, Group, ServerEnds};
use super::order::{self, Report, SpawnOrder, Stop};

/// The hidden argument that makes the program a guard.
pub const ARGUMENT: &str = "__guard";

/// The longest order, in bytes. An environment and a command line are smaller.
const MAX_ORDER_BYTES: usize = 16 * 1024 * 1024;

/// Guards one server to its end. Called first thing in `main`, before any thread
/// or runtime; needs a control socket as standard input.
pub fn run() -> ExitCode {
    let signals = ignore_signals();
    become_subreaper();
    let Some(control) = control_socket() else {
        return ExitCode::from(2);
    };
    let Some((order, ends)) = receive(&control) else {
        return ExitCode::from(2);
    };
    // A blocked signal stays blocked in a child, and a server must hear SIGTERM.
    let _ = signals.thread_unblock();
    let spawned = group::spawn(&order, ends);
    let _ = signals.thread_block();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            report(
                &control,
                &Report::Error {
                    os: error.raw_os_error(),
                    text: error.to_string(),
                },
            );
            return ExitCode::SUCCESS;
        }
    };
    let group = Group::of(&child);
    report(
        &control,
        &Report::Spawned {
            pid: group.number(),
        },
    );
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if let Some(exit) = group.wait_without_reaping() {
                report(&control, &Report::Exited(exit));
            }
        });
        obey(&control, group);
        // Before the leader is reaped; afterwards the number may be another's.
        group.stop(Stop::Kill);
    });
    let _ = child.wait();
    end_strays();
    ExitCode::SUCCESS
}

/// Ctrl-C, a stop signal and a closed terminal are for the one who started us:
/// its end is what ends the guard. A blocked signal is never delivered.
fn ignore_signals() -> SigSet {
    let mut signals = SigSet::empty();
    for signal in [
        Signal::SIGINT,
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGQUIT,
        Signal::SIGTSTP,
        Signal::SIGPIPE,
    ] {
        signals.add(signal);
    }
    let _ = signals.thread_block();
    signals
}

/// Orphans below us become our children. Elsewhere than on Linux they cannot.
fn become_subreaper() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

fn control_socket() -> Option<UnixStream> {
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    Some(UnixStream::from(stdin))
}

/// The order is a line; the pipes come with its first bytes.
fn receive(control: &UnixStream) -> Option<(SpawnOrder, ServerEnds)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut first = vec![0; 64 * 1024];
    let received = rustix::net::recvmsg(
        control,
        &mut [IoSliceMut::new(&mut first)],
        &mut ancillary,
        RecvFlags::empty(),
    )
    .ok()?;
    let mut pipes: Vec<OwnedFd> = Vec::with_capacity(3);
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            pipes.extend(fds);
        }
    }
    for pipe in &pipes {
        rustix::io::fcntl_setfd(pipe, FdFlags::CLOEXEC).ok()?;
    }
    let [stdin, stdout, stderr] = <[OwnedFd; 3]>::try_from(pipes).ok()?;

    first.truncate(received.bytes);
    let mut line = first;
    while line.last() != Some(&b'\n') {
        if line.is_empty() || line.len() > MAX_ORDER_BYTES {
            return None;
        }
        let mut more = vec![0; 64 * 1024];
        let read = rustix::io::read(control, &mut more).ok()?;
        if read == 0 {
            return None;
        }
        line.extend_from_slice(&more[..read]);
    }
    let order = serde_json::from_slice(&line).ok()?;
    Some((
        order,
        ServerEnds {
            stdin,
            stdout,
            stderr,
        },
    ))
}

/// Nobody may be listening any more; that is noticed by [`obey`].
fn report(mut control: &UnixStream, report: &Report) {
    let _ = control.write_all(&order::line(report));
}

/// Passes signals on until the other side is gone.
fn obey(control: &UnixStream, group: Group) {
    for line in BufReader::new(control).lines() {
        let Ok(line) = line else { return };
        if let Ok(stop) = serde_json::from_str(&line) {
            group.stop(stop);
        }
    }
}

/// Kills and reaps until no child is left. The death of one may hand us its own
/// children, so the list is read anew each time.
fn end_strays() {
    loop {
        for child in children() {
            let _ = rustix::process::kill_process(child, rustix::process::Signal::KILL);
        }
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Our children, by the kernel's own list or, where it keeps none, by looking at
/// every process. Empty elsewhere than on Linux.
fn children() -> Vec<Pid> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for task in tasks.flatten() {
        let Ok(list) = std::fs::read_to_string(task.path().join("children")) else {
            return children_by_parent();
        };
        found.extend(list.split_whitespace().filter_map(pid));
    }
    found
}

fn children_by_parent() -> Vec<Pid> {
    let me = std::process::id().to_string();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|process| {
            let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
            // `pid (name) state parent …`; the name may hold anything.
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
            (parent == me).then_some(())?;
            pid(process.file_name().to_str()?)
        })
        .collect()
}

fn pid(digits: &str) -> Option<Pid> {
    Pid::from_raw(digits.parse().ok()?)
}
