//! One run: what it has seen so far, and each step that adds to it.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use super::redactor;
use crate::client::probe::{self, ProbeSettings};
use crate::client::{self, Approach, ConnectFailure, ConnectSettings, Connection, Gathered};
use crate::config::{Settings, find, label};
use crate::fuzz::listed::Listed;
use crate::fuzz::plan::{self, Plan, PlanSettings};
use crate::fuzz::run::{self, Cancel, RunSettings};
use crate::model::answer::FollowUp;
use crate::model::contact::{Contact, Era, EraChoice};
use crate::model::evidence::{
    CutShort, EVIDENCE_VERSION, Evidence, Failure, ProbeState, Producer, RunFacts, Wire,
};
use crate::model::fuzz::FuzzRun;
use crate::model::inventory::Inventory;
use crate::model::probe::Probes;
use crate::model::rows::Rows;
use crate::model::secret::Redactor;
use crate::model::target::TargetLabel;
use crate::model::tool::Tool;
use crate::progress::{Event, Observer};
use crate::transport::{Spawner, from_now};

/// What a run has seen so far.
pub(super) struct Seen {
    pub(super) probe_state: ProbeState,
    pub(super) failure: Option<Failure>,
    pub(super) inventory: Inventory,
    contact: Contact,
    probes: Option<Probes>,
    pub(super) wire: Wire,
    fuzz: Option<FuzzRun>,
    pub(super) cut_short: Option<CutShort>,
    facts: RunFacts,
}

pub(super) struct Run<'a> {
    settings: &'a Settings,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
    label: TargetLabel,
    pub(super) redactor: Redactor,
    started: Instant,
    deadline: Instant,
    pub(super) seen: Seen,
}

impl<'a> Run<'a> {
    pub(super) fn start(
        settings: &'a Settings,
        observer: &'a dyn Observer,
        cancel: &'a Cancel,
    ) -> Self {
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
                contact: Contact::default(),
                probes: None,
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

    pub(super) async fn connect(&mut self, spawner: Spawner) -> Option<Connection> {
        self.observer.on(Event::Connecting {
            target: &self.label.display,
        });
        let settings = self.connect_settings(spawner);
        let connecting = client::connect(settings.clone());
        let mut cancel = self.cancel.clone();
        let connected = tokio::select! {
            biased;
            signal = run::stop_signal(&mut cancel) => {
                self.cancelled(signal, "the run was cancelled before the server had answered");
                return None;
            }
            connected = Box::pin(connecting) => connected,
        };
        self.seen.facts.connect_ms = millis(self.started.elapsed());
        match connected {
            Ok(connection) => {
                let server = connection.server().name.clone().unwrap_or_default();
                self.observer.on(Event::Connected { server: &server });
                self.seen.contact = connection.contact().clone();
                Some(connection)
            }
            Err(ConnectFailure {
                state,
                failure,
                contact,
                wire,
                cut_short,
            }) => {
                self.seen.contact = contact;
                self.seen.cut_short = cut_short;
                self.seen.probe_state = state;
                self.seen.failure = Some(failure);
                self.seen.wire = wire;
                if state == ProbeState::Unauthorized && self.settings.probe {
                    Box::pin(self.probe_unauthorized(settings)).await;
                }
                None
            }
        }
    }

    fn connect_settings(&self, spawner: Spawner) -> ConnectSettings {
        let limits = self.settings.limits;
        ConnectSettings {
            target: self.settings.target.clone(),
            headers: self.settings.headers.clone(),
            startup_timeout: limits.startup,
            call_timeout: limits.call,
            deadline: self.deadline,
            redactor: self.redactor.clone(),
            spawner,
            approach: Approach {
                reach: self.settings.reach.clone(),
                ..Approach::default()
            },
        }
    }

    fn probe_settings(&self) -> ProbeSettings {
        let connected_in = Duration::from_millis(self.seen.facts.connect_ms);
        let usual = ProbeSettings::new(self.settings.plan.seed, connected_in);
        ProbeSettings {
            limit: usual.limit.min(self.settings.limits.call),
            ..usual
        }
    }

    /// Runs the probe script; a signal ends it at once.
    pub(super) async fn probe(&mut self, connection: &mut Connection) {
        let mut probes = Probes::default();
        if self.settings.probe {
            self.observer.on(Event::Probing);
            let settings = self.probe_settings();
            let inventory = &self.seen.inventory;
            let script = probe::probe(connection, inventory, settings, &mut probes);
            let mut cancel = self.cancel.clone();
            let stopped = tokio::select! {
                biased;
                signal = run::stop_signal(&mut cancel) => Some(CutShort::Cancelled(signal)),
                () = Box::pin(script) => {
                    (Instant::now() >= self.deadline).then_some(CutShort::Deadline)
                }
            };
            self.seen.cut_short = stopped;
            probe::leave_rest(&mut probes, "the run was cancelled");
        } else {
            probe::leave_rest(&mut probes, "`--no-probe`");
        }
        self.seen.probes = Some(probes);
    }

    async fn probe_unauthorized(&mut self, settings: ConnectSettings) {
        let mut probes = Probes::default();
        let limits = self.probe_settings();
        let mut cancel = self.cancel.clone();
        tokio::select! {
            biased;
            signal = run::stop_signal(&mut cancel) => {
                self.seen.cut_short = Some(CutShort::Cancelled(signal));
                probe::leave_rest(&mut probes, "the run was cancelled");
            }
            () = probe::probe_unauthorized(settings, limits, &mut probes) => {}
        }
        self.seen.probes = Some(probes);
    }

    /// Reads the lists. Whether the tools are there to be judged.
    pub(super) async fn list(&mut self, connection: &mut Connection) -> bool {
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
        // What the server says of credentials may have come with the list alone.
        self.seen.contact = connection.contact().clone();
        let Some((state, failure)) = failure else {
            return true;
        };
        self.seen.probe_state = state;
        self.seen.failure = Some(failure);
        false
    }

    /// Lifecycle and lists of the other era, of a modern server that speaks both.
    pub(super) async fn look_at_other_era(&mut self, connection: &Connection) {
        if connection.era() != Era::Modern || self.settings.reach.era != EraChoice::Both {
            return;
        }
        let mut cancel = self.cancel.clone();
        let other = tokio::select! {
            biased;
            _ = run::stop_signal(&mut cancel) => return,
            other = Box::pin(client::other_era(connection)) => other,
        };
        self.seen.contact.other_era = other;
    }

    /// Plans the calls, on a thread of its own: what a server declares may take
    /// long to think through, and a signal has to be heard meanwhile.
    pub(super) async fn plan(&self) -> Result<Plan, CutShort> {
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

    pub(super) async fn fuzz(&mut self, connection: &mut Connection) {
        match self.plan().await {
            Ok(plan) => self.call(connection, plan).await,
            Err(cut) => {
                self.seen.fuzz = Some(FuzzRun {
                    level: self.settings.plan.level,
                    seed: self.settings.plan.seed,
                    turns: Vec::new(),
                    rows: Rows::default(),
                    abandoned: Vec::new(),
                    follow_up: FollowUp::default(),
                });
                self.seen.cut_short = Some(cut);
            }
        }
    }

    pub(super) async fn call(&mut self, connection: &mut Connection, plan: Plan) {
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
    pub(super) async fn close(&mut self, connection: Connection) {
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

    pub(super) fn stopped(&mut self, cut: CutShort, message: &str) {
        self.seen.cut_short = Some(cut);
        self.seen.probe_state = ProbeState::Timeout;
        self.seen.failure = Some(Failure {
            message: message.to_owned(),
            exit: None,
            stderr_tail: None,
            exchange: None,
        });
    }

    pub(super) fn finish(self) -> Evidence {
        self.observer.on(Event::Finished);
        let seen = self.seen;
        Evidence {
            evidence_version: EVIDENCE_VERSION,
            producer: Producer::default(),
            target: self.label,
            probe_state: seen.probe_state,
            failure: seen.failure,
            inventory: seen.inventory,
            contact: seen.contact,
            wire: seen.wire,
            probes: seen.probes,
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
