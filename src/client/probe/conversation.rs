//! Proper requests over the connection of the audit: replies, ids, notifications.

use super::compose::{self, Meta, simple_method};
use super::script::{Risk, Script, told};
use crate::model::contact::Era;
use crate::protocol::jsonrpc;

/// A notification that no server knows.
const UNKNOWN: &str = "notifications/mcprobe/does-not-exist";

impl Script<'_> {
    pub(super) async fn conversation(&mut self) {
        if self.era == Era::Legacy {
            let text = self.simple();
            self.send("ping", text, Risk::None).await;
        }
        let id = format!("\"mcprobe-{}\"", self.next_id());
        let text = compose::request(self.era, &id, simple_method(self.era), &[], Meta::Whole);
        self.send("id-string", text, Risk::None).await;
        self.lists_again().await;
        self.notification().await;
    }

    /// What comes between a notification and the reply to the next request.
    async fn notification(&mut self) {
        let name = "notification";
        if !self.shares_a_stream() {
            return self.leave_out(name, "over this transport each message has its own reply");
        }
        if !self.is_ready_for(name) {
            return;
        }
        let notification = jsonrpc::notification(UNKNOWN, None);
        let limit = self.limit();
        // A server that reads nothing shows that by its silence.
        let _ = tokio::time::timeout(limit, self.connection.say(&notification)).await;
        let marker = self.simple();
        let limit = self.limit();
        let exchanged = self.connection.raw(&marker, limit).await;
        let (mut probe, _) = told(name, exchanged, self.is_posted());
        probe.exchange.request = format!("{notification}\n{}", probe.exchange.request);
        self.keep(probe, Risk::None).await;
    }
}
