//! Where a report goes: standard output and files.

use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::args::{Format, OutputArgs};
use crate::cli::console::{self, Screen};
use crate::cli::exit::Exit;
use crate::config::{ConfigError, find};
use crate::model::evidence::Evidence;
use crate::model::report::Report;
use crate::render::{
    self,
    terminal::{Detail, Style},
};

/// The places of one run, checked before anything is started.
pub(super) struct Places {
    format: Format,
    screen: Screen,
    quiet: bool,
    detail: Detail,
    files: Vec<(PathBuf, Format)>,
    evidence: Option<PathBuf>,
}

impl Places {
    /// Checks the words: every file's ending, and that it can be a file.
    pub(super) fn new(args: &OutputArgs, evidence: Option<&Path>) -> Result<Self, ConfigError> {
        let screen = Screen::of_stdout(args.color);
        let format = match args.format {
            _ if args.json => Format::Json,
            Some(format) => format,
            None if screen.is_terminal => Format::Terminal,
            None => Format::Markdown,
        };
        let mut files = Vec::new();
        for path in &args.output {
            files.push((path.clone(), format_of(path)?));
        }
        let mut places: Vec<&Path> = Vec::new();
        for path in files.iter().map(|(path, _)| path.as_path()).chain(evidence) {
            check_place(path)?;
            if places.contains(&path) {
                return Err(ConfigError::new(format!(
                    "{} is named twice; one would overwrite the other",
                    path.display()
                )));
            }
            places.push(path);
        }
        Ok(Self {
            format,
            screen,
            quiet: args.quiet,
            detail: if args.verbose {
                Detail::Verbose
            } else {
                Detail::Usual
            },
            files,
            evidence: evidence.map(Path::to_owned),
        })
    }

    /// Writes everything; what can be written is written even when something
    /// else cannot. The exit is the verdict's, or 4 when a file failed.
    pub(super) fn deliver(&self, report: &Report, evidence: &Evidence) -> anyhow::Result<Exit> {
        let mut failed = None;
        for (path, format) in &self.files {
            let text = self.picture(report, *format, false);
            failed = write(path, &text).err().or(failed);
        }
        if let Some(path) = &self.evidence {
            failed = write_evidence(path, evidence).err().or(failed);
        }
        if self.quiet && self.format != Format::Json {
            failed = console::print(&render::headline(report)).err().or(failed);
        } else {
            let text = self.picture(report, self.format, self.screen.color);
            failed = console::print(&text).err().or(failed);
        }
        if let Some(failure) = &report.failure
            && !(self.quiet && self.format != Format::Json)
        {
            console::error(&render::escape::terminal(&failure.message));
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Exit::Verdict(report.verdict.exit_code)),
        }
    }

    fn picture(&self, report: &Report, format: Format, color: bool) -> String {
        match format {
            Format::Terminal => render::terminal::render(
                report,
                &Style {
                    color,
                    detail: self.detail,
                    ..self.screen.style()
                },
            ),
            Format::Markdown => render::markdown::render(report),
            Format::Json => render::json::v1::render(report),
        }
    }
}

fn format_of(path: &Path) -> Result<Format, ConfigError> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Ok(Format::Json),
        Some("md" | "markdown") => Ok(Format::Markdown),
        Some("txt") => Ok(Format::Terminal),
        _ => Err(ConfigError::new(format!(
            "--output {}: its ending picks the format; use .json, .md or .txt",
            path.display()
        ))),
    }
}

/// Refuses a place that cannot be written before a long run is spent on it.
pub(super) fn check_place(path: &Path) -> Result<(), ConfigError> {
    if path.is_dir() {
        return Err(ConfigError::new(format!(
            "{} is a folder; name a file",
            path.display()
        )));
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(ConfigError::new(format!(
                "the folder {} does not exist; make it first",
                folder.display()
            )))
        }
        _ => Ok(()),
    }
}

/// Evidence goes out piece by piece: as one text it would be there twice.
fn write_evidence(path: &Path, evidence: &Evidence) -> anyhow::Result<()> {
    let written = std::fs::File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        serde_json::to_writer(&mut file, evidence)?;
        file.write_all(b"\n")?;
        file.flush()
    });
    written.map_err(|error| unwritten(path, &error))
}

/// Writes a file, or says in one line why not.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot write {}: {}", path.display(), find::reason(error))
}
