//! The spine: connect, gather, fuzz, judge.
//!
//! Every front door calls [`audit`], or [`gather`] and [`judge::judge`] apart.
//! Whatever the server does is evidence; nothing here returns an error.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::client::{self, ConnectFailure, ConnectSettings, Connection, Gathered};
use crate::config::{Settings, find, label};
use crate::fuzz::listed::Listed;
use crate::fuzz::plan::{self, Plan, PlanSettings};
use crate::fuzz::run::{self, Cancel, RunSettings};
use crate::judge;
use crate::model::answer::FollowUp;
use crate::model::contact::Contact;
use crate::model::evidence::{
    CutShort, EVIDENCE_VERSION, Evidence, Failure, ProbeState, Producer, RunFacts, Wire,
};
use crate::model::fuzz::FuzzRun;
use crate::model::inventory::Inventory;
use crate::model::report::Report;
use crate::model::secret::{Redactor, Torn};
use crate::model::target::TargetLabel;
use crate::model::tool::Tool;
use crate::progress::{Event, Observer};
use crate::replay::Replay;
use crate::transport::{Spawner, from_now};

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
        if run.list(&mut connection).await && settings.fuzz.is_some() {
            run.fuzz(&mut connection).await;
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

/// What a run has seen so far.
struct Seen {
    probe_state: ProbeState,
    failure: Option<Failure>,
    inventory: Inventory,
    wire: Wire,
    fuzz: Option<FuzzRun>,
    cut_short: Option<CutShort>,
    facts: RunFacts,
}

struct Run<'a> {
    settings: &'a Settings,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
    label: TargetLabel,
    redactor: Redactor,
    started: Instant,
    deadline: Instant,
    seen: Seen,
}

impl<'a> Run<'a> {
    fn start(settings: &'a Settings, observer: &'a dyn Observer, cancel: &'a Cancel) -> Self {
        let redactor = redactor(settings);
        let clean = |text: &str| redactor.clean(text).into_owned();
        let (label, _) = label::label(&settings.target, settings.name.clone());
        // A command line may well name what a variable or a header keeps secret.
        let label = TargetLabel {
            display: clean(&label.display),
            name: label.name.as_deref().map(clean),
            ..label
        };
        let started = Instant::now();
        Self {
            settings,
            observer,
            cancel,
            label,
            redactor,
            started,
            deadline: from_now(settings.limits.run),
            seen: Seen {
                probe_state: ProbeState::Ok,
                failure: None,
                inventory: Inventory::default(),
                wire: Wire::default(),
                fuzz: None,
                cut_short: None,
                facts: RunFacts {
                    started_at: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
                    host: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
                    ..RunFacts::default()
                },
            },
        }
    }

    async fn connect(&mut self, spawner: Spawner) -> Option<Connection> {
        self.observer.on(Event::Connecting {
            target: &self.label.display,
        });
        let limits = self.settings.limits;
        let connecting = client::connect(ConnectSettings {
            target: self.settings.target.clone(),
            headers: self.settings.headers.clone(),
            startup_timeout: limits.startup,
            call_timeout: limits.call,
            deadline: self.deadline,
            redactor: self.redactor.clone(),
            spawner,
        });
        let mut cancel = self.cancel.clone();
        let connected = tokio::select! {
            biased;
            signal = run::stop_signal(&mut cancel) => {
                self.cancelled(signal, "the run was cancelled before the server had answered");
                return None;
            }
            connected = connecting => connected,
        };
        self.seen.facts.connect_ms = millis(self.started.elapsed());
        match connected {
            Ok(connection) => {
                let server = connection.server().name.clone().unwrap_or_default();
                self.observer.on(Event::Connected { server: &server });
                Some(connection)
            }
            Err(ConnectFailure {
                state,
                failure,
                wire,
                cut_short,
            }) => {
                self.seen.cut_short = cut_short;
                self.seen.probe_state = state;
                self.seen.failure = Some(failure);
                self.seen.wire = wire;
                None
            }
        }
    }

    /// Reads the lists. Whether the tools are there to be judged.
    async fn list(&mut self, connection: &mut Connection) -> bool {
        let listing = Instant::now();
        let mut cancel = self.cancel.clone();
        let gathered = tokio::select! {
            biased;
            signal = run::stop_signal(&mut cancel) => {
                self.cancelled(signal, "the run was cancelled before the tools were listed");
                return false;
            }
            gathered = connection.gather() => gathered,
        };
        let Gathered {
            inventory,
            failure,
            cut_short,
        } = gathered;
        self.seen.cut_short = cut_short;
        self.seen.facts.gather_ms = millis(listing.elapsed());
        self.observer.on(Event::Gathered {
            tools: inventory.tools.entries.len(),
        });
        self.seen.inventory = inventory;
        let Some((state, failure)) = failure else {
            return true;
        };
        self.seen.probe_state = state;
        self.seen.failure = Some(failure);
        false
    }

    /// Plans the calls, on a thread of its own: what a server declares may take
    /// long to think through, and a signal has to be heard meanwhile.
    async fn plan(&self) -> Result<Plan, CutShort> {
        let entries = self.seen.inventory.tools.entries.clone();
        let settings = PlanSettings {
            scratch_paths: find::scratch_paths(&self.settings.target),
            ..self.settings.plan.clone()
        };
        let (say, planned) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let tools = entries
                .iter()
                .enumerate()
                .map(|(index, raw)| Tool::read(index, raw.get()));
            // Nobody may be waiting any more.
            let _ = say.send(plan::plan(tools, &settings));
        });
        let mut cancel = self.cancel.clone();
        tokio::select! {
            biased;
            signal = run::stop_signal(&mut cancel) => Err(CutShort::Cancelled(signal)),
            planned = planned => match planned {
                Ok(plan) => Ok(plan),
                Err(_) => match thread.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => Ok(Plan::default()),
                },
            },
            () = tokio::time::sleep_until(self.deadline) => Err(CutShort::Deadline),
        }
    }

    async fn fuzz(&mut self, connection: &mut Connection) {
        match self.plan().await {
            Ok(plan) => self.call(connection, plan).await,
            Err(cut) => {
                self.seen.fuzz = Some(FuzzRun {
                    level: self.settings.plan.level,
                    seed: self.settings.plan.seed,
                    turns: Vec::new(),
                    rows: Vec::new(),
                    abandoned: Vec::new(),
                    follow_up: FollowUp::default(),
                });
                self.seen.cut_short = Some(cut);
            }
        }
    }

    async fn call(&mut self, connection: &mut Connection, plan: Plan) {
        let calling = Instant::now();
        let settings = RunSettings {
            level: self.settings.plan.level,
            seed: self.settings.plan.seed,
            call_timeout: self.settings.limits.call,
            budget: self.settings.limits.budget,
            deadline: self.deadline,
            redactor: self.redactor.clone(),
            jobs: self.settings.jobs,
            watch: self.settings.watch.clone(),
            listed: Listed::of(&self.seen.inventory),
        };
        let (fuzz, cut_short) =
            run::run(connection, plan, settings, self.observer, self.cancel).await;
        self.seen.fuzz = Some(fuzz);
        self.seen.cut_short = cut_short;
        self.seen.facts.fuzz_ms = millis(calling.elapsed());
    }

    /// Ends the connection; a signal, earlier or now, makes that quick.
    async fn close(&mut self, connection: Connection) {
        let mut cancel = self.cancel.clone();
        let hurry = async {
            run::stop_signal(&mut cancel).await;
        };
        self.seen.wire = connection.close_sooner(hurry).await;
        if let Some(signal) = *self.cancel.borrow() {
            self.seen.cut_short = Some(CutShort::Cancelled(signal));
        }
    }

    fn cancelled(&mut self, signal: i32, message: &str) {
        self.stopped(CutShort::Cancelled(signal), message);
    }

    fn stopped(&mut self, cut: CutShort, message: &str) {
        self.seen.cut_short = Some(cut);
        self.seen.probe_state = ProbeState::Timeout;
        self.seen.failure = Some(Failure {
            message: message.to_owned(),
            exit: None,
            stderr_tail: None,
            exchange: None,
        });
    }

    fn finish(self) -> Evidence {
        self.observer.on(Event::Finished);
        let seen = self.seen;
        Evidence {
            evidence_version: EVIDENCE_VERSION,
            producer: Producer::default(),
            target: self.label,
            probe_state: seen.probe_state,
            failure: seen.failure,
            inventory: seen.inventory,
            contact: Contact::default(),
            wire: seen.wire,
            probes: None,
            fuzz_asked: self.settings.fuzz.is_some(),
            fuzz: seen.fuzz,
            cut_short: seen.cut_short,
            run: RunFacts {
                duration_ms: millis(self.started.elapsed()),
                ..seen.facts
            },
        }
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
