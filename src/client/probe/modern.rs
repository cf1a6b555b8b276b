//! What only a server of the modern era has to do.

use std::time::Duration;

use super::compose::{Meta, NEVER, initialize};
use super::lists::{LISTS, again};
use super::script::{Risk, Script, told};
use crate::client::connect;
use crate::model::contact::Era;
use crate::model::probe::Taken;
use crate::protocol::jsonrpc::{self, quote};

/// How long a subscription is listened to.
const LISTEN: Duration = Duration::from_secs(2);

impl Script<'_> {
    pub(super) async fn modern(&mut self) {
        if self.era != Era::Modern {
            return;
        }
        for (name, meta) in [
            ("no-meta", Meta::None),
            ("no-meta:protocolVersion", Meta::WithoutVersion),
            ("no-meta:clientCapabilities", Meta::WithoutCapabilities),
            ("no-meta:clientInfo", Meta::WithoutClient),
            ("unknown-version", Meta::Version(NEVER)),
        ] {
            let text = self.request(self.common_method(), &[], meta);
            self.send(name, text, Risk::None).await;
        }
        self.removed().await;
        self.subscription().await;
        self.new_connection().await;
    }

    async fn removed(&mut self) {
        let text = self.request("ping", &[], Meta::Whole);
        self.send("removed:ping", text, Risk::None).await;
        let level = [("level", r#""info""#)];
        let text = self.request("logging/setLevel", &level, Meta::Whole);
        self.send("removed:logging/setLevel", text, Risk::None)
            .await;
        let uri = quote(&self.absent.uri);
        let text = self.request("resources/subscribe", &[("uri", &uri)], Meta::Whole);
        let taken = self
            .send("removed:resources/subscribe", text, Risk::None)
            .await;
        if taken == Some(Taken::Result) {
            let text = self.request("resources/unsubscribe", &[("uri", &uri)], Meta::Whole);
            let limit = self.limit();
            self.connection.raw(&text, limit).await;
        }
    }

    /// A subscription to nothing, given up again.
    async fn subscription(&mut self) {
        let name = "subscriptions-listen";
        if !self.is_ready_for(name) {
            return;
        }
        let text = self.request(
            "subscriptions/listen",
            &[("notifications", "{}")],
            Meta::Whole,
        );
        let id = self.connection.last_id;
        let limit = LISTEN.min(self.limit());
        let exchanged = self.connection.raw(&text, limit).await;
        let (probe, _) = told(name, exchanged, self.is_posted());
        if probe.taken == Taken::Silence && self.shares_a_stream() {
            // Over HTTP the end of the stream says it.
            let params = format!(r#"{{"requestId":{id},"reason":"enough"}}"#);
            let text = jsonrpc::notification("notifications/cancelled", Some(&params));
            let limit = self.limit();
            let _ = tokio::time::timeout(limit, self.connection.say(&text)).await;
        }
        // Silence is what is expected here, and says nothing of the server's health.
        self.write_down(probe);
    }

    /// The lists as another connection sees them.
    async fn new_connection(&mut self) {
        let name = |method: &str| format!("new-connection-list:{method}");
        let mut wanted = Vec::new();
        for list in LISTS {
            match self.not_again(list) {
                Some(because) => self.leave_out(&name(list.method), because),
                None if self.is_ready_for(&name(list.method)) => wanted.push(list),
                None => {}
            }
        }
        if wanted.is_empty() {
            return;
        }
        let settings = self.settings_for_another();
        let Ok(mut other) = Box::pin(connect(settings)).await else {
            for list in wanted {
                self.leave_out(&name(list.method), "there was no second connection");
            }
            return;
        };
        for list in wanted {
            let first = list.of(self.inventory);
            let name = name(list.method);
            let limit = self.limit();
            let probe = again(&mut other, self.era, list, first, &name, limit).await;
            self.write_down(probe);
        }
        self.part_with(other).await;
    }

    /// What a legacy client says first, as such a client says it. Over stdio it may
    /// change what the process speaks, so it comes last and the process is not used
    /// any more.
    pub(super) async fn initialize_again(&mut self) {
        if self.era != Era::Modern {
            return;
        }
        let id = self.next_id().to_string();
        let text = initialize(&id, "2025-11-25");
        if self.is_posted() {
            return self.post_initialize(text).await;
        }
        let taken = self.send("removed:initialize", text, Risk::Death).await;
        if taken == Some(Taken::Result) && self.is_stdio() {
            self.revive("removed:initialize").await;
        }
    }
}
