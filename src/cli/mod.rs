//! The command line: argv in, text and an exit code out. The only room that
//! owns the standard streams.

pub mod args;
pub mod commands;
pub mod console;
pub mod exit;
pub mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use exit::Exit;

/// Runs the program: everything that `main` does.
pub fn run() -> ExitCode {
    // The guard must be light and must not see the command line's own flags.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == crate::transport::guard::ARGUMENT)
    {
        return crate::transport::guard::run();
    }
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == commands::demo::SERVER)
    {
        return finish(commands::demo::serve());
    }
    if !cfg!(unix) {
        console::error("mcprobe runs on Linux and macOS; Windows is not supported yet");
        return Exit::Usage.into();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    finish(match cli.command {
        Command::Audit(args) => commands::audit::run(&args),
        Command::Push(args) => commands::push::run(&args),
        Command::Check(args) => commands::check::run(*args),
        Command::Ci(args) => commands::ci::run(args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Explain { code, color } => commands::explain::run(&code, color),
        Command::Rules(args) => commands::rules::run(&args),
        Command::Completions { shell } => commands::completions::run(shell),
    })
}

/// The exit of a command, or of the error that ended it, told in one line.
fn finish(exit: anyhow::Result<Exit>) -> ExitCode {
    match exit {
        Ok(exit) => exit.into(),
        Err(error) => {
            console::error(&format!("{error:#}"));
            Exit::of_error(&error).into()
        }
    }
}

/// Help and version go to stdout with 0; every mistake is one line and 2.
fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            match console::print(&error.render().to_string()) {
                Ok(()) => Exit::Pass.into(),
                Err(_) => Exit::Internal.into(),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            console::print_error(&error.render().to_string());
            Exit::Usage.into()
        }
        _ => {
            console::error(&args::one_line(error));
            Exit::Usage.into()
        }
    }
}
