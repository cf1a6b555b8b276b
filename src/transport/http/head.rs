//! The head of a reply, as far as the protocol knows it.

use std::time::{Duration, SystemTime};

use reqwest::header::{
    CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE,
};
use reqwest::{Response, StatusCode};

use super::SESSION;

/// How many challenges of a reply are kept.
const MAX_CHALLENGES: usize = 8;

/// How much of a charset or an encoding is kept, in characters.
const NAME: usize = 40;

/// The head of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The media type in lower case, without parameters; empty when absent.
    pub(crate) media: String,
    /// The charset that stands beside it, in lower case; absent for UTF-8 and ASCII.
    pub(crate) charset: Option<String>,
    /// How the body is encoded, in lower case, where that was not asked for: it
    /// cannot be read then.
    pub(crate) encoding: Option<String>,
    /// Whether it names a session.
    pub(crate) has_session: bool,
    pub(crate) retry_after: Option<Duration>,
    /// The values of `WWW-Authenticate`, eight at most.
    pub(crate) challenges: Vec<String>,
}

impl Head {
    pub(crate) const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// Whether an event stream follows that can be read.
    pub(crate) fn is_stream(&self) -> bool {
        self.is_success() && self.media == "text/event-stream" && self.encoding.is_none()
    }

    /// Whether whoever speaks HTTP there turned the message away: what is behind
    /// it was not asked.
    pub(crate) const fn is_refusal(&self) -> bool {
        matches!(self.status, 300..=399 | 401 | 403 | 407 | 429 | 451 | 503)
    }

    /// The head in words, to stand after "answered with".
    pub(crate) fn describe(&self) -> String {
        let reason = StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or_default();
        let media = match self.media.as_str() {
            "" => "no content type",
            media => media,
        };
        let encoding = match &self.encoding {
            Some(encoding) => format!(", encoded as {encoding}, which was not asked for"),
            None => String::new(),
        };
        format!("HTTP {} {reason} ({media}{encoding})", self.status).replace("  ", " ")
    }
}

/// The head of this reply.
pub(super) fn head(response: &Response) -> Head {
    let headers = response.headers();
    let content_type = text(headers, &CONTENT_TYPE);
    Head {
        status: response.status().as_u16(),
        media: content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase(),
        charset: charset(content_type),
        // What was asked for is decoded by now, and its header is gone.
        encoding: encoding(text(headers, &CONTENT_ENCODING)),
        has_session: headers.contains_key(SESSION),
        retry_after: retry_after(text(headers, &RETRY_AFTER).trim(), SystemTime::now()),
        challenges: headers
            .get_all(WWW_AUTHENTICATE)
            .iter()
            .take(MAX_CHALLENGES)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect(),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
pub(crate) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// The charset of a content type, where it is another than UTF-8 or ASCII.
fn charset(content_type: &str) -> Option<String> {
    let named = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| name_of(value.trim().trim_matches('"')))
    })?;
    let is_read = matches!(named.as_str(), "" | "utf-8" | "utf8" | "us-ascii" | "ascii");
    (!is_read).then_some(named)
}

/// A content encoding that changes the body.
fn encoding(value: &str) -> Option<String> {
    let named = name_of(value);
    (!matches!(named.as_str(), "" | "identity")).then_some(named)
}

fn name_of(value: &str) -> String {
    value
        .trim()
        .chars()
        .take(NAME)
        .collect::<String>()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_charset_is_told() {
        for (content_type, expected) in [
            ("application/json", None),
            ("application/json; charset=utf-8", None),
            ("Application/JSON; Charset=\"UTF-8\"; x=y", None),
            ("text/event-stream;charset=us-ascii", None),
            ("application/json; charset=", None),
            (
                "application/json; x=1; charset=ISO-8859-1",
                Some("iso-8859-1"),
            ),
            ("application/json; charset='utf-8'", Some("'utf-8'")),
        ] {
            assert_eq!(charset(content_type).as_deref(), expected, "{content_type}");
        }
    }

    #[test]
    fn only_an_encoding_that_changes_the_body_is_told() {
        for (value, expected) in [
            ("", None),
            ("Identity", None),
            ("BR", Some("br")),
            ("gzip, br", Some("gzip, br")),
        ] {
            assert_eq!(encoding(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn waits_are_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Tue, 01 Dec 2026 10:00:00 GMT").expect("a date");
        let cases = [
            ("7", Some(7)),
            ("0", Some(0)),
            ("Tue, 01 Dec 2026 10:00:09 GMT", Some(9)),
            ("Tue, 01 Dec 2026 09:00:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
        ];
        for (value, seconds) in cases {
            assert_eq!(
                retry_after(value, now),
                seconds.map(Duration::from_secs),
                "{value}"
            );
        }
    }
}
