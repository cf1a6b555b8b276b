//! The body of one reply, as the messages in it.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::Response;

use super::dial::describe;
use crate::protocol::MAX_MESSAGE_BYTES;
use crate::protocol::sse::{Event, EventDecoder, MESSAGE};
use crate::transport::Incoming;

/// How long a server may make us wait before a stream is taken up again.
const LONGEST_RETRY: Duration = Duration::from_secs(10);

/// A reply whose body is still coming.
#[derive(Debug)]
pub(super) struct Body {
    response: Response,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    /// One message, or a text that is none.
    Single { done: bool },
    /// An event stream.
    Events {
        decoder: Box<EventDecoder>,
        ready: VecDeque<Event>,
        ended: bool,
    },
}

impl Body {
    pub(super) fn single(response: Response) -> Self {
        Self {
            response,
            shape: Shape::Single { done: false },
        }
    }

    pub(super) fn events(response: Response) -> Self {
        Self {
            response,
            shape: Shape::Events {
                decoder: Box::default(),
                ready: VecDeque::new(),
                ended: false,
            },
        }
    }

    /// The next message. Lengths count after decompression.
    pub(super) async fn next(&mut self) -> Incoming {
        match &mut self.shape {
            Shape::Single { done: true } => {
                Incoming::Ended("the body held no reply to this request".to_owned())
            }
            Shape::Single { done } => {
                *done = true;
                whole(&mut self.response).await
            }
            Shape::Events {
                decoder,
                ready,
                ended,
            } => loop {
                match ready.pop_front() {
                    Some(Event::TooLong) => return Incoming::TooLong(Vec::new()),
                    // A stream may open with an empty event that only has an id,
                    // and other types than `message` carry no messages.
                    Some(Event::Whole { kind, data }) if kind == MESSAGE && !data.is_empty() => {
                        return Incoming::Message(data);
                    }
                    Some(Event::Whole { .. }) => continue,
                    None => {}
                }
                if *ended {
                    return Incoming::Ended(if decoder.is_mid_event() {
                        "the event stream broke off in the middle of an event".to_owned()
                    } else {
                        "the event stream ended without a reply".to_owned()
                    });
                }
                match self.response.chunk().await {
                    Ok(Some(bytes)) => ready.extend(decoder.push(&bytes)),
                    Ok(None) => *ended = true,
                    Err(error) => {
                        *ended = true;
                        if decoder.last_event_id().is_none() {
                            return Incoming::Ended(format!(
                                "the event stream broke off: {}",
                                describe(&error)
                            ));
                        }
                    }
                }
            },
        }
    }

    /// Where to take up an ended stream again, and after what wait.
    pub(super) fn resumption(&self) -> Option<(String, Duration)> {
        let Shape::Events { decoder, .. } = &self.shape else {
            return None;
        };
        let wait = Duration::from_millis(decoder.retry_ms().unwrap_or(1000)).min(LONGEST_RETRY);
        Some((decoder.last_event_id()?.to_owned(), wait))
    }
}

async fn whole(response: &mut Response) -> Incoming {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) if body.len() + bytes.len() > MAX_MESSAGE_BYTES => {
                body.truncate(256);
                return Incoming::TooLong(body);
            }
            Ok(Some(bytes)) => body.extend_from_slice(&bytes),
            Ok(None) => return Incoming::Message(body),
            Err(error) => {
                return Incoming::Ended(format!("the body broke off: {}", describe(&error)));
            }
        }
    }
}
