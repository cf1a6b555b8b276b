//! Event streams, decoded as the bytes come.
//!
//! After the WHATWG text (HTML, section 9.2.6): LF, CR and CRLF end a line, a
//! byte order mark at the start is dropped, `:` begins a comment, unknown fields
//! are passed over, an event without data is not delivered. Data stays bytes, so
//! that whoever reads the message can tell where it is not UTF-8.

use super::MAX_MESSAGE_BYTES;

/// The type of an event that names none.
pub const MESSAGE: &str = "message";

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A whole event.
    Whole {
        /// Its type; [`MESSAGE`] when it names none.
        kind: String,
        /// Its data lines, joined by line feeds.
        data: Vec<u8>,
    },
    /// An event beyond the bound, left out.
    TooLong,
}

/// Decodes an event stream, whatever the pieces it comes in.
#[derive(Debug)]
pub struct EventDecoder {
    limit: usize,
    line: Vec<u8>,
    after_cr: bool,
    at_start: bool,
    kind: String,
    data: Option<Vec<u8>>,
    excess: Excess,
    id: Option<String>,
    last_event_id: Option<String>,
    retry_ms: Option<u64>,
}

/// What of the event passed the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excess {
    None,
    /// An earlier line or all data together.
    Event,
    /// The line being read.
    Line,
}

impl Default for EventDecoder {
    fn default() -> Self {
        Self::with_limit(MAX_MESSAGE_BYTES)
    }
}

impl EventDecoder {
    /// A decoder for events of up to `limit` bytes of data.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            after_cr: false,
            at_start: true,
            kind: String::new(),
            data: None,
            excess: Excess::None,
            id: None,
            last_event_id: None,
            retry_ms: None,
        }
    }

    /// Takes the next bytes and gives the events that they complete. An event
    /// that the stream's end cuts off is never given.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_cr) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.extend_line(rest);
                break;
            };
            self.extend_line(&rest[..end]);
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            events.extend(self.end_line());
        }
        events
    }

    /// The id to resume after, where an event gave one.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// How long the server wants us to wait before a reconnect, in milliseconds.
    pub const fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Whether the stream stands in the middle of an event.
    pub fn is_mid_event(&self) -> bool {
        self.data.is_some() || !self.line.is_empty()
    }

    fn extend_line(&mut self, bytes: &[u8]) {
        if self.excess == Excess::Line {
            return;
        }
        // The field name needs some bytes above the data's own bound.
        if self.line.len() + bytes.len() > self.limit + 64 {
            self.excess = Excess::Line;
            // The rest of the line is passed over like a comment.
            self.line = b":".to_vec();
            return;
        }
        self.line.extend_from_slice(bytes);
    }

    fn end_line(&mut self) -> Option<Event> {
        let mut line = std::mem::take(&mut self.line);
        if self.excess == Excess::Line {
            self.excess = Excess::Event;
        }
        if std::mem::take(&mut self.at_start) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(0) => return None,
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (&line[..], &[][..]),
        };
        match field {
            b"data" => self.add_data(value),
            b"event" => self.kind = String::from_utf8_lossy(value).into_owned(),
            b"id" if !value.contains(&0) => {
                self.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                self.retry_ms = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok());
            }
            _ => {}
        }
        None
    }

    fn add_data(&mut self, value: &[u8]) {
        if self.excess != Excess::None {
            return;
        }
        let so_far = self.data.as_ref().map_or(0, |data| data.len() + 1);
        if so_far + value.len() > self.limit {
            self.excess = Excess::Event;
            self.data = None;
            return;
        }
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
    }

    fn dispatch(&mut self) -> Option<Event> {
        if let Some(id) = self.id.take() {
            self.last_event_id = Some(id).filter(|id| !id.is_empty());
        }
        let kind = std::mem::take(&mut self.kind);
        let data = self.data.take();
        if std::mem::replace(&mut self.excess, Excess::None) != Excess::None {
            return Some(Event::TooLong);
        }
        let data = data?;
        let kind = if kind.is_empty() {
            MESSAGE.to_owned()
        } else {
            kind
        };
        Some(Event::Whole { kind, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(data: &str) -> Event {
        Event::Whole {
            kind: MESSAGE.to_owned(),
            data: data.as_bytes().to_vec(),
        }
    }

    #[test]
    fn every_legal_shape_is_read() {
        let mut decoder = EventDecoder::default();
        let events = decoder.push(
            "\u{feff}: hello\r\nevent: ping\rdata:now\n\ndata: {\ndata:  \"a\":1\r\ndata\r\n\r\nodd: x\ndata:y\n\nevent: lost\n\ndata: cut"
                .as_bytes(),
        );
        assert_eq!(
            events,
            [
                Event::Whole {
                    kind: "ping".to_owned(),
                    data: b"now".to_vec()
                },
                message("{\n \"a\":1\n"),
                message("y"),
            ]
        );
        assert!(decoder.is_mid_event());
    }

    #[test]
    fn ids_and_retry_are_remembered_without_data() {
        let mut decoder = EventDecoder::default();
        assert!(
            decoder
                .push(b"id: e1\nretry: 300\n\nretry: x\nid: a\0b\n\n")
                .is_empty()
        );
        assert_eq!(decoder.last_event_id(), Some("e1"));
        assert_eq!(decoder.retry_ms(), Some(300));
        assert_eq!(decoder.push(b"id\ndata\n\n"), [message("")]);
        assert_eq!(decoder.last_event_id(), None);
    }

    #[test]
    fn an_over_long_event_is_left_out_alone() {
        let mut decoder = EventDecoder::with_limit(8);
        let long = format!("data: {}\n\ndata: 12345678\n\n", "x".repeat(200));
        assert_eq!(
            decoder.push(long.as_bytes()),
            [Event::TooLong, message("12345678")]
        );
        assert_eq!(
            decoder.push(b"data: 12345\ndata: 6789\n\n"),
            [Event::TooLong]
        );
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_events(
            pieces in proptest::collection::vec(prop_oneof![
                Just("\n"), Just("\r"), Just("\r\n"), Just("data: "), Just("data"), Just(":"), Just("id: 7"),
                Just("event: m"), Just("retry: 5"), Just("é"), Just("\u{feff}"), Just(" "),
            ], 0..40),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..8),
        ) {
            let text = pieces.concat().into_bytes();
            let mut at_once = EventDecoder::with_limit(9);
            let expected = at_once.push(&text);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut in_pieces = EventDecoder::with_limit(9);
            let mut found = Vec::new();
            for pair in cuts.windows(2) {
                found.extend(in_pieces.push(&text[pair[0]..pair[1]]));
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(in_pieces.last_event_id(), at_once.last_event_id());
            prop_assert_eq!(in_pieces.retry_ms(), at_once.retry_ms());
        }
    }
}
