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

/// The wait when it does not say.
const RETRY: Duration = Duration::from_secs(1);

/// A reply whose body is still coming.
#[derive(Debug)]
pub(super) enum Body {
    /// One message, or a text that is none; what was read of it.
    Single {
        response: Response,
        read: Vec<u8>,
        done: bool,
    },
    /// An event stream.
    Events(EventStream),
}

/// An event stream that is still coming.
#[derive(Debug)]
pub(super) struct EventStream {
    response: Response,
    decoder: Box<EventDecoder>,
    ready: VecDeque<Event>,
    ended: Option<String>,
}

impl Body {
    pub(super) const fn single(response: Response) -> Self {
        Self::Single {
            response,
            read: Vec::new(),
            done: false,
        }
    }

    pub(super) fn events(response: Response) -> Self {
        Self::Events(EventStream::new(response))
    }

    /// The next message. Lengths count after decompression. May be dropped and called
    /// again.
    pub(super) async fn next(&mut self) -> Incoming {
        match self {
            Self::Single { done: true, .. } => {
                Incoming::Ended("the body held no reply to this request".to_owned())
            }
            Self::Single {
                response,
                read,
                done,
            } => {
                let incoming = whole(response, read).await;
                *done = true;
                incoming
            }
            Self::Events(stream) => stream.next_message().await,
        }
    }

    /// Where to take up an ended stream again, and after what wait.
    pub(super) fn resumption(&self) -> Option<(String, Duration)> {
        let Self::Events(stream) = self else {
            return None;
        };
        Some((stream.decoder.last_event_id()?.to_owned(), stream.retry()))
    }
}

impl EventStream {
    pub(super) fn new(response: Response) -> Self {
        Self {
            response,
            decoder: Box::default(),
            ready: VecDeque::new(),
            ended: None,
        }
    }

    /// The next event, or how the stream ended, in a sentence. May be dropped and
    /// called again.
    pub(super) async fn next(&mut self) -> Result<Event, String> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(event);
            }
            if let Some(why) = &self.ended {
                return Err(why.clone());
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.ready.extend(self.decoder.push(&bytes)),
                Ok(None) => {
                    self.ended = Some(if self.decoder.is_mid_event() {
                        "the event stream broke off in the middle of an event".to_owned()
                    } else {
                        "the event stream ended without a reply".to_owned()
                    });
                }
                Err(error) => {
                    self.ended = Some(format!("the event stream broke off: {}", describe(&error)));
                }
            }
        }
    }

    /// The next message of the stream.
    pub(super) async fn next_message(&mut self) -> Incoming {
        loop {
            match self.next().await {
                Ok(Event::TooLong) => return Incoming::TooLong(Vec::new()),
                // A stream may open with an empty event that only has an id,
                // and other types than `message` carry no messages.
                Ok(Event::Whole { kind, data }) if kind == MESSAGE && !data.is_empty() => {
                    return Incoming::Message(data);
                }
                Ok(Event::Whole { .. }) => {}
                Err(why) => return Incoming::Ended(why),
            }
        }
    }

    fn retry(&self) -> Duration {
        self.decoder
            .retry_ms()
            .map_or(RETRY, Duration::from_millis)
            .min(LONGEST_RETRY)
    }
}

async fn whole(response: &mut Response, body: &mut Vec<u8>) -> Incoming {
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) if body.len() + bytes.len() > MAX_MESSAGE_BYTES => {
                body.truncate(256);
                return Incoming::TooLong(std::mem::take(body));
            }
            Ok(Some(bytes)) => body.extend_from_slice(&bytes),
            Ok(None) => return Incoming::Message(std::mem::take(body)),
            Err(error) => {
                return Incoming::Ended(format!("the body broke off: {}", describe(&error)));
            }
        }
    }
}
