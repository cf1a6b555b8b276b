//! Notifications: nothing is expected back, and over HTTP a status shows that they
//! were taken.

use std::time::Duration;

use tokio::time::timeout_at;

use super::Connection;
use super::exchange::{rate_wait, sentence};
use super::link::Outgoing;
use crate::protocol::jsonrpc;
use crate::transport::from_now;
use crate::transport::http::{Head, HttpFault};

/// How long it may take until a notification is taken, its waits included.
const NOTIFY: Duration = Duration::from_secs(2);

impl Connection {
    /// Sends a notification, and waits two seconds at most until it is taken.
    /// Nothing is expected back.
    pub async fn notify(&mut self, method: &str, params: Option<&str>) {
        let by = self.by(NOTIFY);
        loop {
            let taken = match timeout_at(by, self.tell(method, params)).await {
                Ok(Some(taken)) => taken,
                Ok(None) => return,
                Err(_) => {
                    self.ledger
                        .note(format!("`{method}` was not taken in time"));
                    return;
                }
            };
            if let Ok(head) = &taken {
                self.ledger.http(method, head);
            }
            match taken {
                Ok(Head {
                    status: 429,
                    retry_after,
                    ..
                }) if from_now(rate_wait(retry_after)) < by => {
                    tokio::time::sleep(rate_wait(retry_after)).await;
                }
                Ok(Head { status: 202, .. }) => return,
                Ok(head) => {
                    self.ledger.note(format!(
                        "`{method}` was answered with {} in place of HTTP 202",
                        head.describe()
                    ));
                    return;
                }
                Err(fault) => {
                    self.ledger
                        .note(format!("`{method}` was not taken: {}", sentence(&fault)));
                    return;
                }
            }
        }
    }

    /// One notification; over Streamable HTTP, how it was taken.
    pub(super) async fn tell(
        &mut self,
        method: &str,
        params: Option<&str>,
    ) -> Option<Result<Head, HttpFault>> {
        let sent = self.sent_params(params);
        let message = jsonrpc::notification(method, sent.as_deref());
        let headers = self.message_headers(&message);
        let outgoing = Outgoing {
            text: &message,
            headers: &headers,
        };
        self.link.notify(outgoing).await
    }
}
