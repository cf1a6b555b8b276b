//! The spine: connect, gather, probe, fuzz, judge.
//!
//! Every front door calls [`audit`], or [`gather`] and [`judge::judge`] apart.
//! Whatever the server does is evidence; nothing here returns an error.

use crate::config::{Settings, label};
use crate::fuzz::plan::Plan;
use crate::fuzz::run::Cancel;
use crate::judge;
use crate::model::evidence::{CutShort, Evidence, Failure, ProbeState};
use crate::model::report::Report;
use crate::model::secret::{Redactor, Torn};
use crate::progress::Observer;
use crate::replay::Replay;
use crate::transport::Spawner;
use run::Run;

mod run;

/// A finished audit: what was seen, and what it means.
#[derive(Debug, Clone)]
pub struct Audited {
    /// All that was seen.
    pub evidence: Evidence,
    /// What it means.
    pub report: Report,
}

/// Audits a target from the first byte to the verdict.
pub async fn audit(
    settings: &Settings,
    spawner: Spawner,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Audited {
    let evidence = gather(settings, spawner, observer, cancel).await;
    let report = judge::judge(&evidence, &settings.judge);
    Audited { evidence, report }
}

/// Everything that waits: reaches the server, reads its lists, makes the calls.
pub async fn gather(
    settings: &Settings,
    spawner: Spawner,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Evidence {
    let mut run = Run::start(settings, observer, cancel);
    if let Some(mut connection) = run.connect(spawner).await {
        if run.list(&mut connection).await {
            Box::pin(run.probe(&mut connection)).await;
            run.look_at_other_era(&connection).await;
            if settings.fuzz.is_some() {
                run.fuzz(&mut connection).await;
            }
        }
        run.close(connection).await;
    }
    run.finish()
}

/// What would be called and why, without calling anything. The evidence holds
/// the lists; the plan is absent when they could not be read.
pub async fn plan(
    settings: &Settings,
    spawner: Spawner,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> (Evidence, Option<Plan>) {
    let mut run = Run::start(settings, observer, cancel);
    let mut planned = None;
    if let Some(mut connection) = run.connect(spawner).await {
        if run.list(&mut connection).await {
            match run.plan().await {
                Ok(plan) => planned = Some(plan),
                Err(cut) => run.stopped(cut, "the run ended before the calls were planned"),
            }
        }
        run.close(connection).await;
    }
    (run.finish(), planned)
}

/// The evidence of a run that ended before the target was spoken to: what it
/// needs could not be made ready.
pub fn unreached(settings: &Settings, state: ProbeState, failure: Failure) -> Evidence {
    stopped_short(settings, state, failure, None)
}

/// The evidence of a run that a signal ended before the target was spoken to.
pub fn cancelled_early(settings: &Settings, signal: i32, failure: Failure) -> Evidence {
    let cut = Some(CutShort::Cancelled(signal));
    stopped_short(settings, ProbeState::Timeout, failure, cut)
}

fn stopped_short(
    settings: &Settings,
    state: ProbeState,
    failure: Failure,
    cut_short: Option<CutShort>,
) -> Evidence {
    let (_, cancel) = tokio::sync::watch::channel(None);
    let mut run = Run::start(settings, &crate::progress::Silent, &cancel);
    let clean = |text: &str| run.redactor.clean(text).into_owned();
    let failure = Failure {
        message: clean(&failure.message),
        stderr_tail: failure
            .stderr_tail
            .as_deref()
            .map(|tail| run.redactor.clean_torn(tail, Torn::Both).into_owned()),
        ..failure
    };
    run.seen.probe_state = state;
    run.seen.failure = Some(failure);
    run.seen.cut_short = cut_short;
    run.finish()
}

/// Removes every credential that a run with these settings was given.
pub fn redactor(settings: &Settings) -> Redactor {
    let (_, in_target) = label::label(&settings.target, None);
    let in_headers = label::secrets_of_headers(&settings.headers);
    Redactor::new(in_headers.iter().chain(&settings.hidden).chain(&in_target))
}

/// The calls of one finding, made again on a fresh connection. The evidence holds
/// what they showed; an error says why they could not be made.
pub async fn replay(
    settings: &Settings,
    replay: &Replay,
    spawner: Spawner,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Evidence, String> {
    let mut run = Run::start(settings, observer, cancel);
    if let Some(mut connection) = run.connect(spawner).await {
        if run.list(&mut connection).await {
            match replay.plan(&run.seen.inventory) {
                Ok(plan) => run.call(&mut connection, plan).await,
                Err(reason) => {
                    connection.close().await;
                    return Err(reason);
                }
            }
        }
        run.seen.wire = connection.close().await;
    }
    Ok(run.finish())
}
