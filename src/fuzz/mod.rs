//! Calling tools: which ones, with what, and how each call was taken.
//!
//! `generate` makes arguments that fit a schema, `cases` bends them one way at a
//! time, `plan` decides which tools may be called at all, and `classify` reads
//! the reply. These four are pure; `run` makes the calls.

pub mod cases;
pub mod classify;
mod flatten;
pub mod generate;
pub mod plan;
pub mod run;
mod tidy;
