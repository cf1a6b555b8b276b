//! The POST, and its attempts.

use std::time::SystemTime;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use tokio::time::{Instant, timeout_at};

use super::retry::{self, Answer, Step};
use super::{Destination, Patience, PushError, Receipt};
use crate::transport::http::{outgoing, retry_after};

/// How much of an answer is read.
const MAX_BODY: usize = 64 * 1024;

/// Redirects within one upload.
const MAX_MOVES: u32 = 5;

/// Sends a body until it is taken or refused, or the patience ends. Each attempt
/// carries the same `key` as `Idempotency-Key`, so that a dashboard that took the
/// report and failed to say so stores it once.
///
/// # Errors
///
/// The last attempt's trouble as one sentence; it never holds the token or the body.
pub async fn push(
    body: &str,
    key: &str,
    to: &Destination,
    patience: Patience,
) -> Result<Receipt, PushError> {
    let fail = |message: String| PushError { message };
    let client = outgoing(&to.url).map_err(fail)?;
    let headers = headers(key, to)?;
    let end = Instant::now() + patience.whole;
    let mut url = to.url.clone();
    let (mut attempt, mut moves) = (1, 0);
    loop {
        let by = end.min(Instant::now() + patience.attempt);
        let request = client
            .post(url.clone())
            .headers(headers.clone())
            .body(body.to_owned());
        let step = match timeout_at(by, answer(request)).await {
            Ok(Ok(answer)) => retry::step(&url, &answer, body.len()),
            Ok(Err(why)) => Step::Again(format!("the dashboard cannot be reached: {why}"), None),
            Err(_) => Step::Again("the dashboard did not answer in time".to_owned(), None),
        };
        match step {
            Step::Taken(receipt) => return Ok(receipt),
            Step::Refused(why) => return Err(fail(why)),
            Step::Moved(_) if moves == MAX_MOVES => {
                return Err(fail(format!(
                    "the dashboard redirected {MAX_MOVES} times; give its address as it is"
                )));
            }
            Step::Moved(to) => {
                moves += 1;
                url = to;
            }
            Step::Again(why, asked) => {
                attempt += 1;
                let wait = asked.unwrap_or_else(|| retry::wait(patience.first_wait, attempt));
                if attempt > patience.attempts || Instant::now() + wait >= end {
                    let times = attempt - 1;
                    return Err(fail(match times {
                        1 => why,
                        _ => format!("{why}, {times} times"),
                    }));
                }
                tokio::time::sleep(wait).await;
            }
        }
    }
}

fn headers(key: &str, to: &Destination) -> Result<HeaderMap, PushError> {
    let bad = |what: &str| PushError {
        message: format!(
            "{what} cannot be sent as a header: it has characters that no header takes"
        ),
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let mut token = HeaderValue::from_str(&format!("Bearer {}", to.token.expose()))
        .map_err(|_| bad("the token"))?;
    token.set_sensitive(true);
    headers.insert(AUTHORIZATION, token);
    // A string of Structured Fields, as draft-ietf-httpapi-idempotency-key-header says.
    let key = HeaderValue::from_str(&format!("\"{key}\"")).map_err(|_| bad("the key"))?;
    headers.insert("idempotency-key", key);
    Ok(headers)
}

async fn answer(request: reqwest::RequestBuilder) -> Result<Answer, String> {
    let describe = |error: reqwest::Error| crate::transport::http::describe(&error);
    let mut response = request.send().await.map_err(describe)?;
    let text = |name| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(|value| value.trim().to_owned())
    };
    let mut answer = Answer {
        status: response.status().as_u16(),
        media: text(CONTENT_TYPE)
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase(),
        location: text(LOCATION),
        retry_after: text(RETRY_AFTER).and_then(|value| retry_after(&value, SystemTime::now())),
        body: Vec::new(),
    };
    while answer.body.len() < MAX_BODY {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = MAX_BODY - answer.body.len();
                answer
                    .body
                    .extend_from_slice(&chunk[..chunk.len().min(room)]);
            }
            Ok(None) => break,
            Err(error) => return Err(describe(error)),
        }
    }
    Ok(answer)
}
