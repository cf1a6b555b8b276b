//! What needs a connection of its own: an audit's connection speaks a revision
//! already.

use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::compose::{NEVER, initialize};
use super::script::{Script, told};
use crate::client::link::{Link, Outgoing};
use crate::client::sort::Sorted;
use crate::client::{ConnectSettings, Connection, dial};
use crate::model::contact::Era;
use crate::model::evidence::Wire;
use crate::model::probe::{EnvelopeKind, Probe, Taken};
use crate::transport::{Incoming, from_now};

/// The least and the most time that a second process has for its first reply.
const FIRST_REPLY: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(20)];

/// How long a server may speak before it is told that the handshake is over.
const BEFORE_INITIALIZED: Duration = Duration::from_millis(300);

impl Script<'_> {
    pub(super) async fn second_connection(&mut self) {
        let (version, early) = ("unknown-version", "before-initialized");
        if self.era != Era::Legacy {
            return;
        }
        if matches!(self.connection.link, Link::Sse(_)) {
            for name in [version, early] {
                self.leave_out(name, "not over HTTP with SSE");
            }
            return;
        }
        if !self.is_ready_for(version) {
            return self.leave_out(early, "there was no second connection");
        }
        let began = Instant::now();
        let settings = self.settings_for_another();
        let limit = settings.startup_timeout;
        let Ok(mut other) = dial(settings).await else {
            for name in [version, early] {
                self.leave_out(name, "there was no second connection");
            }
            return;
        };
        let left = limit.saturating_sub(began.elapsed());
        let exchanged = other.raw(&initialize("1", NEVER), left).await;
        let (probe, _) = told(version, exchanged, self.is_posted());
        let answered = probe.taken == Taken::Result;
        self.write_down(probe);
        if !self.is_stdio() {
            self.leave_out(early, "not over stdio");
        } else if !answered {
            self.leave_out(early, "the handshake was refused");
        } else {
            let between = other.listen(BEFORE_INITIALIZED).await;
            self.write_down(Probe {
                name: early.to_owned(),
                between,
                ..Probe::default()
            });
        }
        self.part_with(other).await;
    }

    /// The settings for another connection to the same server. A process has three
    /// times as long to answer as the first one took.
    pub(super) fn settings_for_another(&self) -> ConnectSettings {
        let settings = self.connection.settings();
        let [least, most] = FIRST_REPLY;
        let startup = self
            .settings()
            .connected_in
            .saturating_mul(3)
            .clamp(least, most);
        ConnectSettings {
            startup_timeout: startup.min(settings.startup_timeout),
            call_timeout: self.limit(),
            deadline: settings.deadline.min(from_now(startup + self.limit())),
            ..settings.clone()
        }
    }

    /// Ends another connection quickly and takes over what it saw of envelopes: its
    /// start-up noise was counted with the first process.
    pub(super) async fn part_with(&mut self, mut other: Connection) {
        other.hurry();
        let mut seen = other.close().await;
        seen.envelope
            .faults
            .retain(|fault| fault.kind != EnvelopeKind::JsonNoise);
        self.connection.absorb(Wire {
            envelope: seen.envelope,
            before_initialized: seen.before_initialized,
            results: seen.results,
            http: seen.http,
            ..Wire::default()
        });
    }
}

impl Connection {
    /// Sends a notification and does not ask how it was taken.
    pub(super) async fn say(&mut self, text: &str) {
        let headers = self.message_headers(text);
        let message = Outgoing {
            text,
            headers: &headers,
        };
        let _ = self.link.notify(message).await;
    }

    /// What a server says unasked within this time, as it may be kept.
    async fn listen(&mut self, window: Duration) -> Vec<String> {
        self.between = Some(Vec::new());
        let until = self.by(window);
        while let Ok(Incoming::Message(bytes)) = timeout_at(until, self.link.next()).await {
            let overheard = self.overhear(&bytes);
            self.keep_between(overheard);
            if let Sorted::Asks(question) = self.sort(None, bytes) {
                self.answer(&question).await;
            }
        }
        self.between.take().unwrap_or_default()
    }
}
