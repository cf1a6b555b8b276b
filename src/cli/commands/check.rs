//! `mcprobe check`.

use std::path::Path;

use super::output::Places;
use crate::cli::args::CheckArgs;
use crate::cli::exit::Exit;
use crate::config::{ConfigError, find, merge};
use crate::model::finding::Severity;
use crate::{capture, judge};

/// The most that is read of a file.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Judges a file, writes the report, and exits by the verdict.
pub fn run(args: CheckArgs) -> anyhow::Result<Exit> {
    let file = find::load(args.gate.settings.as_deref(), Path::new(""))?;
    let words = args.gate.words(Some(Severity::Error));
    let places = Places::new(&args.output, None)?;
    let shown = if is_stdin(&args.file) {
        "standard input".into()
    } else {
        args.file.display().to_string()
    };
    let bytes = read(&args.file)
        .map_err(|reason| ConfigError::new(format!("cannot read {shown}: {reason}")))?;
    let mut evidence = capture::read(&shown, &bytes)
        .map_err(|reason| ConfigError::new(format!("{shown}: {reason}")))?;
    drop(bytes);
    if let Some(name) = args.output.name {
        evidence.target.name = Some(name);
    }
    let settings = merge::judge_settings(&words, file.as_ref(), evidence.fuzz.is_some())?;
    let report = judge::judge(&evidence, &settings);
    places.deliver(&report, &evidence)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    if is_stdin(path) {
        find::bounded(std::io::stdin().lock(), MAX_BYTES)
    } else {
        find::read_named(path, MAX_BYTES)
    }
}
