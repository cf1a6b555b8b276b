//! `mcprobe demo`: an audit that needs nothing but this binary.

use std::io;
use std::path::PathBuf;

use anyhow::Context as _;

use super::audit::{audit_cancellable, block_on};
use super::output::{check_place, write};
use crate::cli::args::DemoArgs;
use crate::cli::console::{self, Screen};
use crate::cli::exit::Exit;
use crate::cli::progress;
use crate::config::file::Level;
use crate::config::merge::{self, Environment, Words};
use crate::demo::{self, Ended, catalogue};
use crate::render;

/// The hidden first argument that makes this program the demonstration server.
pub const SERVER: &str = "__demo-server";

/// Audits the flawed server in a child process, with calls; prints the report
/// and writes it as JSON. Exits 0: what it finds is the demonstration.
pub fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    check_place(&args.report)?;
    let exe = std::env::current_exe().context("cannot find the path of mcprobe itself")?;
    let scratch = Scratch::new()?;
    let words = Words {
        cwd: Some(scratch.folder.clone()),
        watch: vec![scratch.folder.clone()],
        command: vec![exe.to_string_lossy().into_owned(), SERVER.to_owned()],
        fuzz: Some(Level::Writes),
        name: Some("the built-in flawed server".to_owned()),
        ..Words::default()
    };
    let settings = merge::settings(words, &Environment::default(), None)?;
    let observer = progress::observer(false);
    let audited = block_on(audit_cancellable(&settings, observer.as_ref()))?;
    let style = Screen::of_stdout(args.color).style();
    console::print(&render::terminal::render(&audited.report, &style))?;
    write(&args.report, &render::json::v1::render(&audited.report))?;
    console::print(&format!("\nThe whole report: {}\n", args.report.display()))?;
    if audited.report.score().overall.is_none() || audited.evidence.cut_short.is_some() {
        return Ok(Exit::Verdict(audited.report.verdict.exit_code));
    }
    Ok(Exit::Pass)
}

/// An empty folder for the server to run in, watched during calls, gone at the end.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("mcprobe-demo-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left over is an empty folder among temporary ones.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The demonstration server: messages on the standard streams.
pub fn serve() -> anyhow::Result<Exit> {
    let tools = catalogue::flawed();
    match demo::serve(
        catalogue::IDENTITY,
        &tools,
        io::stdin().lock(),
        io::stdout().lock(),
    )? {
        Ended::InputEnded => Ok(Exit::Pass),
        Ended::Crashed(text) => {
            console::print_error(&format!("{text}\n"));
            // What a Rust program exits with after a panic.
            Ok(Exit::Verdict(101))
        }
    }
}
