//! Requests that only HTTP can carry: methods, headers, sessions, origins, tokens.
//!
//! Each stands beside the conversation and changes nothing of it. What ends a
//! session ends one that was opened for it.

use std::collections::BTreeMap;
use std::time::Duration;

use super::compose::{Meta, NEVER, initialize};
use super::script::{Risk, Script};
use super::{ProbeSettings, taken};
use crate::client::link::Link;
use crate::client::{ConnectSettings, Connection, RawHttp, RawHttpReply, dial};
use crate::model::contact::Era;
use crate::model::fuzz::Exchange;
use crate::model::probe::{Probe, Probes, SessionForm, Taken};
use crate::model::secret::Torn;
use crate::model::target::{Target, is_loopback};
use crate::protocol::jsonrpc::{self, quote};
use crate::protocol::revision::Revision;

const EVIL: &str = "evil.example.com";
const EVIL_ORIGIN: &str = "http://evil.example.com";
const BOGUS: &str = "Bearer mcprobe-invalid";
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// Headers of a reply that are kept; a session id only as a word.
const KEPT_HEADERS: [&str; 7] = [
    "content-type",
    "content-encoding",
    "allow",
    "location",
    "retry-after",
    "www-authenticate",
    "access-control-allow-origin",
];

/// How much of a body is kept, in bytes.
const KEPT_BODY: usize = 16 * 1024;

/// One HTTP probe: what differs from a proper request. A header without a value is
/// left out.
struct Ask {
    name: &'static str,
    method: &'static str,
    headers: Vec<(&'static str, Option<String>)>,
    body: Option<String>,
}

impl Ask {
    fn post(name: &'static str, body: String) -> Self {
        Self {
            name,
            method: "POST",
            headers: Vec::new(),
            body: Some(body),
        }
    }

    fn bare(name: &'static str, method: &'static str) -> Self {
        Self {
            name,
            method,
            headers: Vec::new(),
            body: None,
        }
    }

    fn with(mut self, header: &'static str, value: &str) -> Self {
        self.headers.push((header, Some(value.to_owned())));
        self
    }

    fn without(mut self, header: &'static str) -> Self {
        self.headers.push((header, None));
        self
    }
}

impl Script<'_> {
    pub(super) async fn over_http(&mut self) {
        if self.is_stdio() {
            return;
        }
        if self.is_posted() {
            self.methods().await;
            match self.era {
                Era::Legacy => self.sessions().await,
                Era::Modern => self.header_mismatches().await,
            }
        }
        self.origins().await;
        self.tokens().await;
    }

    async fn methods(&mut self) {
        let get = Ask::bare("http-get", "GET").with("accept", "text/event-stream");
        self.ask(get).await;
        if self.era == Era::Modern {
            self.ask(Ask::bare("http-delete", "DELETE")).await;
        } else {
            let params = r#"{"requestId":"mcprobe-absent","reason":"never made"}"#;
            let text = jsonrpc::notification("notifications/cancelled", Some(params));
            self.ask(Ask::post("http-notification", text)).await;
        }
        let text = self.simple();
        self.ask(Ask::post("http-content-type", text).with("content-type", "text/plain"))
            .await;
        if self.inventory.tools.pages == 0 {
            self.leave_out("http-encoding", "no tools were listed");
        } else {
            // Short replies are compressed by nobody.
            let text = self.request("tools/list", &[], Meta::Whole);
            self.ask(Ask::post("http-encoding", text).with("accept-encoding", "identity"))
                .await;
        }
        if self.revision >= Revision::V2025_06_18 && self.revision.is_published() {
            let text = match self.era {
                Era::Legacy => self.simple(),
                Era::Modern => self.request(self.common_method(), &[], Meta::Version(NEVER)),
            };
            self.ask(Ask::post("http-version-header", text).with(VERSION, NEVER))
                .await;
        } else {
            self.leave_out("http-version-header", "the revision has no such header");
        }
    }

    async fn header_mismatches(&mut self) {
        let text = self.simple();
        self.ask(Ask::post("http-header-version", text).with(VERSION, "2025-11-25"))
            .await;
        let text = self.simple();
        self.ask(Ask::post("http-no-version-header", text).without(VERSION))
            .await;
        let text = self.simple();
        self.ask(Ask::post("http-header-method", text).with("mcp-method", "mcprobe/other"))
            .await;
        let text = self.simple();
        self.ask(Ask::post("http-no-method-header", text).without("mcp-method"))
            .await;
        let (name, other) = (quote(&self.absent.tool), self.absent.other_tool.clone());
        let members = [("name", name.as_str()), ("arguments", "{}")];
        let text = self.request("tools/call", &members, Meta::Whole);
        self.ask(Ask::post("http-header-name", text).with("mcp-name", &other))
            .await;
        let text = self.request("tools/call", &members, Meta::Whole);
        self.ask(Ask::post("http-no-name-header", text).without("mcp-name"))
            .await;
    }

    async fn sessions(&mut self) {
        let has_session = matches!(&self.connection.link, Link::Http { transport, .. }
            if transport.has_session());
        if !has_session {
            for name in [
                "session-missing",
                "session-unknown",
                "session-open",
                "session-delete",
                "session-terminated",
            ] {
                self.leave_out(name, "the server gives no sessions");
            }
            return;
        }
        let text = self.simple();
        self.ask(Ask::post("session-missing", text).without(SESSION))
            .await;
        let (text, absent) = (self.simple(), self.absent.session.clone());
        self.ask(Ask::post("session-unknown", text).with(SESSION, &absent))
            .await;
        let Some(session) = self.open_session().await else {
            for name in ["session-delete", "session-terminated"] {
                self.leave_out(name, "there was no second session");
            }
            return;
        };
        let delete = Ask::bare("session-delete", "DELETE").with(SESSION, &session);
        let ended = self.ask(delete).await.and_then(|reply| reply.status);
        if ended.is_some_and(|status| (200..300).contains(&status)) {
            let text = self.simple();
            self.ask(Ask::post("session-terminated", text).with(SESSION, &session))
                .await;
        } else {
            self.leave_out("session-terminated", "the server does not end sessions");
        }
    }

    /// A session of its own, with a whole handshake; its id.
    async fn open_session(&mut self) -> Option<String> {
        let id = self.next_id().to_string();
        let version = self.revision.as_str().to_owned();
        let open = Ask::post("session-open", initialize(&id, &version))
            .without(SESSION)
            .without(VERSION);
        let reply = self.ask(open).await?;
        let session = reply.headers.get(SESSION)?.clone();
        let own = match &self.connection.link {
            Link::Http { transport, .. } => transport.session_id(),
            _ => None,
        };
        if let Some(probe) = self.probes.made.last_mut() {
            probe.session = Some(SessionForm {
                bytes: session.len(),
                visible_ascii: session.bytes().all(|byte| (0x21..=0x7E).contains(&byte)),
                repeated: own == Some(session.as_bytes()),
            });
        }
        let request = RawHttp {
            method: "POST".to_owned(),
            headers: vec![(SESSION.to_owned(), Some(session.clone()))],
            body: Some(jsonrpc::notification("notifications/initialized", None)),
        };
        let limit = self.limit();
        self.connection.http_raw(&request, limit).await;
        Some(session)
    }

    /// `initialize` without the headers of the modern era; the session that a server of
    /// both eras may give is ended.
    pub(super) async fn post_initialize(&mut self, text: String) {
        let ask = Ask::post("removed:initialize", text)
            .without(VERSION)
            .without("mcp-method");
        let Some(reply) = self.ask(ask).await else {
            return;
        };
        let Some(session) = reply.headers.get(SESSION) else {
            return;
        };
        let delete = RawHttp {
            method: "DELETE".to_owned(),
            headers: vec![
                (SESSION.to_owned(), Some(session.clone())),
                (VERSION.to_owned(), None),
            ],
            body: None,
        };
        let limit = self.limit();
        self.connection.http_raw(&delete, limit).await;
    }

    async fn origins(&mut self) {
        let Target::Url(url) = &self.connection.settings().target else {
            return;
        };
        let (local, origin) = (is_loopback(url), url.origin().ascii_serialization());
        if local {
            let text = self.simple();
            self.ask(Ask::post("origin-local", text).with("origin", &origin))
                .await;
        } else {
            self.leave_out("origin-local", "the target is not on this machine");
        }
        let text = self.simple();
        self.ask(Ask::post("origin-evil", text).with("origin", EVIL_ORIGIN))
            .await;
        if local {
            let text = self.simple();
            let evil = Ask::post("host-evil", text)
                .with("host", EVIL)
                .with("origin", EVIL_ORIGIN);
            self.ask(evil).await;
        } else {
            self.leave_out("host-evil", "the target is not on this machine");
        }
    }

    async fn tokens(&mut self) {
        let given = &self.connection.settings().headers;
        if !given
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        {
            for name in ["no-token", "bogus-token"] {
                self.leave_out(name, "no credentials were given and none were asked for");
            }
            return;
        }
        let text = self.first_message();
        let reply = self
            .ask(first("no-token", text).without("authorization"))
            .await;
        if reply.and_then(|reply| reply.status) != Some(401) {
            return self.leave_out(
                "bogus-token",
                "the server does not answer 401 without a token",
            );
        }
        let text = self.first_message();
        self.ask(first("bogus-token", text).with("authorization", BOGUS))
            .await;
    }

    /// What a client of the era says first.
    fn first_message(&mut self) -> String {
        match self.era {
            Era::Modern => self.simple(),
            Era::Legacy => {
                let id = self.next_id().to_string();
                initialize(&id, self.revision.as_str())
            }
        }
    }

    /// Makes one HTTP request and keeps what comes of it.
    async fn ask(&mut self, ask: Ask) -> Option<RawHttpReply> {
        if !self.is_ready_for(ask.name) {
            return None;
        }
        let limit = self.limit();
        let (probe, reply) = make(self.connection, ask, limit).await;
        if probe.taken == Taken::Silence && self.connection.is_over() {
            self.leave_out(&probe.name, "the run's own limit came first");
            return None;
        }
        self.keep(probe, Risk::None).await;
        Some(reply)
    }
}

/// A first message needs neither session nor version.
fn first(name: &'static str, text: String) -> Ask {
    Ask::post(name, text).without(SESSION)
}

/// A token that is none, where there is no connection because one is wanted.
pub(super) async fn bogus_token_alone(
    settings: ConnectSettings,
    limits: ProbeSettings,
    probes: &mut Probes,
) {
    let Ok(mut connection) = dial(settings).await else {
        return;
    };
    if matches!(connection.link, Link::Http { .. }) {
        let text = initialize("1", "2025-11-25");
        let ask = Ask::post("bogus-token", text).with("authorization", BOGUS);
        let (probe, _) = make(&connection, ask, limits.limit).await;
        probes.made.push(probe);
    }
    connection.hurry();
    connection.close().await;
}

async fn make(connection: &Connection, ask: Ask, limit: Duration) -> (Probe, RawHttpReply) {
    let headers = ask.headers.iter();
    let request = RawHttp {
        method: ask.method.to_owned(),
        headers: headers
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        body: ask.body.clone(),
    };
    let reply = connection.http_raw(&request, limit).await;
    let in_time = reply.latency < limit;
    let keep = |text: &str| {
        connection
            .ledger
            .clean_and_bound(text, KEPT_BODY, Torn::End)
    };
    let probe = Probe {
        name: ask.name.to_owned(),
        taken: taken::of_http(&reply, in_time),
        headers: kept_headers(&reply.headers),
        exchange: Exchange {
            request: connection.ledger.clean(&as_text(&ask)),
            // What is compressed is no text.
            reply: Some(keep(&reply.body))
                .filter(|body| !body.is_empty() && !reply.headers.contains_key("content-encoding")),
            reply_bytes: Some(reply.body.len()).filter(|bytes| *bytes > KEPT_BODY),
            http_status: reply.status,
            failure: reply.failure.clone(),
            ..Exchange::default()
        },
        ..Probe::default()
    };
    (probe, reply)
}

/// The request line, the headers that matter, the body.
fn as_text(ask: &Ask) -> String {
    let mut lines = vec![ask.method.to_owned()];
    lines.extend(ask.headers.iter().map(|(name, value)| match value {
        // An id differs by run.
        Some(_) if *name == SESSION => format!("{SESSION}: (another session's)"),
        Some(value) => format!("{name}: {value}"),
        None => format!("(without {name})"),
    }));
    if let Some(body) = &ask.body {
        lines.extend([String::new(), body.clone()]);
    }
    lines.join("\n")
}

fn kept_headers(all: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut kept: BTreeMap<String, String> = all
        .iter()
        .filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if all.contains_key(SESSION) {
        kept.insert(SESSION.to_owned(), "(given)".to_owned());
    }
    kept
}
