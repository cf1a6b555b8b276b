//! What an answer to an upload means. Pure, so that every case is a test.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::time::Duration;

use serde_json::{Map, Value};
use url::Url;

use super::Receipt;
use crate::render::escape;
use crate::wording::cut;

/// The longest wait that an answer may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How much of a refusal is repeated.
const SHOWN: usize = 200;

/// An answer, as far as it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The status.
    pub(super) status: u16,
    /// The media type, in lower case and without parameters.
    pub(super) media: String,
    /// `Location`, as it was sent.
    pub(super) location: Option<String>,
    /// The wait that `Retry-After` asks for.
    pub(super) retry_after: Option<Duration>,
    /// The start of the body.
    pub(super) body: Vec<u8>,
}

/// What to do after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The report was taken.
    Taken(Receipt),
    /// It was not, and will not be.
    Refused(String),
    /// It may be taken later; the wait that was asked for, if any.
    Again(String, Option<Duration>),
    /// It is to be sent to this address of the same origin.
    Moved(Url),
}

/// What an answer of `from` means.
pub(super) fn step(from: &Url, answer: &Answer, size: usize) -> Step {
    let status = answer.status;
    match status {
        200..=299 => taken(answer),
        // Only these two keep the method and the body (RFC 9110, 15.4).
        307 | 308 => moved(from, answer),
        300..=399 => Step::Refused(format!(
            "the dashboard answered with a redirect (HTTP {status}), which an upload cannot follow; give its address as it is"
        )),
        401 | 403 => Step::Refused(format!(
            "the dashboard refused the token (HTTP {status}){}",
            said(answer)
        )),
        404 | 405 => Step::Refused(format!(
            "nothing takes reports at this address (HTTP {status})"
        )),
        413 => Step::Refused(format!(
            "the report is too large for the dashboard (HTTP 413; {size} bytes were sent)"
        )),
        408 | 425 | 429 | 500..=599 => Step::Again(
            format!("the dashboard answered with HTTP {status}{}", said(answer)),
            answer.retry_after.map(|wait| wait.min(LONGEST_WAIT)),
        ),
        _ => Step::Refused(format!(
            "the dashboard refused the report (HTTP {status}){}",
            said(answer)
        )),
    }
}

/// The wait before attempt `next` (2 is the first further one) where none was asked for.
pub(super) fn wait(first: Duration, next: u32) -> Duration {
    let doublings = next.saturating_sub(2).min(16);
    first.saturating_mul(1 << doublings).min(LONGEST_WAIT)
}

fn taken(answer: &Answer) -> Step {
    if answer.body.iter().all(u8::is_ascii_whitespace) {
        return Step::Taken(Receipt { page: None });
    }
    // A page for people says that nobody stored a report here.
    match serde_json::from_slice::<Map<String, Value>>(&answer.body) {
        Ok(reply) => Step::Taken(Receipt {
            page: reply.get("url").and_then(Value::as_str).and_then(page),
        }),
        Err(_) => Step::Refused(format!(
            "HTTP {} came with {}, not with a JSON object; is this the address that takes reports?",
            answer.status,
            match answer.media.as_str() {
                "text/html" => "a web page".to_owned(),
                "" => "a body of no media type".to_owned(),
                "application/json" => "other JSON".to_owned(),
                media => escape::terminal(&cut(media, 60)),
            }
        )),
    }
}

/// An address that a person can follow, and no other scheme.
fn page(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn moved(from: &Url, answer: &Answer) -> Step {
    let to = answer
        .location
        .as_deref()
        .and_then(|location| from.join(location).ok());
    match to {
        Some(to) if to.origin() == from.origin() => Step::Moved(to),
        Some(to) => Step::Refused(format!(
            "the dashboard redirects to another origin ({}); the token was not sent there",
            escape::terminal(&cut(&to.origin().ascii_serialization(), 100))
        )),
        None => Step::Refused(format!(
            "the dashboard answered with HTTP {} and no address to go to",
            answer.status
        )),
    }
}

/// What a refusal says, on one line; a page for people says nothing.
fn said(answer: &Answer) -> String {
    if answer.media == "text/html" {
        return String::new();
    }
    let text = String::from_utf8_lossy(&answer.body);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        return String::new();
    }
    format!(": {}", escape::terminal(&cut(&words.join(" "), SHOWN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, media: &str, body: &str) -> Answer {
        Answer {
            status,
            media: media.to_owned(),
            body: body.as_bytes().to_vec(),
            ..Answer::default()
        }
    }

    fn told(answer: &Answer) -> String {
        let from = Url::parse("https://dash.example.com/api/ingest").expect("an address");
        match step(&from, answer, 1234) {
            Step::Taken(receipt) => format!(
                "taken {}",
                receipt
                    .page
                    .map_or_else(|| "-".to_owned(), |page| page.to_string())
            ),
            Step::Refused(why) => format!("refused: {why}"),
            Step::Again(why, wait) => format!("again {wait:?}: {why}"),
            Step::Moved(to) => format!("moved {to}"),
        }
    }

    #[test]
    fn answers_mean_what_their_status_and_their_body_say() {
        let json = "application/json";
        let answers = [
            answer(201, json, r#"{"url": "https://dash.example.com/r/1"}"#),
            answer(200, json, r#"{"id": 1}"#),
            answer(200, json, r#"{"url": "javascript:alert(1)"}"#),
            answer(200, json, r#"{"url": 7}"#),
            answer(204, "", ""),
            answer(200, "text/html", "<h1>Welcome</h1>"),
            answer(200, json, "[1]"),
            answer(401, json, r#"{"error": "no such token"}"#),
            answer(413, "text/html", "<h1>413</h1>"),
            answer(404, "text/html", "<h1>404</h1>"),
            answer(422, "text/plain", "report.schemaVersion\n is 1\u{1b}[2J"),
            answer(500, "", ""),
            Answer {
                retry_after: Some(Duration::from_hours(1)),
                ..answer(429, "", "")
            },
            answer(302, "", ""),
            answer(307, "", ""),
        ];
        let lines: Vec<String> = answers.iter().map(told).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn only_the_same_origin_is_gone_to() {
        let to = |location: &str| {
            told(&Answer {
                location: Some(location.to_owned()),
                ..answer(308, "", "")
            })
        };
        assert_eq!(to("/v2"), "moved https://dash.example.com/v2");
        for elsewhere in [
            "https://evil.example.com/",
            "http://dash.example.com/",
            "//dash.example.com:8443/",
            "https://dash.example.com.evil.example/",
        ] {
            assert!(to(elsewhere).contains("was not sent there"), "{elsewhere}");
        }
    }

    #[test]
    fn waits_double_and_end() {
        let waits: Vec<u64> = (2..9)
            .map(|next| wait(Duration::from_secs(1), next).as_secs())
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(wait(Duration::MAX, u32::MAX), LONGEST_WAIT);
    }
}
