//! What a server asks of its client, and how it is answered: `ping` always, all
//! else with "no such method", since nothing was declared.

use super::sort::Question;
use super::{Connection, Reply};
use crate::model::contact::{AfterAnswer, Answer};
use crate::model::secret::Torn;
use crate::protocol::jsonrpc;
use crate::protocol::message::Decoded;

/// How much of a message that came before a reply is kept, in bytes.
const KEPT_BETWEEN: usize = 2 * 1024;

/// How many of them are kept.
const MAX_BETWEEN: usize = 20;

/// How many answers are remembered until a request is over.
const MAX_ANSWERS: usize = 100;

impl Connection {
    /// Answers a request of the server at once.
    pub(super) async fn answer(&mut self, question: &Question) {
        let id = question.id.get();
        if question.method == "ping" {
            self.link.answer(&jsonrpc::result(id, "{}")).await;
            return;
        }
        let refusal = "the client has no such method";
        let answer = jsonrpc::error(id, jsonrpc::METHOD_NOT_FOUND, refusal);
        self.link.answer(&answer).await;
        if self.answers.len() < MAX_ANSWERS {
            self.answers
                .push((question.method.clone(), Answer::Refused));
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
