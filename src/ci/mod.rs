//! `mcprobe ci`: the entry for GitHub's runner, other CI systems and a plain
//! `docker run`.
//!
//! Masks come first, before anything else is printed. Then the words are read,
//! the target is made ready ([`setup`], [`serve`], [`relay`]), audited, and told
//! in a fixed order ([`deliver`]): report, summary, outputs, annotations, gate.
//! Whatever goes wrong on the way, what there is is written.

mod deliver;
pub mod inputs;
pub mod outputs;
mod programs;
mod relay;
mod serve;
mod setup;
mod told;
pub mod words;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};

use crate::audit;
use crate::config::merge::{self, Environment};
use crate::config::{ConfigError, Settings, find};
use crate::fuzz::run::Cancel;
use crate::judge;
use crate::model::evidence::{Evidence, Failure, ProbeState};
use crate::model::secret::{Redactor, Secret, Torn};
use crate::model::target::{ServerCommand, Target, is_loopback};
use crate::progress::Observer;
use crate::render::github;
use crate::transport::Spawner;
use deliver::Desk;
use inputs::Given;
use words::Choices;
use workspace::{Home, Workspace};

/// Where text goes. Each text is whole lines.
pub trait Streams: Send + Sync {
    /// Standard output.
    fn out(&self, text: &str);
    /// Standard error.
    fn err(&self, text: &str);
}

/// One run of `mcprobe ci`, with the world it may use.
pub struct Call<'a> {
    /// Inputs given as flags, by name.
    pub flags: BTreeMap<String, String>,
    /// The variables of the process, those that are text.
    pub variables: BTreeMap<String, String>,
    /// The names of the others.
    pub unreadable: Vec<String>,
    /// Who starts processes.
    pub spawner: Spawner,
    /// Where text goes.
    pub streams: &'a dyn Streams,
    /// Who is told of the audit's progress.
    pub observer: &'a dyn Observer,
    /// Whether the run is to stop.
    pub cancel: Cancel,
}

/// Runs it to the exit code: 0 pass, 1 gate failed, 2 wrong words, 3 could not be
/// audited, 4 something could not be written, 130 or 143 cancelled.
pub async fn run(call: &Call<'_>) -> u8 {
    let given = Given::read(&call.flags, &call.variables);
    let desk = Desk::new(&call.variables, call.streams, words::may_fail(&given));
    let mut masked = BTreeSet::new();
    let of_inputs = words::masks_of_inputs(&given);
    mask(&desk, call.streams, &mut masked, of_inputs.clone());
    let mut ready = match Ready::new(&given, call) {
        Ok(ready) => ready,
        Err(error) => {
            let secrets: Vec<Secret> = of_inputs.into_iter().map(Secret::new).collect();
            let message = told::sentence(&Redactor::new(&secrets).clean(&error.message));
            return desk.wrong_words(&call.variables, &message);
        }
    };
    let of_settings = words::masks_of_settings(&ready.settings);
    mask(&desk, call.streams, &mut masked, of_settings);
    if ready.choices.has_token {
        desk.notice("this version does not push reports; `token` is not used");
    }
    let evidence = Box::pin(see(call, &mut ready)).await;
    let report = judge::judge(&evidence, &ready.settings.judge);
    desk.deliver(&report, &ready.choices, &ready.workspace)
}

/// Keeps values out of the log, each once. Only the runner knows what that means.
fn mask(
    desk: &Desk<'_>,
    streams: &dyn Streams,
    masked: &mut BTreeSet<String>,
    values: Vec<String>,
) {
    if !desk.is_runner() {
        return;
    }
    for value in values {
        if masked.insert(value.clone()) {
            streams.out(&github::mask(&value));
        }
    }
}

/// A run whose words are all checked.
struct Ready {
    choices: Choices,
    workspace: Workspace,
    settings: Settings,
    redactor: Redactor,
    /// Where `setup` and `command` run.
    folder: std::path::PathBuf,
    home: Home,
}

impl Ready {
    fn new(given: &Given, call: &Call<'_>) -> Result<Self, ConfigError> {
        let variables = &call.variables;
        inputs::check_variables(variables.keys(), &call.unreadable)?;
        let workspace = Workspace::find(variables)?;
        let mut choices = words::choices(given)?;
        choices.report = workspace.place("report", &choices.report)?;
        let summary = workspace.place("the summary", deliver::SUMMARY_FILE)?;
        refuse_same(&choices.report, &summary, "the summary is written")?;
        // The next run would read it, also where there is none yet.
        refuse_same(&choices.report, find::FILE_NAME, "settings are read")?;
        let folder = choices
            .folder
            .as_deref()
            .map(|folder| workspace.folder("working-directory", folder))
            .transpose()?;
        let file = match &choices.settings {
            Some(named) => Some(find::load_ordinary(&workspace.inside("settings", named)?)?),
            None => workspace
                .found(find::FILE_NAME)?
                .map(|path| find::load_ordinary(&path))
                .transpose()?,
        };
        if let Some(file) = &file
            && let Ok(settings) = file.path.strip_prefix(workspace.root())
        {
            refuse_same(
                &choices.report,
                &settings.to_string_lossy(),
                "the settings are read",
            )?;
        }
        let mut words = std::mem::take(&mut choices.words);
        if words.url.is_none() {
            words.cwd.clone_from(&folder);
        }
        let environment = Environment {
            target_token: variables.get("MCPROBE_TARGET_TOKEN").cloned(),
        };
        let mut settings = merge::settings(words, &environment, file.as_ref())?;
        settings.hidden.extend(words::secrets_of_env(&choices.env));
        settings.hidden.extend(given.text("token").map(Secret::new));
        let folder = folder.unwrap_or_else(|| workspace.root().to_owned());
        let home = workspace.home(variables);
        let asked_jobs = file.as_ref().and_then(|file| file.config.fuzz.jobs);
        if asked_jobs.is_none_or(|jobs| jobs == 1) && is_here(&settings.target, &choices) {
            // One call at a time, or nobody knows which one wrote.
            settings.jobs = 1;
            settings.watch = vec![workspace.root().to_owned()];
        }
        if let Target::Command(command) = &mut settings.target {
            command.cwd.get_or_insert_with(|| folder.clone());
            command.user = workspace.run_as();
            home.put(&mut command.env);
        }
        Ok(Self {
            redactor: audit::redactor(&settings),
            choices,
            workspace,
            settings,
            folder,
            home,
        })
    }

    /// A command of the user's, as the workspace's owner and in a clean
    /// environment.
    fn command(&self, argv: Vec<String>) -> ServerCommand {
        let mut env = self.choices.env.clone();
        self.home.put(&mut env);
        ServerCommand {
            argv,
            env,
            cwd: Some(self.folder.clone()),
            user: self.workspace.run_as(),
        }
    }

    fn clean(&self, text: &str) -> String {
        self.redactor.clean_torn(text, Torn::Both).into_owned()
    }
}

/// Whether the server runs where the workspace is, so that its writes would show.
fn is_here(target: &Target, choices: &Choices) -> bool {
    match target {
        Target::Command(_) => true,
        Target::Url(url) => choices.start.is_some() || is_loopback(url),
    }
}

/// One file cannot be two things.
fn refuse_same(report: &str, other: &str, purpose: &str) -> Result<(), ConfigError> {
    if report != other {
        return Ok(());
    }
    Err(ConfigError::new(format!(
        "report: `{report}` is where {purpose}; name another file"
    )))
}

/// Why a target was not made ready.
enum Stop {
    /// It cannot be audited.
    Failed(ProbeState, Failure),
    /// A signal came.
    Cancelled(i32),
}

impl Stop {
    fn failed(state: ProbeState, message: impl Into<String>) -> Self {
        Self::Failed(
            state,
            Failure {
                message: message.into(),
                exit: None,
                stderr_tail: None,
                exchange: None,
            },
        )
    }
}

/// Makes the target ready, and sees what there is to see. What `setup` left
/// running stays until the end.
async fn see(call: &Call<'_>, ready: &mut Ready) -> Evidence {
    let mut left = None;
    if let Some(script) = ready.choices.setup.clone() {
        match setup::run(call, ready, script).await {
            Ok(service) => left = Some(service),
            Err(stop) => return early(ready, stop),
        }
    }
    let evidence = Box::pin(reach(call, ready)).await;
    drop(left);
    evidence
}

async fn reach(call: &Call<'_>, ready: &mut Ready) -> Evidence {
    let url = match &ready.settings.target {
        Target::Url(url) if matches!(url.scheme(), "http" | "https") => Some(url.clone()),
        // Of another scheme: nothing to make ready, the audit says why.
        Target::Url(_) => return gather(call, ready).await,
        Target::Command(_) => None,
    };
    match (url, ready.choices.start.clone()) {
        (Some(url), Some(argv)) => match serve::start(call, ready, argv, &url).await {
            Ok(service) => Box::pin(serve::audit(call, ready, service)).await,
            Err(stop) => early(ready, stop),
        },
        (Some(url), None) => match serve::reach(call, ready, &url).await {
            Ok(relay) => {
                let evidence = gather(call, ready).await;
                drop(relay);
                evidence
            }
            Err(stop) => early(ready, stop),
        },
        (None, _) => {
            let mut evidence = gather(call, ready).await;
            if evidence.probe_state == ProbeState::SpawnError
                && let Some(failure) = &mut evidence.failure
            {
                failure.message = programs::explained(&failure.message);
            }
            evidence
        }
    }
}

async fn gather(call: &Call<'_>, ready: &Ready) -> Evidence {
    audit::gather(
        &ready.settings,
        call.spawner.clone(),
        call.observer,
        &call.cancel,
    )
    .await
}

fn early(ready: &Ready, stop: Stop) -> Evidence {
    match stop {
        Stop::Failed(state, failure) => audit::unreached(&ready.settings, state, failure),
        Stop::Cancelled(signal) => audit::cancelled_early(
            &ready.settings,
            signal,
            Failure {
                message: "the run was cancelled before the server had answered".to_owned(),
                exit: None,
                stderr_tail: None,
                exchange: None,
            },
        ),
    }
}
