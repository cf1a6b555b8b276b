//! How the script is conducted: limits, silences, servers that die.

use std::time::Duration;

use tokio::time::Instant;

use super::names::Absent;
use super::{ProbeSettings, leave_rest, taken};
use crate::client::link::Link;
use crate::client::{Connection, Exchanged, Reply};
use crate::model::contact::Era;
use crate::model::inventory::Inventory;
use crate::model::probe::{LeftOut, Probe, Probes, Taken};
use crate::model::target::TransportKind;
use crate::model::tool::Tool;
use crate::protocol::revision::Revision;
use crate::transport::from_now;

/// How often the server is started again.
const MAX_RESTARTS: u32 = 10;

/// Silences in a row after which a server that never answered a simple request is
/// asked whether it is there. Any other is asked after each silence, so that what a
/// request did to it is not laid to the next one.
const MAX_SILENCES: u32 = 2;

/// How long a reply to a broken envelope is waited for over stdio, before the next
/// request shows whether there is none: many servers say nothing, and rightly so.
const ENVELOPE_WAIT: Duration = Duration::from_millis(500);

/// What a probe may do to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Risk {
    /// A proper request.
    None,
    /// The server may die of it.
    Death,
    /// The same, and silence is common.
    Silence,
}

pub(super) struct Script<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) inventory: &'a Inventory,
    pub(super) probes: &'a mut Probes,
    pub(super) era: Era,
    pub(super) revision: Revision,
    pub(super) absent: Absent,
    settings: ProbeSettings,
    end: Instant,
    silences: u32,
    restarts: u32,
    /// Why nothing more can be asked.
    gone: Option<String>,
}

impl<'a> Script<'a> {
    pub(super) fn new(
        connection: &'a mut Connection,
        inventory: &'a Inventory,
        settings: ProbeSettings,
        probes: &'a mut Probes,
    ) -> Self {
        let revision = Revision::read(connection.protocol_version().unwrap_or_default());
        let tools = inventory.tools.entries.iter().enumerate();
        let names: Vec<String> = tools
            .filter_map(|(index, raw)| Tool::read(index, raw.get()).name)
            .collect();
        Self {
            absent: Absent::new(settings.seed, &names),
            end: from_now(settings.whole),
            era: connection.era,
            connection,
            inventory,
            probes,
            revision,
            settings,
            silences: 0,
            restarts: 0,
            gone: None,
        }
    }

    /// Everything, in the order of [`super::NAMES`].
    pub(super) async fn run(&mut self) {
        self.conversation().await;
        self.features().await;
        self.calls().await;
        self.modern().await;
        self.over_http().await;
        self.second_connection().await;
        self.envelopes().await;
        self.initialize_again().await;
    }

    /// The rest has a reason as well.
    pub(super) fn finish(self) {
        // A late reply to a probe is none to a call; the probes are over.
        self.connection.given_up.clear();
        leave_rest(self.probes, "not of this server's era or transport");
    }

    pub(super) fn leave_out(&mut self, name: &str, because: impl Into<String>) {
        self.probes.left_out.push(LeftOut {
            name: name.to_owned(),
            because: because.into(),
        });
    }

    pub(super) fn is_stdio(&self) -> bool {
        self.connection.transport() == TransportKind::Stdio
    }

    /// Whether replies to all messages come over one stream.
    pub(super) fn shares_a_stream(&self) -> bool {
        matches!(self.connection.link, Link::Stdio(_) | Link::Sse(_))
    }

    /// Whether each message is a POST with a reply of its own.
    pub(super) fn is_posted(&self) -> bool {
        matches!(self.connection.link, Link::Http { .. })
    }

    pub(super) fn next_id(&mut self) -> u64 {
        self.connection.last_id += 1;
        self.connection.last_id
    }

    /// The time that one probe has.
    pub(super) fn limit(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now());
        self.settings.limit.min(left)
    }

    /// Whether a probe can still be made; where not, it is left out.
    pub(super) fn is_ready_for(&mut self, name: &str) -> bool {
        let because = if let Some(gone) = &self.gone {
            gone.clone()
        } else if self.connection.is_over() {
            "the run's own limit came first".to_owned()
        } else if Instant::now() >= self.end {
            format!(
                "the script's {} were over",
                humantime::format_duration(self.settings.whole)
            )
        } else {
            return true;
        };
        self.leave_out(name, because);
        false
    }

    /// Sends one text and keeps what comes of it; how it was taken.
    pub(super) async fn send(&mut self, name: &str, text: String, risk: Risk) -> Option<Taken> {
        if !self.is_ready_for(name) {
            return None;
        }
        let limit = match risk {
            Risk::Silence if self.shares_a_stream() => ENVELOPE_WAIT.min(self.limit()),
            _ => self.limit(),
        };
        let exchanged = self.connection.raw(&text, limit).await;
        if matches!(exchanged.reply, Reply::Timeout) && self.connection.is_over() {
            self.leave_out(name, "the run's own limit came first");
            return None;
        }
        let (probe, _) = told(name, exchanged, self.is_posted());
        Some(self.keep(probe, risk).await)
    }

    /// Writes a probe down of which silence and death say nothing about the audit's
    /// own connection.
    pub(super) fn write_down(&mut self, probe: Probe) {
        self.probes.made.push(probe);
    }

    /// Writes a probe down and looks what it did to the server.
    pub(super) async fn keep(&mut self, probe: Probe, risk: Risk) -> Taken {
        let at = self.probes.made.len();
        let name = probe.name.clone();
        let taken = probe.taken;
        self.silences = match taken {
            Taken::Silence => self.silences + 1,
            _ => 0,
        };
        self.probes.made.push(probe);
        let doubtful = self.silences >= self.max_silences() || !self.connection.is_open();
        if risk == Risk::None && !doubtful {
            return taken;
        }
        let (alive, next) = self.is_alive().await;
        let probe = &mut self.probes.made[at];
        probe.alive = Some(alive);
        if probe.exchange.exit.is_none() {
            probe.exchange.exit = next.exchange.exit;
            probe.exchange.stderr_tail = next.exchange.stderr_tail;
        }
        if probe.taken == Taken::Silence
            && let Some((at, late)) = late_reply(&next.between)
        {
            probe.exchange.reply = next.between.get(at).cloned();
            probe.exchange.failure = None;
            probe.taken = late;
            probe.between.extend(next.between.into_iter().take(at));
        }
        let taken = probe.taken;
        self.silences = 0;
        if alive {
            // It has answered a later request: the earlier ones are settled.
            self.connection.given_up.clear();
        } else {
            self.revive(&name).await;
        }
        taken
    }

    fn max_silences(&self) -> u32 {
        let simple = self.probes.get("id-string");
        match simple.map(|probe| probe.taken) {
            Some(Taken::Result) => 1,
            _ => MAX_SILENCES,
        }
    }

    /// Whether the server still answers, and what it said.
    async fn is_alive(&mut self) -> (bool, Exchanged) {
        let text = self.simple();
        let exchanged = self.connection.raw(&text, self.settings.limit).await;
        let alive = !matches!(exchanged.reply, Reply::Timeout | Reply::Closed);
        (alive, exchanged)
    }

    /// A fresh process over stdio. A server at an address is not ours to start.
    pub(super) async fn revive(&mut self, name: &str) {
        let because = if !self.is_stdio() {
            format!("the server did not answer any more after `{name}`")
        } else if self.restarts == MAX_RESTARTS {
            format!(
                "the server was started again {MAX_RESTARTS} times, the last time after `{name}`"
            )
        } else {
            self.restarts += 1;
            match self.connection.restart().await {
                Ok(()) => return,
                Err(_) => format!("the server was gone after `{name}` and did not start again"),
            }
        };
        self.gone = Some(because);
    }

    /// The settings of the script.
    pub(super) const fn settings(&self) -> ProbeSettings {
        self.settings
    }
}

/// An exchange as a probe, and the reply whole.
pub(super) fn told(name: &str, exchanged: Exchanged, is_posted: bool) -> (Probe, Reply) {
    let text = exchanged.exchange.reply.as_deref();
    let probe = Probe {
        name: name.to_owned(),
        taken: taken::of_reply(&exchanged.reply, text, is_posted),
        exchange: exchanged.exchange,
        between: exchanged.between,
        ..Probe::default()
    };
    (probe, exchanged.reply)
}

/// The first response among messages that came before the reply to a later request.
fn late_reply(between: &[String]) -> Option<(usize, Taken)> {
    let mut all = between.iter().enumerate();
    all.find_map(|(at, text)| Some((at, taken::of_text(text)?)))
}
