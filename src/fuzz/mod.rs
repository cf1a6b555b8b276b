//! Calling tools: which ones, with what, and how each call was taken.
//!
//! `generate` makes arguments that fit a schema, `cases` bends them one way at a
//! time, `plan` decides which tools may be called at all, `classify` reads the
//! reply, `answer` what a success says, `helpful` what a refusal says, `denial` whether
//! it says that the tool is not there, `latency` how long both took, `listed` what was
//! there before. These are pure; `run` makes the calls.

pub mod answer;
pub mod cases;
pub mod classify;
pub mod denial;
mod flatten;
pub mod generate;
pub mod helpful;
pub mod latency;
pub mod listed;
pub mod plan;
#[cfg(feature = "world")]
pub mod run;
pub(crate) mod tidy;
