//! The owner of the standard streams.

use std::io::{self, IsTerminal as _, Write as _};

use super::args::ColorChoice;
use crate::config::find::reason;
use crate::render::escape;
use crate::render::terminal::{Detail, Style};

/// What standard output is, and how text for it may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Whether a person is likely to read it.
    pub is_terminal: bool,
    /// Whether colours may be used.
    pub color: bool,
    /// Columns.
    pub width: usize,
}

/// The default width where there is no terminal.
const WIDTH: usize = 100;

impl Screen {
    /// What standard output is now.
    pub fn of_stdout(choice: ColorChoice) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let color = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                is_terminal && !set("NO_COLOR") && !dumb
            }
        };
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .or_else(|| is_terminal.then(terminal_width).flatten())
            .unwrap_or(WIDTH);
        Self {
            is_terminal,
            color,
            width: width.clamp(40, 160),
        }
    }

    /// The look of text for it, with the usual detail.
    pub const fn style(&self) -> Style {
        Style {
            color: self.color,
            width: self.width,
            detail: Detail::Usual,
        }
    }
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Writes to standard output. A reader that went away is no error; a full disk is.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(anyhow::anyhow!(
            "cannot write to standard output: {}",
            reason(&error)
        )),
        _ => Ok(()),
    }
}

/// Writes to standard error.
pub fn print_error(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// One line on standard error that begins with `error:`. Whatever the text is
/// made of (files, flags, servers), it stays one line and says nothing to the
/// terminal.
pub fn error(line: &str) {
    print_error(&format!("error: {}\n", escape::terminal(line.trim_end())));
}
