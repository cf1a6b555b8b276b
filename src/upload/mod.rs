//! Sends a report to a dashboard: what goes out ([`payload`]), how often it is
//! tried ([`retry`]), and the one POST ([`send`]). `docs/ingest.md` is the wire
//! format in words.

pub mod payload;
mod retry;
mod send;
pub mod words;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use url::Url;

use crate::model::secret::Secret;

pub use send::push;

/// Where reports go when nobody says.
pub const DEFAULT_ADDRESS: &str = "https://mcprobe.org/api/ingest";

/// Where a report goes.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The address that takes it; `http` or `https`.
    pub url: Url,
    /// The bearer token. It goes to the origin of `url` and nowhere else.
    pub token: Secret,
}

/// How long an upload may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Attempts, the first one included; at least one is made.
    pub attempts: u32,
    /// From the start of an attempt to the end of its answer.
    pub attempt: Duration,
    /// All attempts and the waits between them.
    pub whole: Duration,
    /// The wait before the second attempt, where the answer names none; it
    /// doubles with each further one.
    pub first_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: 4,
            attempt: Duration::from_secs(20),
            whole: Duration::from_mins(1),
            first_wait: Duration::from_secs(1),
        }
    }
}

/// A report that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The page of the run, where the answer names one.
    pub page: Option<Url>,
}

/// Why a report was not taken, in one sentence without the token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PushError {
    /// The sentence: what happened, and what to do.
    pub message: String,
}

/// A key for [`push`] that no other run has.
pub fn fresh_key() -> String {
    // The standard library's hash keys are random; two of them are 128 bits.
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}
