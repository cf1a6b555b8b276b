//! What a server asks of its client, and how it is answered: `ping` always; of the
//! rest nothing, since nothing is declared, unless the user wants it otherwise.
//!
//! A legacy server asks by requests of its own, a modern one by a result that wants
//! more input (MCP 2026-07-28, "Multi round-trip requests").

use std::time::Duration;

use serde_json::value::RawValue;

use super::sort::Question;
use super::{Connection, Exchanged, Reply};
use crate::model::contact::{AfterAnswer, Answer, Era};
use crate::model::secret::Torn;
use crate::protocol::jsonrpc::quote;
use crate::protocol::message::{Decoded, string};
use crate::protocol::{json, jsonrpc, modern};
use reply::Said;

mod reply;

/// How much of a message that came before a reply is kept, in bytes.
const KEPT_BETWEEN: usize = 2 * 1024;

/// How many of them are kept.
const MAX_BETWEEN: usize = 20;

/// How many answers are remembered until a request is over.
const MAX_ANSWERS: usize = 100;

/// How often one request is sent again with more input.
const MAX_ROUNDS: usize = 5;

impl Connection {
    /// Answers a request of the server at once, or stays silent where that is wanted.
    pub(super) async fn answer(&mut self, question: &Question) {
        let id = question.id.get();
        if question.method == "ping" {
            self.link.answer(&jsonrpc::result(id, "{}")).await;
            return;
        }
        let params = json::pick(&question.text, ["params"]).and_then(|[params]| params);
        let (answer, said) = reply::of(
            self.settings.approach.reach.answer,
            &question.method,
            params.as_deref().map_or("{}", RawValue::get),
        );
        match said {
            Said::Result(result) => self.link.answer(&jsonrpc::result(id, &result)).await,
            Said::Error { code, message } => {
                self.link.answer(&jsonrpc::error(id, code, message)).await;
            }
            Said::Nothing => {}
        }
        self.remember_answer(question.method.clone(), answer);
    }

    /// Sends a request of the modern era again with what its result asks for, until it
    /// asks for nothing more, five times at most. Without `--answer` nothing is given.
    pub(super) async fn answer_rounds(
        &mut self,
        method: &str,
        params: Option<&str>,
        limit: Duration,
        mut exchanged: Exchanged,
    ) -> Exchanged {
        for _ in 0..MAX_ROUNDS {
            let Some(more) = self.next_round(params, &exchanged) else {
                break;
            };
            exchanged = self.request_once(method, Some(&more), limit).await;
        }
        exchanged
    }

    /// The parameters of the next round; `None` when there is none.
    fn next_round(&mut self, params: Option<&str>, exchanged: &Exchanged) -> Option<String> {
        let answer = self.settings.approach.reach.answer?;
        let Reply::Result(result) = &exchanged.reply else {
            return None;
        };
        if self.era == Era::Legacy || !wants_input(result) {
            return None;
        }
        let [requests, state] = json::pick(result.get(), ["inputRequests", "requestState"])?;
        let mut responses = Vec::new();
        let requests = requests.as_deref().map_or("{}", RawValue::get);
        for (key, request) in json::members(requests)?.into_iter().take(MAX_ANSWERS) {
            let [method, params] = json::pick(request.get(), ["method", "params"])?;
            let method = method.and_then(|raw| string(raw.get()))?;
            let params = params.as_deref().map_or("{}", RawValue::get);
            let (answer, said) = reply::of(Some(answer), &method, params);
            self.remember_answer(method, answer);
            // There is no way to refuse one of them alone.
            let Said::Result(result) = said else {
                return None;
            };
            responses.push(format!("{}:{result}", quote(&key)));
        }
        let mut more = format!("\"inputResponses\":{{{}}}", responses.join(","));
        if let Some(state) = state {
            more.push_str(",\"requestState\":");
            more.push_str(state.get());
        }
        modern::with_members(params.unwrap_or("{}"), &more)
    }

    fn remember_answer(&mut self, method: String, answer: Answer) {
        if self.answers.len() < MAX_ANSWERS {
            self.answers.push((method, answer));
        }
    }

    /// Writes down what came of the answers that were given during a request.
    pub(super) fn tell_of_answers(&mut self, during: &str, reply: &Reply) {
        let then = match reply {
            Reply::Result(_) | Reply::Error { .. } => AfterAnswer::Replied,
            Reply::Timeout => AfterAnswer::Silent,
            Reply::Closed => AfterAnswer::Closed,
            Reply::Broken | Reply::HttpRefused { .. } => AfterAnswer::Broken,
        };
        for (method, answer) in std::mem::take(&mut self.answers) {
            self.ledger.answered(&method, answer, during, then);
        }
    }

    /// Keeps what was overheard.
    pub(super) fn keep_between(&mut self, overheard: Option<String>) {
        if let Some(between) = &mut self.between {
            between.extend(overheard);
        }
    }

    /// A message that may turn out to be no reply, as it may be kept.
    pub(super) fn overhear(&self, bytes: &[u8]) -> Option<String> {
        if self.between.as_ref()?.len() >= MAX_BETWEEN {
            return None;
        }
        let head = &bytes[..bytes.len().min(KEPT_BETWEEN + 128 * 1024)];
        let torn = if head.len() < bytes.len() {
            Torn::End
        } else {
            Torn::Nowhere
        };
        let text = Decoded::new(head.to_vec()).text;
        Some(self.ledger.clean_and_bound(&text, KEPT_BETWEEN, torn))
    }
}

/// Whether a result asks for more input before the request can be done.
fn wants_input(result: &RawValue) -> bool {
    let [kind] = json::pick(result.get(), ["resultType"]).unwrap_or_default();
    kind.and_then(|raw| string(raw.get())).as_deref() == Some("input_required")
}
