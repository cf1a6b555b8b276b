//! Movers of messages: a child process over stdio, Streamable HTTP, and HTTP with SSE.
//!
//! A transport carries bytes and says how they stopped; it knows nothing of
//! requests and replies.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

mod group;
pub mod guard;
pub(crate) mod http;
mod order;
pub(crate) mod stdio;

/// Who starts a stdio server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spawner {
    /// This process. When it is killed by SIGKILL, nothing ends the server.
    Direct,
    /// A guard process (see [`guard`]), which ends the server and whatever it
    /// started as soon as this process is gone, however it went.
    Guarded {
        /// The program that runs [`guard::run`] when its only argument is
        /// [`guard::ARGUMENT`]; the `mcprobe` binary does.
        exe: PathBuf,
    },
}

/// What a transport brings next.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Bytes that should be one message.
    Message(Vec<u8>),
    /// A message beyond [`crate::protocol::MAX_MESSAGE_BYTES`]; its first bytes.
    TooLong(Vec<u8>),
    /// The message just sent was turned away; over HTTP with SSE, where its reply
    /// would come by another way. Up to 64 KiB of what was said instead.
    Refused(http::Head, Vec<u8>),
    /// Nothing more comes; why, in a sentence.
    Ended(String),
}

/// Longer than any run: a year.
const FAR: Duration = Duration::from_hours(24 * 365);

/// The moment that lies this far ahead; a year ahead where no clock goes so far. A
/// server may name any span.
pub(crate) fn from_now(span: Duration) -> Instant {
    Instant::now() + span.min(FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_span_is_too_long() {
        let before = Instant::now();
        assert!(from_now(Duration::MAX) >= before + FAR);
        assert!(from_now(Duration::ZERO) < before + FAR);
    }
}
