//! One request and whatever comes until its reply does.

use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::connect::discover::DISCOVER;
use super::link::{Link, Outgoing};
use super::sort::{Asked, Origin, Sorted};
use super::{Connection, Exchanged, Reply};
use crate::model::contact::Era;
use crate::model::fuzz::Exchange;
use crate::model::secret::Torn;
use crate::protocol::jsonrpc;
use crate::protocol::message::{Decoded, Frame, NotMessage, frame};
use crate::transport::http::{Head, HttpFault};
use crate::transport::{Incoming, from_now};

/// How much of a reply is kept, in bytes.
pub(super) const KEPT_REPLY: usize = 16 * 1024;

/// Bytes of one text of the server's that are kept.
pub(super) const KEPT_TEXT: usize = 4 * 1024;

/// How much of standard error is kept with a reply, in characters from its end.
const KEPT_STDERR: usize = 8 * 1024;

/// Why a request has no reply that would still have had time.
pub(super) const RUN_IS_OVER: &str = "the run's own limit ended it";

/// An error without an id may be for our request; how long the right reply is
/// waited for before it is taken so.
const ORPHAN_GRACE: Duration = Duration::from_millis(500);

/// How long a server that has shown itself legacy may still take to refuse the first
/// probe.
const LEGACY_SIGN: Duration = Duration::from_secs(1);

/// How long a farewell to a given-up request may take.
const CANCEL: Duration = Duration::from_millis(500);

/// How often one message is sent again after HTTP 429, and the longest wait.
pub(super) const MAX_RATE_WAITS: usize = 5;
const LONGEST_RATE_WAIT: Duration = Duration::from_secs(30);

/// How an exchange ended, before it is dressed up.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) reply: Reply,
    pub(super) text: Option<String>,
    pub(super) invalid_utf8_at: Option<usize>,
    pub(super) failure: Option<String>,
}

/// Whether HTTP asks for the same message again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    No,
    After(Duration),
    InNewSession,
}

/// Whether the server is told when a request is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GiveUp {
    Announced,
    /// `initialize` must not be cancelled, nor what only the caller knows.
    Silent,
}

impl Connection {
    /// Sends a request and waits for its reply, no longer than `limit` and never
    /// beyond the run's deadline. `params` is raw JSON.
    ///
    /// Over HTTP a message is sent again when the server asks to wait (429), and
    /// in a new session when the old one is gone (404); both are bounded. With
    /// `--answer`, a result that asks for input is answered, each round within `limit`.
    pub async fn request(
        &mut self,
        method: &str,
        params: Option<&str>,
        limit: Duration,
    ) -> Exchanged {
        let exchanged = self.request_once(method, params, limit).await;
        self.answer_rounds(method, params, limit, exchanged).await
    }

    pub(super) async fn request_once(
        &mut self,
        method: &str,
        params: Option<&str>,
        limit: Duration,
    ) -> Exchanged {
        let mut rate_waits = 0;
        // A server that asks for longer waits than the request's own limit has
        // refused it.
        let waits_end = self.by(limit);
        loop {
            let by = self.by(limit);
            let exchanged = self.exchange(method, params, by, GiveUp::Announced).await;
            match self.asks_again(&exchanged) {
                Again::No => {
                    if let Reply::Result(list) = &exchanged.reply
                        && method == "tools/list"
                    {
                        self.learn_headers(list);
                    }
                    self.session_served = true;
                    return exchanged;
                }
                Again::After(wait) => {
                    if rate_waits == MAX_RATE_WAITS || from_now(wait) >= waits_end {
                        return exchanged;
                    }
                    rate_waits += 1;
                    self.ledger
                        .note("the server limits the rate of requests (HTTP 429); waited as told");
                    tokio::time::sleep(wait).await;
                }
                Again::InNewSession => {
                    // One that keeps no session at all must not keep us busy.
                    if !std::mem::take(&mut self.session_served)
                        || self.renew_session(by).await.is_err()
                    {
                        return exchanged;
                    }
                    self.ledger
                        .note("the session was gone (HTTP 404) and was renewed");
                }
            }
        }
    }

    /// The end of a wait of this length; never beyond the run's own end.
    pub(super) fn by(&self, limit: Duration) -> Instant {
        from_now(limit).min(self.settings.deadline)
    }

    /// Exactly one exchange, never repeated.
    pub(super) async fn exchange(
        &mut self,
        method: &str,
        params: Option<&str>,
        by: Instant,
        give_up: GiveUp,
    ) -> Exchanged {
        self.last_id += 1;
        let id = self.last_id.to_string();
        let sent = self.sent_params(params);
        let request = jsonrpc::request(self.last_id, method, sent.as_deref());
        let asked = Asked {
            id: Some(&id),
            method,
            origin: Origin::Composed,
        };
        self.deliver(asked, request, by, give_up).await
    }

    /// Sends a text and waits for what comes of it.
    pub(super) async fn deliver(
        &mut self,
        asked: Asked<'_>,
        request: String,
        by: Instant,
        give_up: GiveUp,
    ) -> Exchanged {
        self.ledger.asks(&request);
        let started = Instant::now();
        self.unread = None;
        let answered = timeout_at(by, self.ask(asked, &request)).await;
        let latency = started.elapsed();
        self.ledger.replied();
        if let Some(head) = self.link.head() {
            self.ledger.http(asked.method, head);
        }
        let settled = if let Ok(settled) = answered {
            self.refused_by_http(settled)
        } else {
            let silence = self.give_up(asked.id, latency, give_up).await;
            self.unread_reply(asked, latency).unwrap_or(silence)
        };
        self.tell_of_answers(asked.method, &settled.reply);
        self.dress(request, settled, latency).await
    }

    async fn ask(&mut self, asked: Asked<'_>, request: &str) -> Settled {
        self.clear_the_line().await;
        let was_open = self.link.is_open() || matches!(self.link, Link::Http { .. });
        let headers = self.message_headers(request);
        let outgoing = Outgoing {
            text: request,
            headers: &headers,
        };
        let sent = self.link.send(outgoing).await;
        if let Link::Http { transport, .. } = &mut self.link {
            for redirect in transport.take_redirects() {
                self.ledger.redirected(redirect);
            }
        }
        match sent {
            Ok(()) => {}
            Err(HttpFault::Redirected { status, why }) => {
                return Settled::without_reply(Reply::HttpRefused { status }, why);
            }
            Err(fault) => return Settled::without_reply(Reply::Closed, sentence(&fault)),
        }
        let mut orphan: Option<(Settled, Instant)> = None;
        // A server that asks something before it answers a probe of the modern era is
        // a legacy one, and may never answer.
        let mut patience: Option<Instant> = None;
        loop {
            let until = orphan.as_ref().map(|(_, until)| *until).or(patience);
            let incoming = match until {
                None => Ok(self.link.next().await),
                Some(until) => timeout_at(until, self.link.next()).await,
            };
            let incoming = match (incoming, orphan.take()) {
                (Err(_) | Ok(Incoming::Ended(_)), Some((settled, _))) => return settled,
                (Err(_), None) => {
                    let why = "no reply, but a request of a legacy server".to_owned();
                    return Settled::without_reply(Reply::Timeout, why);
                }
                (Ok(incoming), waiting) => {
                    orphan = waiting;
                    incoming
                }
            };
            match incoming {
                Incoming::Message(bytes) => {
                    let overheard = self.overhear(&bytes);
                    match self.sort(Some((asked, request)), bytes) {
                        Sorted::Ours(settled) => {
                            if let Some((passed_over, _)) = orphan {
                                self.pass_over(passed_over);
                            }
                            return settled;
                        }
                        Sorted::Orphan(settled) => {
                            if let Some((passed_over, _)) = orphan {
                                self.pass_over(passed_over);
                            }
                            orphan = Some((settled, from_now(ORPHAN_GRACE)));
                        }
                        Sorted::Asks(question) => {
                            self.keep_between(overheard);
                            self.answer(&question).await;
                            if asked.method == DISCOVER {
                                patience.get_or_insert_with(|| from_now(LEGACY_SIGN));
                            }
                        }
                        Sorted::Other => self.keep_between(overheard),
                    }
                }
                Incoming::TooLong(head) => {
                    let head = Decoded::new(head).text;
                    return Settled {
                        text: Some(head),
                        ..Settled::without_reply(
                            Reply::Broken,
                            "the reply is longer than 16 MiB".to_owned(),
                        )
                    };
                }
                // What HTTP itself says is no line of the server's.
                Incoming::Refused(head, text) if says_nothing(&text) => {
                    return turned_away(&head, text);
                }
                Incoming::Refused(head, text) => {
                    if let Sorted::Ours(settled) | Sorted::Orphan(settled) =
                        self.sort(Some((asked, request)), text.clone())
                    {
                        return settled;
                    }
                    return turned_away(&head, text);
                }
                Incoming::Ended(why) => return self.ended(why, was_open),
            }
        }
    }

    /// A reply that was taken for ours until a better one came.
    fn pass_over(&mut self, settled: Settled) {
        self.was_no_reply(&settled);
        let text = settled.text.unwrap_or_default();
        let overheard = self.overhear(text.as_bytes());
        self.keep_between(overheard);
    }

    /// Waits for whatever comes next, which answers nothing.
    pub(super) async fn write_down_next(&mut self) {
        if let Incoming::Message(bytes) = self.link.next().await {
            let _ = self.sort(None, bytes);
        }
    }

    /// Whatever has come by now answers no request that is yet to be sent.
    async fn clear_the_line(&mut self) {
        for incoming in self.link.arrived().await {
            let Incoming::Message(bytes) = incoming else {
                self.ledger
                    .note("more than 16 MiB came without being asked for");
                continue;
            };
            match self.sort(None, bytes) {
                Sorted::Asks(question) => self.answer(&question).await,
                Sorted::Ours(_) | Sorted::Orphan(_) => self.ledger.stray_reply(),
                Sorted::Other => {}
            }
        }
    }

    /// A reply of HTTP's own, without a message in it, is none of the server's.
    fn refused_by_http(&self, settled: Settled) -> Settled {
        match (&settled.reply, self.link.head()) {
            (Reply::Broken, Some(head)) if head.is_refusal() => Settled {
                reply: Reply::HttpRefused {
                    status: head.status,
                },
                ..settled
            },
            _ => settled,
        }
    }

    fn ended(&self, why: String, was_open: bool) -> Settled {
        match &self.link {
            // The server is there, it only said nothing useful.
            Link::Http { .. } => Settled::without_reply(Reply::Broken, why),
            _ if !was_open => {
                Settled::without_reply(Reply::Closed, format!("{why} before this request was sent"))
            }
            _ => Settled::without_reply(Reply::Closed, why),
        }
    }

    async fn give_up(&mut self, id: Option<&str>, after: Duration, give_up: GiveUp) -> Settled {
        self.link.abandon();
        self.given_up
            .extend(id.and_then(|id| id.parse::<u64>().ok()));
        // In the modern era the end of the reply's stream says it over HTTP.
        let is_said = self.era == Era::Modern && self.link.http().is_some();
        if let Some(id) = id.filter(|_| give_up == GiveUp::Announced && !is_said) {
            let params = format!(r#"{{"requestId":{id},"reason":"no reply in time"}}"#);
            let _ = timeout(CANCEL, self.tell("notifications/cancelled", Some(&params))).await;
        }
        let failure = if self.is_over() {
            format!(
                "{RUN_IS_OVER} after {:.1} s without a reply",
                after.as_secs_f64()
            )
        } else {
            format!("no reply within {:.1} s", after.as_secs_f64())
        };
        Settled::without_reply(Reply::Timeout, failure)
    }

    /// Whether the run's own time is up.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.settings.deadline
    }

    /// Whether a request got less time than it was to have, because the run ended.
    pub(super) fn was_cut(&self, exchanged: &Exchanged, limit: Duration) -> bool {
        matches!(exchanged.reply, Reply::Timeout) && exchanged.latency < limit && self.is_over()
    }

    /// Adds status, exit and last words; cleans and cuts what is kept.
    async fn dress(&mut self, request: String, settled: Settled, latency: Duration) -> Exchanged {
        let mut exchange = Exchange {
            request: self.ledger.clean(&request),
            http_status: match settled.reply {
                Reply::HttpRefused { status } => Some(status),
                _ => self.link.head().map(|head| head.status),
            },
            failure: settled.failure.map(|failure| self.ledger.clean(&failure)),
            ..Exchange::default()
        };
        if let Some(text) = settled.text {
            exchange.reply_bytes = Some(text.len()).filter(|bytes| *bytes > KEPT_REPLY);
            // What is no message may be a piece of one.
            let torn = match settled.reply {
                Reply::Broken => Torn::Both,
                _ => Torn::Nowhere,
            };
            exchange.reply = Some(self.ledger.clean_and_bound(&text, KEPT_REPLY, torn));
        }
        if matches!(settled.reply, Reply::Closed)
            && let Link::Stdio(transport) = &mut self.link
        {
            let aftermath = transport.aftermath().await;
            exchange.exit = aftermath.exit;
            exchange.stderr_tail = aftermath.stderr_tail.map(|tail| self.last_words(&tail));
        }
        Exchanged {
            exchange,
            reply: settled.reply,
            latency,
            invalid_utf8_at: settled.invalid_utf8_at,
            between: self.between.take().unwrap_or_default(),
        }
    }

    /// The end of standard error, cleaned. Its beginning may be lost, and its end
    /// not written yet.
    pub(super) fn last_words(&self, tail: &str) -> String {
        let clean = self.ledger.clean_torn(tail, Torn::Both);
        let from = clean.floor_char_boundary(clean.len().saturating_sub(KEPT_STDERR));
        clean[from..].to_owned()
    }

    fn asks_again(&self, exchanged: &Exchanged) -> Again {
        let Link::Http {
            head: Some(head),
            transport,
            ..
        } = &self.link
        else {
            return Again::No;
        };
        if matches!(exchanged.reply, Reply::Timeout | Reply::Closed) {
            return Again::No;
        }
        match head.status {
            429 => Again::After(rate_wait(head.retry_after)),
            404 if transport.has_session() => Again::InNewSession,
            _ => Again::No,
        }
    }
}

impl Settled {
    pub(super) fn without_reply(reply: Reply, failure: String) -> Self {
        Self {
            reply,
            text: None,
            invalid_utf8_at: None,
            failure: Some(failure),
        }
    }
}

/// Whether the body of a refusal is no message at all.
fn says_nothing(body: &[u8]) -> bool {
    let why = match frame(&String::from_utf8_lossy(body)) {
        Frame::NotMessage(why) => why,
        Frame::Response { .. } | Frame::Request { .. } | Frame::Notification { .. } => {
            return false;
        }
    };
    why != NotMessage::BrokenMessage
}

/// A request that HTTP turned away where its reply would come by another way.
fn turned_away(head: &Head, text: Vec<u8>) -> Settled {
    let why = format!("the message was answered with {}", head.describe());
    let reply = if head.is_refusal() {
        Reply::HttpRefused {
            status: head.status,
        }
    } else {
        Reply::Broken
    };
    Settled {
        text: Some(Decoded::new(text).text),
        ..Settled::without_reply(reply, why)
    }
}

pub(super) fn rate_wait(retry_after: Option<Duration>) -> Duration {
    retry_after
        .unwrap_or(Duration::from_secs(1))
        .min(LONGEST_RATE_WAIT)
}

pub(super) fn sentence(fault: &HttpFault) -> String {
    match fault {
        HttpFault::Unreachable(why) => format!("no connection: {why}"),
        HttpFault::Redirected { why, .. } => why.clone(),
        HttpFault::Lost(why) => format!("the connection was lost: {why}"),
    }
}
