//! A server as a child process: one JSON message a line on its standard input and
//! output.
//!
//! Three tasks move bytes, so that neither side can block the other for ever: one
//! writes standard input, one reads standard output, one drains standard error.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::{Pin, pin};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::group::ServerEnds;
use super::order::Stop;
use super::{Incoming, Spawner};
use crate::model::fuzz::ExitStatus;
use crate::model::target::ServerCommand;
use crate::model::wire::{EndedBy, Ending};
use crate::protocol::lines::{Line, LineReader};
use crate::protocol::message::{self, Frame, NotMessage};

mod process;
mod program;
mod service;
mod stderr;

use process::{Life, Process};
pub(crate) use program::SpawnError;
pub(crate) use service::{Pieces, Service};
use stderr::Stderr;

/// How long the exit status, the rest of standard output and the rest of standard
/// error are waited for once a server has ended.
const AFTERMATH: Duration = Duration::from_secs(1);

/// How long a server has to end once its standard input is closed.
const END_OF_INPUT: Duration = Duration::from_secs(5);

/// How long a server has to end after SIGTERM.
const TERM: Duration = Duration::from_secs(2);

/// Between two looks whether children of an ended server are still there.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How many pieces of output may wait: a handful, so that a flood stays in the pipe
/// and not in memory.
const PIECES: usize = 8;

/// Either of these waits once there is a hurry.
const HURRIED: Duration = Duration::from_secs(1);

/// How many messages may wait for a server that does not read.
const OUTBOX: usize = 256;

/// A running server and its three pipes.
#[derive(Debug)]
pub(crate) struct StdioTransport {
    process: Process,
    outbox: Option<mpsc::Sender<Vec<u8>>>,
    stdout: mpsc::Receiver<Vec<u8>>,
    movers: [JoinHandle<()>; 2],
    stderr: Stderr,
    lines: LineReader,
    ready: VecDeque<Line>,
    /// Until when standard output is read after the process's end.
    last_call: Option<Instant>,
    ended: Option<String>,
}

/// How a process ended, and its last words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Aftermath {
    pub(crate) exit: Option<ExitStatus>,
    pub(crate) stderr_tail: Option<String>,
}

/// Whether there is time to end a server slowly.
enum Patience<'a> {
    /// Until this is over.
    Until(Pin<&'a mut (dyn Future<Output = ()> + Send)>),
    /// There is none left.
    Gone,
}

impl Patience<'_> {
    /// Waits for the moment when it goes; for ever once it has gone.
    async fn gone(&mut self) {
        match self {
            Self::Until(hurry) => hurry.as_mut().await,
            Self::Gone => std::future::pending().await,
        }
        *self = Self::Gone;
    }
}

impl StdioTransport {
    /// Starts a server.
    pub(crate) async fn start(
        command: &ServerCommand,
        spawner: &Spawner,
    ) -> Result<Self, SpawnError> {
        let order = program::order(command)?;
        let system = |error: io::Error| {
            SpawnError::from_system(&order.program, error.raw_os_error(), &error.to_string())
        };
        let (stdin_theirs, stdin_ours) = io::pipe().map_err(system)?;
        let (stdout_ours, stdout_theirs) = io::pipe().map_err(system)?;
        let (stderr_ours, stderr_theirs) = io::pipe().map_err(system)?;
        let ends = ServerEnds {
            stdin: stdin_theirs.into(),
            stdout: stdout_theirs.into(),
            stderr: stderr_theirs.into(),
        };
        let stdin = pipe::Sender::from_owned_fd(OwnedFd::from(stdin_ours)).map_err(system)?;
        let stdout = pipe::Receiver::from_owned_fd(OwnedFd::from(stdout_ours)).map_err(system)?;
        let stderr = pipe::Receiver::from_owned_fd(OwnedFd::from(stderr_ours)).map_err(system)?;
        let process = Process::spawn(&order, ends, spawner).await?;

        let (outbox, to_write) = mpsc::channel(OUTBOX);
        let (was_read, inbox) = mpsc::channel(PIECES);
        Ok(Self {
            process,
            outbox: Some(outbox),
            stdout: inbox,
            movers: [
                tokio::spawn(write_all(stdin, to_write)),
                tokio::spawn(read_all(stdout, was_read)),
            ],
            stderr: Stderr::read(stderr),
            lines: LineReader::default(),
            ready: VecDeque::new(),
            last_call: None,
            ended: None,
        })
    }

    /// Hands a message over for writing; waits while too many are waiting.
    /// A closed pipe is noticed by [`StdioTransport::next`].
    pub(crate) async fn send(&self, message: &str) {
        if let Some(outbox) = &self.outbox {
            let _ = outbox.send(as_line(message)).await;
        }
    }

    /// Hands a message over unless too many are waiting; says whether it did. For
    /// answers: a server that asks without reading must not fill our memory.
    pub(crate) fn try_send(&self, message: &str) -> bool {
        self.outbox
            .as_ref()
            .is_some_and(|outbox| outbox.try_send(as_line(message)).is_ok())
    }

    /// The next line, or how it ended. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Incoming {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return incoming(line);
            }
            if let Some(why) = &self.ended {
                return Incoming::Ended(why.clone());
            }
            let until = self.last_call.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                piece = self.stdout.recv() => match piece {
                    Some(bytes) => self.ready.extend(self.lines.push(&bytes)),
                    None => self.finish().await,
                },
                _ = self.process.ended(), if self.last_call.is_none() => {
                    self.last_call = Some(Instant::now() + AFTERMATH);
                }
                () = tokio::time::sleep_until(until), if self.last_call.is_some() => {
                    self.finish().await;
                }
            }
        }
    }

    /// The lines that are here already, without waiting; no more than the pipe's
    /// pieces that wait, since a flood never ends.
    pub(crate) fn arrived(&mut self) -> Vec<Incoming> {
        for _ in 0..PIECES {
            let Ok(bytes) = self.stdout.try_recv() else {
                break;
            };
            self.ready.extend(self.lines.push(&bytes));
        }
        self.ready.drain(..).map(incoming).collect()
    }

    /// Whether the stream began with a byte order mark.
    pub(crate) const fn had_byte_order_mark(&self) -> bool {
        self.lines.had_byte_order_mark()
    }

    /// Whether more may come.
    pub(crate) fn is_open(&self) -> bool {
        self.ended.is_none() && self.process.life() == Life::Running
    }

    /// Standard error so far.
    pub(crate) fn stderr_tail(&self) -> Option<String> {
        self.stderr.tail()
    }

    /// How it ended, as far as that is known within a second.
    pub(crate) async fn aftermath(&mut self) -> Aftermath {
        let by = Instant::now() + AFTERMATH;
        let exit = match tokio::time::timeout_at(by, self.process.ended()).await {
            Ok(Life::Ended(exit)) => Some(exit),
            _ => None,
        };
        if exit.is_some() {
            self.stderr
                .settle(by.saturating_duration_since(Instant::now()))
                .await;
        }
        Aftermath {
            exit,
            stderr_tail: self.stderr.tail(),
        }
    }

    /// Ends the server: input closed, SIGTERM, SIGKILL to the whole group. All of
    /// it takes no longer than `limit` (and about a second), and as soon as
    /// `hurry` is over no longer than two seconds from then. Children that it leaves
    /// are waited for one second more.
    pub(crate) async fn end(
        mut self,
        limit: Duration,
        hurry: impl Future<Output = ()> + Send,
    ) -> Ending {
        let full = END_OF_INPUT + TERM;
        let (for_eof, for_term) = if limit >= full {
            (END_OF_INPUT, TERM)
        } else {
            (limit * 2 / 3, limit / 3)
        };
        let mut patience = Patience::Until(pin!(hurry));
        let began = Instant::now();
        let by = self.stop_politely(for_eof, for_term, &mut patience).await;
        let full_waits = match by {
            EndedBy::Earlier | EndedBy::EndOfInput => true,
            EndedBy::StopSignal => began.elapsed() >= END_OF_INPUT,
            EndedBy::KillSignal => began.elapsed() >= full,
        };
        let by_itself = matches!(by, EndedBy::EndOfInput | EndedBy::StopSignal);
        let children_left = match patience {
            Patience::Until(_) if by_itself => self.leaves_children().await,
            _ => None,
        };
        self.process.end(AFTERMATH).await;
        Ending {
            by,
            full_waits,
            children_left,
        }
    }

    /// Whether processes that it started outlive it by a second.
    async fn leaves_children(&mut self) -> Option<bool> {
        let until = Instant::now() + AFTERMATH;
        while self.process.has_children()? {
            if Instant::now() >= until {
                return Some(true);
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Some(false)
    }

    async fn stop_politely(
        &mut self,
        for_eof: Duration,
        for_term: Duration,
        patience: &mut Patience<'_>,
    ) -> EndedBy {
        if self.process.life() != Life::Running {
            return EndedBy::Earlier;
        }
        // The writer ends when it has written what waits; a server that does not
        // read gets no end of input and is none the worse for it.
        self.outbox = None;
        if !self.outlives(for_eof, patience).await {
            return EndedBy::EndOfInput;
        }
        self.process.stop(Stop::Term).await;
        if !self.outlives(for_term, patience).await {
            return EndedBy::StopSignal;
        }
        self.process.stop(Stop::Kill).await;
        self.outlives(AFTERMATH, patience).await;
        EndedBy::KillSignal
    }

    /// Whether the process is still there after this time. Output is read on
    /// meanwhile: a server may not end before it is rid of it.
    async fn outlives(&mut self, mut limit: Duration, patience: &mut Patience<'_>) -> bool {
        let began = Instant::now();
        if matches!(patience, Patience::Gone) {
            limit = limit.min(HURRIED);
        }
        let mut reading = true;
        loop {
            tokio::select! {
                biased;
                _ = self.process.ended() => return false,
                () = patience.gone() => limit = limit.min(began.elapsed() + HURRIED),
                piece = self.stdout.recv(), if reading => reading = piece.is_some(),
                () = tokio::time::sleep_until(began + limit) => return true,
            }
        }
    }

    async fn finish(&mut self) {
        let last = self.lines.finish();
        // The start of a message says what it was cut by, not that it is wrong.
        let torn = matches!(&last, Some(Line::Whole(line)) if is_start_of_message(line));
        if !torn {
            self.ready.extend(last);
        }
        let ended = tokio::time::timeout(AFTERMATH, self.process.ended()).await;
        let mut how = match ended {
            Ok(Life::Ended(exit)) => format!("the process ended ({exit})"),
            Ok(Life::Running | Life::Lost) => "the process ended".to_owned(),
            Err(_) => "standard output was closed while the process runs on".to_owned(),
        };
        if torn {
            how.push_str(", in the middle of a message");
        }
        self.ended = Some(how);
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        for mover in &self.movers {
            mover.abort();
        }
    }
}

fn is_start_of_message(line: &[u8]) -> bool {
    let frame = message::frame(&String::from_utf8_lossy(line));
    matches!(frame, Frame::NotMessage(NotMessage::BrokenMessage))
}

fn incoming(line: Line) -> Incoming {
    match line {
        Line::Whole(line) => Incoming::Message(line),
        Line::TooLong(head) => Incoming::TooLong(head),
    }
}

fn as_line(message: &str) -> Vec<u8> {
    let mut line = Vec::with_capacity(message.len() + 1);
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    line
}

async fn write_all(mut stdin: pipe::Sender, mut outbox: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = outbox.recv().await {
        if stdin.write_all(&line).await.is_err() {
            return;
        }
    }
}

async fn read_all(mut stdout: pipe::Receiver, inbox: mpsc::Sender<Vec<u8>>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(read) = stdout.read(&mut buffer).await {
        if read == 0 || inbox.send(buffer[..read].to_vec()).await.is_err() {
            return;
        }
    }
}
