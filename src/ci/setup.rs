//! `setup`: shell lines in the workspace, before anything is audited.

use std::time::Duration;

use tokio::time::Instant;

use super::{Call, Ready, Stop};
use crate::fuzz::run::stop_signal;
use crate::model::evidence::{Failure, ProbeState};
use crate::model::fuzz::ExitStatus;
use crate::render::{escape, github};
use crate::transport::stdio::{Pieces, Service};

/// The longest that it may take. The limit of the audit begins after it.
const LIMIT: Duration = Duration::from_mins(30);

/// How long its last words are waited for: what it left running may hold the
/// pipe open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The longest line that is shown, in bytes.
const LINE: usize = 4096;

/// Runs the lines to their end and shows what they write. What they started and
/// left running ends with the service that is returned.
pub(super) async fn run(call: &Call<'_>, ready: &Ready, script: String) -> Result<Service, Stop> {
    let is_runner = call
        .variables
        .get("GITHUB_ACTIONS")
        .is_some_and(|on| on == "true");
    let say = |text: &str| {
        // The log of a runner folds what is on standard output only; elsewhere
        // that is for the summary.
        if is_runner {
            call.streams.out(text);
        } else {
            call.streams.err(text);
        }
    };
    // A line that fails ends it, as in a step of a workflow.
    let command = ready.command(
        ["sh", "-e", "-c"]
            .map(str::to_owned)
            .into_iter()
            .chain([script])
            .collect(),
    );
    let started = Service::start(&command, &call.spawner).await;
    let (mut service, mut pieces) = started.map_err(|error| {
        Stop::failed(
            ProbeState::SpawnError,
            format!("`setup` could not be started: {error}"),
        )
    })?;
    if is_runner {
        say(&github::open_group("setup"));
    }
    let mut lines = Lines::default();
    let mut show = |bytes: &[u8]| {
        for line in lines.push(bytes) {
            say(&format!("  {}\n", escape::terminal(&ready.clean(&line))));
        }
    };
    let ended = until_ended(call, &mut service, &mut pieces, &mut show).await;
    // What it left running may write without end.
    let by = Instant::now() + LAST_WORDS;
    while Instant::now() < by
        && let Ok(Some(piece)) = tokio::time::timeout_at(by, pieces.recv()).await
    {
        show(&piece);
    }
    show(b"\n");
    if is_runner {
        say(github::CLOSE_GROUP);
    }
    let message = match ended {
        Ok(Some(ExitStatus::Code(0))) => return Ok(service),
        Ok(exit) => {
            let how = exit.map_or_else(|| "ended".to_owned(), |exit| format!("failed ({exit})"));
            format!("`setup` {how}, so the server was not started")
        }
        Err(Interrupted::Late) => "`setup` did not end within 30 minutes".to_owned(),
        Err(Interrupted::Signal(signal)) => {
            service.end(Duration::from_secs(1)).await;
            return Err(Stop::Cancelled(signal));
        }
    };
    let stderr_tail = service.tail();
    service.end(Duration::from_secs(1)).await;
    Err(Stop::Failed(
        ProbeState::SpawnError,
        Failure {
            message,
            // That is how a server ended, and none ran.
            exit: None,
            stderr_tail,
            exchange: None,
        },
    ))
}

enum Interrupted {
    Signal(i32),
    Late,
}

async fn until_ended(
    call: &Call<'_>,
    service: &mut Service,
    pieces: &mut Pieces,
    show: &mut impl FnMut(&[u8]),
) -> Result<Option<ExitStatus>, Interrupted> {
    let by = Instant::now() + LIMIT;
    let mut cancel = call.cancel.clone();
    let mut is_open = true;
    loop {
        // In no fixed order: endless output must not hide the end or the limit.
        tokio::select! {
            signal = stop_signal(&mut cancel) => return Err(Interrupted::Signal(signal)),
            piece = pieces.recv(), if is_open => match piece {
                Some(piece) => show(&piece),
                None => is_open = false,
            },
            exit = service.ended() => return Ok(exit),
            () = tokio::time::sleep_until(by) => return Err(Interrupted::Late),
        }
    }
}

/// Bytes to lines; a long one is cut.
#[derive(Default)]
struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            // A carriage return alone draws a line anew, as progress bars do.
            if byte != b'\n' && byte != b'\r' {
                self.rest.push(byte);
                if self.rest.len() < LINE {
                    continue;
                }
            }
            let line = String::from_utf8_lossy(&self.rest).trim_end().to_owned();
            self.rest.clear();
            if !line.is_empty() {
                lines.push(line);
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_bounded() {
        let mut lines = Lines::default();
        assert!(lines.push(b"one").is_empty());
        assert_eq!(
            lines.push(b" more\r\n\n50%\r100%\nx"),
            ["one more", "50%", "100%"]
        );
        assert_eq!(lines.push(&[b'y'; LINE]).len(), 1);
        assert_eq!(lines.push(b"\n"), ["y"]);
    }
}
