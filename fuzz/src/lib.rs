//! What must hold for any bytes of a server: one function for each fuzz target.
//!
//! `cargo test` includes this file as well and replays the kept inputs with it, so
//! that a fault once found stays mended on a stable toolchain. The first byte of an
//! input for a reader says how the rest is cut into pieces.

use mcprobe::protocol::json;
use mcprobe::protocol::lines::{Line, LineReader};
use mcprobe::protocol::message::{self, Body, Decoded, Frame};
use mcprobe::protocol::sse::{Event, EventDecoder};
use mcprobe::schema::compile::compile;
use mcprobe::schema::walk;
use serde_json::Value;
use serde_json::value::RawValue;

/// A bound small enough to be passed by short inputs.
const LIMIT: usize = 300;

/// Values that a compiled schema is asked about.
const ASKED: &[&str] = &[
    "null",
    "true",
    "0",
    "-1.5",
    "1e300",
    r#""""#,
    r#""a""#,
    "[]",
    r#"[1,"a",null]"#,
    "{}",
    r#"{"a":1,"b":{"c":[]}}"#,
];

/// Lines do not depend on how the bytes came, and none passes the bound.
pub fn line_reader(data: &[u8]) {
    let (cut, bytes) = cut(data);
    let whole = lines(bytes.chunks(bytes.len().max(1)));
    let pieces = lines(bytes.chunks(cut));
    assert_eq!(whole, pieces, "lines depend on how the bytes were cut");
    let mut ends = 0;
    for line in &whole {
        match line {
            Line::Whole(line) => {
                assert!(line.len() <= LIMIT + 1, "a line beyond the bound");
                assert!(!line.contains(&b'\n'), "a line with a line feed");
            }
            Line::TooLong(head) => assert!(head.len() <= LIMIT, "a long head"),
        }
        ends += 1;
    }
    let most = bytes.split(|byte| *byte == b'\n').count();
    assert!(ends <= most, "{ends} lines where {most} can be");
}

/// Events do not depend on how the bytes came, and none passes the bound.
pub fn event_stream(data: &[u8]) {
    let (cut, bytes) = cut(data);
    let whole = events(bytes.chunks(bytes.len().max(1)));
    let pieces = events(bytes.chunks(cut));
    assert_eq!(whole, pieces, "events depend on how the bytes were cut");
    for event in &whole.0 {
        if let Event::Whole { data, .. } = event {
            assert!(data.len() <= LIMIT + 64, "an event beyond the bound");
        }
    }
}

/// Any bytes are some message; what is JSON reads as it does elsewhere.
pub fn message(data: &[u8]) {
    let decoded = Decoded::new(data.to_vec());
    assert_eq!(
        decoded.invalid_utf8_at.is_none(),
        std::str::from_utf8(data).is_ok()
    );
    match decoded.frame() {
        Frame::Response { id, body } => {
            raw_is_json(id.as_deref());
            match body {
                Body::Result(result) => raw_is_json(Some(&result)),
                Body::Error { data, .. } => raw_is_json(data.as_deref()),
                Body::Broken(why) => assert!(!why.is_empty()),
            }
        }
        Frame::Request { id, .. } => {
            raw_is_json(Some(&id));
            assert_ne!(id.get(), "null");
        }
        Frame::Notification { .. } => {}
        Frame::NotMessage(why) => assert!(!why.reason().is_empty()),
    }
    let text = &decoded.text;
    let reading = json::read(text);
    if reading.flaws.is_empty() && !text.is_empty() {
        // Where nothing had to be repaired the two parsers agree.
        if let Ok(theirs) = serde_json::from_str::<Value>(text) {
            assert_eq!(reading.value, theirs);
        }
    }
    if let Some(members) = json::members(text) {
        for (_, raw) in members {
            raw_is_json(Some(&raw));
        }
    }
    if let Some((few, more)) = json::first_elements(text, 3) {
        let all = json::elements(text).unwrap_or_default();
        assert_eq!(few.len(), all.len().min(3));
        assert_eq!(more, all.len() > 3);
    }
    let _ = message::string(text);
}

/// Any schema is walked, compiled and asked within bounds; every pointer leads
/// somewhere.
pub fn schema_walk(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let schema = json::read(text).value;
    let mut visited = 0_usize;
    walk::properties(&schema, "", &mut |property| {
        visited += 1;
        assert_eq!(
            schema.pointer(property.pointer),
            Some(property.schema),
            "{} leads elsewhere",
            property.pointer
        );
    });
    assert!(visited <= 20_000 * 20_000);
    let _ = walk::resolve(&schema, &schema);
    if let Some(fault) = mcprobe::schema::fault(&schema) {
        assert!(!fault.message.is_empty());
    }
    let Ok(validator) = compile(&schema) else {
        return;
    };
    for asked in ASKED {
        let value = json::read(asked).value;
        let accepts = validator.accepts(&value);
        let mismatch = validator.mismatch(&value);
        if let Some(accepts) = accepts {
            assert!(
                !(accepts && mismatch.is_some()),
                "accepted with a mismatch: {asked}"
            );
        }
    }
}

/// The size of the pieces, and the bytes to cut.
fn cut(data: &[u8]) -> (usize, &[u8]) {
    match data.split_first() {
        Some((first, rest)) => (usize::from(*first).max(1), rest),
        None => (1, data),
    }
}

fn lines<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Line> {
    let mut reader = LineReader::with_limit(LIMIT);
    let mut lines: Vec<Line> = pieces.flat_map(|piece| reader.push(piece)).collect();
    lines.extend(reader.finish());
    lines
}

type Stream = (Vec<Event>, Option<String>, Option<u64>, bool);

fn events<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Stream {
    let mut decoder = EventDecoder::with_limit(LIMIT);
    let events = pieces.flat_map(|piece| decoder.push(piece)).collect();
    (
        events,
        decoder.last_event_id().map(str::to_owned),
        decoder.retry_ms(),
        decoder.is_mid_event(),
    )
}

fn raw_is_json(raw: Option<&RawValue>) {
    if let Some(raw) = raw {
        assert!(
            serde_json::from_str::<&RawValue>(raw.get()).is_ok(),
            "{} is no JSON",
            raw.get()
        );
    }
}
