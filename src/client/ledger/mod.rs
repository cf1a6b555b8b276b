//! What goes over the wire besides replies, written down: cleaned, bounded, in
//! order of first sight.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::model::contact::{AfterAnswer, Answer, Answered};
use crate::model::evidence::{Seen, Wire};
use crate::model::secret::{Redactor, Torn};
use facts::Progress;

mod facts;

/// How much of a noise line, a method or a note is kept, in characters.
const TEXT_CHARS: usize = 200;

/// How many different methods or notes are kept.
const DISTINCT: usize = 100;

/// How many noise lines are quoted.
const QUOTED: usize = 3;

#[derive(Debug)]
pub(super) struct Ledger {
    wire: Wire,
    /// Requests that have a progress token, the last hundred.
    progress: Vec<Progress>,
    redactor: Redactor,
}

impl Ledger {
    pub(super) fn new(redactor: Redactor) -> Self {
        Self {
            wire: Wire::default(),
            progress: Vec::new(),
            redactor,
        }
    }

    pub(super) fn wire(&self) -> Wire {
        self.wire.clone()
    }

    /// Lines that are no messages.
    pub(super) const fn noise_lines(&self) -> u64 {
        self.wire.noise_lines
    }

    /// Whether one of the first lines that are no messages begins a message in the
    /// framing of editor protocols.
    pub(super) fn saw_frames(&self) -> bool {
        let mut lines = self.wire.noise_first.iter();
        lines.any(|line| line.to_ascii_lowercase().starts_with("content-length:"))
    }

    pub(super) fn noise(&mut self, line: &str) {
        self.wire.noise_lines += 1;
        if self.wire.noise_first.len() < QUOTED {
            // A line end may go through a credential as any cut may.
            let clean = self.clean_head(line.trim_end(), 4 * TEXT_CHARS, Torn::Both);
            let line = first_chars(&clean, TEXT_CHARS);
            self.wire.noise_first.push(line);
        }
    }

    pub(super) fn invalid_utf8(&mut self) {
        self.wire.invalid_utf8_messages += 1;
    }

    pub(super) fn stray_reply(&mut self) {
        self.wire.stray_replies += 1;
    }

    pub(super) fn notification(&mut self, method: &str) {
        let method = self.clean_and_cut(method, TEXT_CHARS);
        count(&mut self.wire.notifications, method, 1);
    }

    pub(super) fn server_request(&mut self, method: &str) {
        let method = self.clean_and_cut(method, TEXT_CHARS);
        count(&mut self.wire.server_requests, method, 1);
    }

    /// An answer of ours to a request of the server, and what came of it.
    pub(super) fn answered(
        &mut self,
        method: &str,
        answer: Answer,
        during: &str,
        then: AfterAnswer,
    ) {
        let answered = Answered {
            method: self.clean_and_cut(method, TEXT_CHARS),
            answer,
            during: self.clean_and_cut(during, TEXT_CHARS),
            then,
            count: 1,
        };
        count_answers(&mut self.wire.answers, answered);
    }

    /// A sentence, kept once however often it is said.
    pub(super) fn note(&mut self, sentence: impl AsRef<str>) {
        let sentence = self.clean_and_cut(sentence.as_ref(), 2 * TEXT_CHARS);
        if self.wire.notes.len() < DISTINCT && !self.wire.notes.contains(&sentence) {
            self.wire.notes.push(sentence);
        }
    }

    /// How often a notification was seen.
    pub(super) fn notifications(&self, method: &str) -> u64 {
        let mut all = self.wire.notifications.iter();
        all.find(|seen| seen.method == method)
            .map_or(0, |seen| seen.count)
    }

    /// Adds what the ledger of another connection holds, which is clean.
    pub(super) fn absorb(&mut self, mut other: Wire) {
        self.absorb_facts(&mut other);
        self.wire.noise_lines += other.noise_lines;
        let room = QUOTED.saturating_sub(self.wire.noise_first.len());
        self.wire
            .noise_first
            .extend(other.noise_first.into_iter().take(room));
        self.wire.invalid_utf8_messages += other.invalid_utf8_messages;
        self.wire.stray_replies += other.stray_replies;
        for seen in other.notifications {
            count(&mut self.wire.notifications, seen.method, seen.count);
        }
        for seen in other.server_requests {
            count(&mut self.wire.server_requests, seen.method, seen.count);
        }
        for answered in other.answers {
            count_answers(&mut self.wire.answers, answered);
        }
        for note in other.notes {
            self.note(note);
        }
    }

    /// The text without credentials.
    pub(super) fn clean(&self, text: &str) -> String {
        self.redactor.clean(text).into_owned()
    }

    /// An entry without credentials, still JSON.
    pub(super) fn clean_entry(&self, entry: Box<RawValue>) -> Box<RawValue> {
        let Cow::Owned(clean) = self.redactor.clean_json(entry.get()) else {
            return entry;
        };
        RawValue::from_string(clean).unwrap_or_default()
    }

    /// JSON without credentials, still JSON.
    pub(super) fn clean_json(&self, raw: &str) -> String {
        self.redactor.clean_json(raw).into_owned()
    }

    /// A text that was cut before it came here, without credentials and without
    /// those that the cut goes through.
    pub(super) fn clean_torn(&self, text: &str, torn: Torn) -> String {
        self.redactor.clean_torn(text, torn).into_owned()
    }

    /// The first characters of a text, without credentials.
    pub(super) fn clean_and_cut(&self, text: &str, chars: usize) -> String {
        let clean = self.clean_head(text, 4 * chars, Torn::Nowhere);
        first_chars(&clean, chars)
    }

    /// At most `bytes` of a text, without credentials.
    pub(super) fn clean_and_bound(&self, text: &str, bytes: usize, torn: Torn) -> String {
        let clean = self.clean_head(text, bytes, torn);
        split(&clean, bytes).0.to_owned()
    }

    /// Cleaned before it is cut, so that no half of a credential is left over;
    /// only what can matter of a long text.
    fn clean_head<'t>(&self, text: &'t str, bytes: usize, torn: Torn) -> Cow<'t, str> {
        let (head, rest) = split(text, bytes + 64 * 1024);
        let torn = match torn {
            _ if rest.is_empty() => torn,
            Torn::Nowhere | Torn::End => Torn::End,
            Torn::Start | Torn::Both => Torn::Both,
        };
        self.redactor.clean_torn(head, torn)
    }
}

fn first_chars(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn count(seen: &mut Vec<Seen>, method: String, times: u64) {
    if let Some(known) = seen.iter_mut().find(|known| known.method == method) {
        known.count += times;
    } else if seen.len() < DISTINCT {
        seen.push(Seen {
            method,
            count: times,
        });
    }
}

fn count_answers(known: &mut Vec<Answered>, answered: Answered) {
    let is_same = |other: &&mut Answered| {
        Answered {
            count: answered.count,
            ..(**other).clone()
        } == answered
    };
    if let Some(same) = known.iter_mut().find(is_same) {
        same.count += answered.count;
    } else if known.len() < DISTINCT {
        known.push(answered);
    }
}

/// Splits a text at a byte offset, moved back to the border of a character.
fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at(text.floor_char_boundary(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::secret::Secret;

    #[test]
    fn everything_is_bounded_and_clean() {
        let mut ledger = Ledger::new(Redactor::new([&Secret::new("s3cret-token")]));
        for number in 0..1000 {
            ledger.noise(&format!("{number} s3cret-token {}", "é".repeat(500)));
            ledger.notification(&format!("notifications/{}", number % 150));
            ledger.note("the same");
        }
        let wire = ledger.wire();
        assert_eq!(wire.noise_lines, 1000);
        assert_eq!(wire.noise_first.len(), 3);
        assert!(wire.noise_first[0].starts_with("0 [redacted] éé"));
        assert_eq!(wire.noise_first[0].chars().count(), 201);
        assert_eq!(wire.notifications.len(), 100);
        assert_eq!(wire.notifications[0].count, 7);
        assert_eq!(wire.notes, ["the same"]);
        let text = format!("{}s3cret-token", "x".repeat(95));
        assert_eq!(
            ledger.clean_and_bound(&text, 100, Torn::Nowhere),
            format!("{}[reda", "x".repeat(95))
        );
        // Whatever a redaction saves, no half comes into view.
        let window = 100 + 64 * 1024;
        let many = "s3cret-token".repeat(window / 12 - 3);
        let text = format!("{}{many}s3cr", "x".repeat(window - many.len() - 4));
        let kept = ledger.clean_and_bound(&format!("{text}et-token"), window, Torn::Nowhere);
        assert!(kept.ends_with("[redacted]") && !kept.contains("s3cr"));
    }
}
