//! `mcprobe replay`.

use std::path::Path;

use super::audit::{block_on, check_watched, environment, spawner, watch_signals};
use crate::audit;
use crate::cli::args::ReplayArgs;
use crate::cli::exit::Exit;
use crate::cli::{console, progress};
use crate::config::{ConfigError, find, merge};
use crate::model::evidence::{CutShort, Evidence};
use crate::model::fuzz::Outcome;
use crate::render::escape;
use crate::replay::{self, Replay, Shown};

/// The most that is read of a report.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Makes the call of one finding again: 0 when it shows the same, 1 when not.
pub fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let shown = args.report.display();
    let text = read(&args.report)
        .map_err(|reason| ConfigError::new(format!("cannot read {shown}: {reason}")))?;
    let replay = replay::read(&text, &args.fingerprint)
        .map_err(|reason| ConfigError::new(format!("{shown}: {reason}")))?;
    drop(text);
    let file = find::load(args.settings.as_deref(), Path::new(""))?;
    let settings = merge::settings(args.words(), &environment(), file.as_ref())?;
    if replay.needs_watching() && settings.watch.is_empty() {
        return Err(ConfigError::new(format!(
            "{} shows in a watched folder only; give the one of the report with --watch DIR",
            replay.code
        ))
        .into());
    }
    check_watched(&settings)?;
    let observer = progress::observer(true);
    let seen = block_on(async {
        let cancel = watch_signals()?;
        Ok(audit::replay(&settings, &replay, spawner()?, observer.as_ref(), &cancel).await)
    })?;
    match seen {
        Ok(evidence) => tell(&replay, &evidence),
        Err(reason) => {
            console::error(&escape::terminal(&reason));
            Ok(Exit::Verdict(3))
        }
    }
}

fn tell(replay: &Replay, evidence: &Evidence) -> anyhow::Result<Exit> {
    if let Some(CutShort::Cancelled(signal)) = evidence.cut_short {
        return Ok(Exit::Verdict(u8::try_from(128 + signal).unwrap_or(130)));
    }
    if let Some(failure) = &evidence.failure {
        console::error(&escape::terminal(&failure.message));
        return Ok(Exit::Verdict(3));
    }
    let Shown {
        reproduced,
        outcome,
    } = replay.judge(evidence);
    let place = match (&replay.tool, &replay.case) {
        (Some(tool), Some(case)) => format!("tool {tool}, case {case}"),
        (Some(tool), None) => format!("tool {tool}, all its calls"),
        _ if replay.makes_calls() => "all calls".to_owned(),
        _ => "a call to a tool that does not exist".to_owned(),
    };
    let word = if reproduced {
        "reproduced"
    } else {
        "not reproduced"
    };
    let how = match (replay.outcome, outcome) {
        (Some(then), Some(now)) if then == now => format!(" ({now}, as in the report)"),
        (Some(then), now) => format!(
            " ({then} in the report, {} now)",
            now.map_or("no answer", Outcome::word)
        ),
        (None, _) => String::new(),
    };
    let line = format!("{}: {place}: {word}{how}", replay.code);
    console::print(&(escape::terminal(&line) + "\n"))?;
    Ok(if reproduced {
        Exit::Pass
    } else {
        Exit::Verdict(1)
    })
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = find::read_named(path, MAX_BYTES)?;
    String::from_utf8(bytes).map_err(|_| find::NOT_UTF8.to_owned())
}
