//! `mcprobe audit`.

use std::path::Path;

use anyhow::Context as _;
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::output::Places;
use crate::audit;
use crate::cli::args::AuditArgs;
use crate::cli::exit::Exit;
use crate::cli::{console, progress};
use crate::config::merge::{self, Environment};
use crate::config::{ConfigError, Settings, find};
use crate::fuzz::plan::Plan;
use crate::fuzz::run::Cancel;
use crate::model::fuzz::Decision;
use crate::progress::Observer;
use crate::render::escape;
use crate::transport::Spawner;

/// Audits, writes the report, and exits by the verdict.
pub fn run(args: &AuditArgs) -> anyhow::Result<Exit> {
    let file = find::load(args.gate.settings.as_deref(), Path::new(""))?;
    let settings = merge::settings(args.words(), &environment(), file.as_ref())?;
    let places = Places::new(&args.output, args.evidence.as_deref())?;
    check_watched(&settings)?;
    if args.fuzz.plan {
        return show_plan(&settings, args.output.quiet);
    }
    let observer = progress::observer(args.output.quiet);
    let audited = block_on(audit_cancellable(&settings, observer.as_ref()))?;
    places.deliver(&audited.report, &audited.evidence)
}

/// Whether the folders can be watched.
pub(super) fn check_watched(settings: &Settings) -> Result<(), ConfigError> {
    for folder in &settings.watch {
        if let Some(why) = find::unwatchable(folder) {
            let message = format!("--watch {}: {why}", folder.display());
            return Err(ConfigError::new(message));
        }
    }
    Ok(())
}

pub(super) fn environment() -> Environment {
    Environment {
        target_token: std::env::var("MCPROBE_TARGET_TOKEN").ok(),
    }
}

/// An audit that Ctrl-C and stop signals end in order.
pub async fn audit_cancellable(
    settings: &Settings,
    observer: &dyn Observer,
) -> anyhow::Result<audit::Audited> {
    audit_with(settings, observer, &watch_signals()?).await
}

/// The same, where somebody else looks out for signals as well.
pub(super) async fn audit_with(
    settings: &Settings,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> anyhow::Result<audit::Audited> {
    Ok(audit::audit(settings, spawner()?, observer, cancel).await)
}

/// Servers of the command line are started by a guard, so that they are gone
/// when we are, however we end.
pub(super) fn spawner() -> anyhow::Result<Spawner> {
    let exe = std::env::current_exe().context("cannot find the path of mcprobe itself")?;
    Ok(Spawner::Guarded { exe })
}

/// Runs a future on this thread.
pub fn block_on<T>(future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?
        .block_on(future)
}

/// The first signal asks the run to stop; a second one ends the program at
/// once (the guard then ends the server).
pub(super) fn watch_signals() -> anyhow::Result<Cancel> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupts = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    let mut terminations = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let (asked, cancel) = watch::channel(None);
    tokio::spawn(async move {
        loop {
            let number = tokio::select! {
                _ = interrupts.recv() => SignalKind::interrupt().as_raw_value(),
                _ = terminations.recv() => SignalKind::terminate().as_raw_value(),
            };
            if asked.borrow().is_some() {
                #[expect(
                    clippy::exit,
                    reason = "the user asked twice; nothing is left to wait for"
                )]
                std::process::exit(128 + number);
            }
            if asked.send(Some(number)).is_err() {
                return;
            }
        }
    });
    Ok(cancel)
}

/// `--plan`: each call that would be made and why, and none made.
fn show_plan(settings: &Settings, quiet: bool) -> anyhow::Result<Exit> {
    let observer = progress::observer(quiet);
    let (evidence, plan) = block_on(async {
        let cancel = watch_signals()?;
        Ok(audit::plan(settings, spawner()?, observer.as_ref(), &cancel).await)
    })?;
    let Some(plan) = plan else {
        let report = crate::judge::judge(&evidence, &settings.judge);
        let message = evidence.failure.map_or_else(
            || "the tools could not be listed".to_owned(),
            |failure| failure.message,
        );
        console::error(&escape::terminal(&message));
        return Ok(Exit::Verdict(report.verdict.exit_code));
    };
    console::print(&plan_text(&plan, settings))?;
    Ok(Exit::Pass)
}

fn plan_text(plan: &Plan, settings: &Settings) -> String {
    use std::fmt::Write as _;
    let calls: usize = plan.calls.iter().map(|tool| tool.cases.len()).sum();
    let mut text = format!(
        "{calls} calls to {} of {} tools at level `{}`, seed {}; none was made\n",
        plan.calls.len(),
        plan.turns.len(),
        settings.plan.level,
        settings.plan.seed,
    );
    for turn in &plan.turns {
        let label = escape::terminal(&turn.tool);
        // Writing to a string cannot fail.
        let _ = match &turn.decision {
            Decision::Call { because } => writeln!(text, "\n{label}: called, {because}"),
            Decision::Skip {
                because,
                include_with,
            } => {
                writeln!(
                    text,
                    "\n{label}: not called, {because}; include with {include_with}"
                )
            }
        };
        let planned = plan
            .calls
            .iter()
            .find(|tool| tool.tool_index == turn.tool_index);
        for note in planned.iter().flat_map(|tool| &tool.notes) {
            let _ = writeln!(text, "  note: {}", escape::terminal(note));
        }
        for case in planned.iter().flat_map(|tool| &tool.cases) {
            let _ = writeln!(
                text,
                "  {:<28} {}",
                escape::terminal(&case.label),
                shown(&case.arguments)
            );
        }
    }
    text
}

/// Arguments on one line, at most 160 characters.
fn shown(arguments: &RawValue) -> String {
    let text = escape::terminal(arguments.get());
    match text.char_indices().nth(160) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
