//! `mcprobe ci`: the flags come from the table of inputs.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::audit::{block_on, spawner, watch_signals};
use crate::ci::inputs::{INPUTS, Input, Kind};
use crate::ci::{self, Call, Streams};
use crate::cli::console;
use crate::cli::exit::Exit;
use crate::cli::progress;

/// Words of `ci`, by the name of their input.
#[derive(Debug, Clone, Default)]
pub struct CiArgs {
    flags: BTreeMap<String, String>,
}

/// Runs the step.
pub fn run(args: CiArgs) -> anyhow::Result<Exit> {
    let observer = progress::observer(false);
    let mut variables = BTreeMap::new();
    let mut unreadable = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else {
            continue;
        };
        match value.into_string() {
            Ok(value) => {
                variables.insert(name, value);
            }
            Err(_) => unreadable.push(name),
        }
    }
    let code = block_on(async {
        let call = Call {
            flags: args.flags,
            variables,
            unreadable,
            spawner: spawner()?,
            streams: &Console,
            observer: observer.as_ref(),
            cancel: watch_signals()?,
        };
        Ok(ci::run(&call).await)
    })?;
    Ok(Exit::Verdict(code))
}

struct Console;

impl Streams for Console {
    fn out(&self, text: &str) {
        // A log that cannot be written changes no verdict.
        let _ = console::print(text);
    }

    fn err(&self, text: &str) {
        console::print_error(text);
    }
}

const EXAMPLES: &str = "Every input may also come as a variable: MCPROBE_MIN_SCORE for --min-score, and INPUT_MIN-SCORE where
GitHub's runner sets it. Flag over INPUT_* over MCPROBE_* over mcprobe.toml over default; an empty value is none.

Examples:
  mcprobe ci --command \"node dist/index.js\" --setup \"npm ci && npm run build\" --min-score 75 --fail-on error
  mcprobe ci --url http://127.0.0.1:3000/mcp --command \"node server.js --port 3000\" --min-score 75
  MCPROBE_HEADERS=\"Authorization: Bearer $TOKEN\" mcprobe ci --url https://example.com/mcp --fuzz false";

impl Args for CiArgs {
    fn augment_args(command: Command) -> Command {
        let command = command.after_long_help(EXAMPLES);
        INPUTS.iter().map(flag).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CiArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for input in &INPUTS {
            let values = matches
                .try_get_many::<String>(input.name)
                .map_err(|error| clap::Error::raw(ErrorKind::UnknownArgument, error))?;
            if let Some(values) = values {
                let lines: Vec<&str> = values.map(String::as_str).collect();
                self.flags.insert(input.name.to_owned(), lines.join("\n"));
            }
        }
        Ok(())
    }
}

fn flag(input: &Input) -> Arg {
    let mut help = input.about.trim_end_matches('.').to_owned();
    if !input.default.is_empty() {
        help.push_str(" [default: ");
        help.push_str(input.default);
        help.push(']');
    }
    let arg = Arg::new(input.name)
        .long(input.name)
        .help(help)
        .action(ArgAction::Set);
    match input.kind {
        Kind::Text(value) => arg.value_name(value).allow_hyphen_values(true),
        Kind::Lines(value) => arg
            .value_name(value)
            .allow_hyphen_values(true)
            .action(ArgAction::Append),
        // A bare `--fuzz` or `--allow-partial` says true.
        Kind::Switch => arg
            .value_name("BOOL")
            .num_args(0..=1)
            .default_missing_value("true"),
        Kind::Word(words) if words.contains(&"true") => arg
            .value_name("LEVEL")
            .num_args(0..=1)
            .default_missing_value("true"),
        Kind::Word(_) => arg.value_name("WORD"),
    }
}
