//! Texts and HTTP requests as a caller makes them, broken or not: for probes.
//!
//! Nothing here is repeated, renewed or followed.

use std::time::Duration;

use serde_json::value::RawValue;

use super::exchange::GiveUp;
use super::sort::{Asked, Origin};
use super::{Connection, Exchanged};
use crate::model::secret::Torn;
use crate::protocol::json;
use crate::protocol::message::string;
pub use crate::transport::http::raw::{RawHttp, RawHttpReply};

/// How much of a header's value is kept, in bytes.
const KEPT_HEADER: usize = 4 * 1024;

/// How much of a body is kept, in bytes.
const KEPT_BODY: usize = 64 * 1024;

impl Connection {
    /// Sends a text as it is: over stdio as one line, over HTTP as the body of a POST.
    ///
    /// The reply is the message with the id that the text has, or the first response
    /// at all when it has none that a reply could carry. A text that is given up is
    /// not cancelled.
    pub async fn raw(&mut self, text: &str, limit: Duration) -> Exchanged {
        let [id, method] = json::pick(text, ["id", "method"]).unwrap_or_default();
        let id = id.filter(|id| is_an_id(id));
        let method = method.and_then(|raw| string(raw.get())).unwrap_or_default();
        let asked = Asked {
            id: id.as_deref().map(RawValue::get),
            method: &method,
            origin: Origin::Raw,
        };
        let by = self.by(limit);
        self.between = Some(Vec::new());
        self.deliver(asked, text.to_owned(), by, GiveUp::Silent)
            .await
    }

    /// Sends an HTTP request beside the conversation, with the connection's own
    /// headers unless they are overridden or left out. Over stdio there is no reply.
    pub async fn http_raw(&self, request: &RawHttp, limit: Duration) -> RawHttpReply {
        let Some(transport) = self.link.http() else {
            return RawHttpReply {
                failure: Some("this connection is not over HTTP".to_owned()),
                ..RawHttpReply::default()
            };
        };
        let by = self.by(limit);
        let said = self.message_headers(request.body.as_deref().unwrap_or_default());
        let reply = transport.raw(request, &said, by).await;
        let clean = |text: &str, bytes| self.ledger.clean_and_bound(text, bytes, Torn::End);
        RawHttpReply {
            headers: reply
                .headers
                .iter()
                .map(|(name, value)| (name.clone(), clean(value, KEPT_HEADER)))
                .collect(),
            body: clean(&reply.body, KEPT_BODY),
            failure: reply.failure.map(|failure| self.ledger.clean(&failure)),
            ..reply
        }
    }
}

/// Whether a reply can carry it back: a string or a number.
fn is_an_id(raw: &RawValue) -> bool {
    raw.get()
        .starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}
