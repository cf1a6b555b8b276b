//! `mcprobe completions`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::args::Cli;
use crate::cli::console;
use crate::cli::exit::Exit;

/// Prints the script for one shell.
pub fn run(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mcprobe", &mut script);
    console::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Pass)
}
