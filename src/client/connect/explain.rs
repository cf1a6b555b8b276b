//! Why there is no connection, for the person who has to act.

use super::super::exchange::RUN_IS_OVER;
use super::super::link::Link;
use super::super::sort::ECHOES;
use super::super::{Connection, Exchanged, Reply};
use super::discover::DISCOVER;
use super::over_http::NoOlder;
use super::{Refusal, Unreached};
use crate::model::evidence::{Failure, ProbeState};
use crate::model::target::Target;
use crate::transport::http::shown;

impl Connection {
    /// Why there was no handshake, for the person who has to act.
    pub(super) fn explain(&self, refusal: Refusal) -> Unreached {
        let Refusal {
            method,
            exchanged,
            waited,
            is_over,
        } = refusal;
        let Exchanged {
            exchange, reply, ..
        } = exchanged;
        let what = exchange.failure.clone().unwrap_or_default();
        let waited = format!("{:.1} s", waited.as_secs_f64());
        let is_stdio = matches!(self.link, Link::Stdio(_));
        let target = self.target();
        let noise = self.ledger.noise_lines();
        let (state, message) = match reply {
            Reply::Result(_) if method == DISCOVER => (
                ProbeState::NoHandshake,
                format!("{target} speaks no protocol revision that mcprobe may speak with it"),
            ),
            Reply::Result(_) => (
                ProbeState::NoHandshake,
                format!("{target} answered `{method}` with a result that is no object"),
            ),
            Reply::Error { .. } | Reply::HttpRefused { .. }
                if matches!(exchange.http_status, Some(401 | 403)) =>
            {
                (
                    ProbeState::Unauthorized,
                    format!(
                        "{target} {}",
                        self.credentials_hint(exchange.http_status.unwrap_or_default())
                    ),
                )
            }
            Reply::Error { code, message, .. } => (
                ProbeState::NoHandshake,
                format!(
                    "{target} refused `{method}`: {} (code {code})",
                    self.ledger.clean_and_cut(&message, 200)
                ),
            ),
            Reply::HttpRefused {
                status: 300..=399, ..
            } => (
                ProbeState::NoHandshake,
                format!("{target} cannot be audited: {what}"),
            ),
            Reply::HttpRefused { .. } => (
                ProbeState::NoHandshake,
                format!("{target}: no usable reply to `{method}`: {what}"),
            ),
            Reply::Broken if what.contains(ECHOES) => (
                ProbeState::NoHandshake,
                format!("{target}: no usable reply to `{method}`: {what}"),
            ),
            Reply::Broken => (
                match exchange.http_status {
                    Some(status) if !(200..300).contains(&status) => ProbeState::NoHandshake,
                    _ => ProbeState::NotJson,
                },
                format!("{target}: no usable reply to `{method}`: {what}"),
            ),
            Reply::Timeout if is_over => (
                ProbeState::Timeout,
                format!("{RUN_IS_OVER} {waited} after {target} was asked to `{method}`"),
            ),
            Reply::Timeout if noise > 0 => (
                ProbeState::NotJson,
                format!(
                    "{target} wrote {noise} lines that are no messages and did not answer `{method}` within {waited}{}",
                    self.framing_hint()
                ),
            ),
            Reply::Timeout if is_stdio => (
                ProbeState::Timeout,
                format!(
                    "{target} runs but did not answer `{method}` within {waited}; a longer start-up limit may help, or it does not speak MCP over stdio with one message a line"
                ),
            ),
            Reply::Timeout => (
                ProbeState::Timeout,
                format!("{target} did not answer `{method}` within {waited}"),
            ),
            Reply::Closed if is_stdio => {
                let words = exchange
                    .stderr_tail
                    .as_deref()
                    .and_then(telling_line)
                    .map(|line| format!(": {}", self.ledger.clean_and_cut(line.trim(), 200)))
                    .unwrap_or_default();
                (
                    ProbeState::Crash,
                    format!("{target} did not stay for the handshake: {what}{words}"),
                )
            }
            Reply::Closed => (
                ProbeState::Unreachable,
                format!("{target} cannot be reached: {what}"),
            ),
        };
        let stderr_tail = match &self.link {
            Link::Stdio(transport) if exchange.stderr_tail.is_none() => {
                transport.stderr_tail().map(|tail| self.last_words(&tail))
            }
            _ => exchange.stderr_tail.clone(),
        };
        let failure = Failure {
            message: self.ledger.clean(&message),
            exit: exchange.exit,
            stderr_tail,
            exchange: Some(exchange),
        };
        (state, failure)
    }

    /// Why nothing can be said over HTTP with SSE.
    pub(super) fn explain_stream(&mut self, no_stream: NoOlder) -> Unreached {
        let target = self.target();
        let (state, message) = match no_stream {
            NoOlder::Foreign(why) => (ProbeState::NoHandshake, why),
            NoOlder::Absent(why) => (
                ProbeState::NoHandshake,
                format!("{target} does not speak HTTP with SSE: {why}"),
            ),
            NoOlder::TurnedAway(head) if matches!(head.status, 401 | 403) => {
                let hint = self.credentials_hint(head.status);
                self.link.set_head(head);
                (ProbeState::Unauthorized, format!("{target} {hint}"))
            }
            NoOlder::TurnedAway(head) => (
                ProbeState::NoHandshake,
                format!(
                    "{target} does not speak HTTP with SSE: GET was answered with {}",
                    head.describe()
                ),
            ),
        };
        (state, self.settings.bare_failure(&message))
    }

    /// The target without arguments, user or query: any may hold a secret.
    fn target(&self) -> String {
        match &self.settings.target {
            Target::Url(url) => shown(url),
            Target::Command(command) => {
                format!("`{}`", command.argv.first().map_or("", String::as_str))
            }
        }
    }

    fn credentials_hint(&self, status: u16) -> String {
        if self.settings.headers.is_empty() {
            format!("wants credentials (HTTP {status}); give them with --bearer or --header")
        } else {
            format!("refuses the given credentials (HTTP {status})")
        }
    }

    fn framing_hint(&self) -> &'static str {
        if self.ledger.saw_frames() {
            "; it frames messages with `Content-Length` headers, which the stdio transport does not allow"
        } else {
            ""
        }
    }
}

/// The line of standard error that says most: the first that names an error,
/// else the last one.
fn telling_line(tail: &str) -> Option<&str> {
    let names_error =
        |line: &&str| line.contains("Error:") || line.to_ascii_lowercase().starts_with("error");
    let mut lines = tail.lines().filter(|line| !line.trim().is_empty());
    lines
        .clone()
        .find(names_error)
        .or_else(|| lines.next_back())
}
