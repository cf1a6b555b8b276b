//! Whose fault a crash is.
//!
//! A server may end while a call is in flight, or shortly after it has answered
//! one. The call in flight is repeated alone on a fresh process; if that is
//! answered, the call before it is. What ends the server alone is confirmed. Where
//! neither does, the call in flight is on record as unconfirmed: it takes earlier
//! calls as well.

use super::{CutShort, HEALTH_LIMIT, LastCall, Runner};
use crate::client::{Exchanged, Reply};
use crate::model::fuzz::{Exchange, FuzzRow, Outcome};

/// What ends the server.
enum Culprit {
    /// The call that was in flight, alone.
    Call,
    /// The call before it; this is how the one in flight goes alone.
    Earlier(Box<Exchanged>),
    /// Neither alone.
    Together,
}

impl Runner<'_> {
    /// The row of a call during which the server ended; `crashed` is what it
    /// looks like so far. On return the server runs again.
    pub(super) async fn blame(
        &mut self,
        mut crashed: FuzzRow,
        params: &str,
        row_of: impl Fn(&Self, Exchanged) -> FuzzRow,
    ) -> Result<FuzzRow, CutShort> {
        let suspect = self.last_call.take();
        match self.examine(params, suspect.as_ref()).await {
            Ok(Culprit::Call) => crashed.confirmed = Some(true),
            Ok(Culprit::Earlier(again)) => return Ok(row_of(self, *again)),
            Ok(Culprit::Together) => crashed.confirmed = Some(false),
            Err(cut) => {
                // What was seen stays on record though the run cannot go on.
                self.rows.push(crashed);
                return Err(cut);
            }
        }
        Ok(crashed)
    }

    /// Repeats the call alone, then the suspect before it.
    async fn examine(
        &mut self,
        params: &str,
        suspect: Option<&LastCall>,
    ) -> Result<Culprit, CutShort> {
        let again = self.alone(params).await?;
        if matches!(again.reply, Reply::Closed) {
            return Ok(Culprit::Call);
        }
        match suspect {
            Some(suspect) if self.ends_server_alone(suspect).await? => {
                Ok(Culprit::Earlier(Box::new(again)))
            }
            _ => Ok(Culprit::Together),
        }
    }

    /// The server ended while no call was in flight: the last answered call is
    /// the suspect, whether or not it ends the server alone.
    pub(super) async fn ended_between_calls(&mut self) -> Result<(), CutShort> {
        let Some(suspect) = self.last_call.take() else {
            return self.restart().await;
        };
        if !self.ends_server_alone(&suspect).await? {
            let failure = "the server ended after it had answered this call; alone on a fresh process the call does not end it";
            self.convict(
                &suspect,
                false,
                Exchange {
                    failure: Some(failure.to_owned()),
                    ..Exchange::default()
                },
            );
        }
        Ok(())
    }

    /// After the plan: whether the last call has ended the server.
    pub(super) async fn look_after_last_call(&mut self) -> Result<(), CutShort> {
        if self.last_call.is_none() {
            return Ok(());
        }
        if self.connection.is_open() {
            self.connection
                .request("ping", None, self.health_limit())
                .await;
        }
        if self.connection.is_open() {
            Ok(())
        } else {
            self.ended_between_calls().await
        }
    }

    /// Repeats an answered call on a fresh process and looks whether the server
    /// ends of it; its row then says so. On return the server runs again.
    async fn ends_server_alone(&mut self, suspect: &LastCall) -> Result<bool, CutShort> {
        let mut seen = self.alone(&suspect.params).await?;
        if !matches!(seen.reply, Reply::Closed) {
            seen = self
                .connection
                .request("ping", None, self.health_limit())
                .await;
        }
        let ended = matches!(seen.reply, Reply::Closed);
        if ended {
            self.convict(suspect, true, seen.exchange);
            self.restart().await?;
        }
        Ok(ended)
    }

    /// A call on a fresh process, as its first.
    async fn alone(&mut self, params: &str) -> Result<Exchanged, CutShort> {
        self.restart().await?;
        self.send(params).await
    }

    /// Turns the row of an answered call into that of a crash.
    fn convict(&mut self, suspect: &LastCall, confirmed: bool, end: Exchange) {
        let Some(row) = self.rows.get_mut(suspect.row) else {
            return;
        };
        row.outcome = Outcome::ProtocolCrash;
        row.confirmed = Some(confirmed);
        row.silently_accepted = false;
        row.coerced = false;
        row.empty_success = false;
        row.output_schema_violation = None;
        row.exchange.failure = end
            .failure
            .map(|failure| format!("the call was answered, then the server ended: {failure}"));
        row.exchange.exit = end.exit;
        row.exchange.stderr_tail = end.stderr_tail;
    }

    pub(super) fn health_limit(&self) -> std::time::Duration {
        HEALTH_LIMIT.min(self.settings.call_timeout)
    }
}
