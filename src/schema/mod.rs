//! JSON Schema as tools declare it: dialect, faults, compilation, validation, walking.
//!
//! A schema comes from the target and is hostile: everything here is bounded in
//! depth, size and work, and says "not judged" where a bound or the engine ends.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compile;
pub mod dialect;
mod fault;
mod localise;
mod pattern;
mod plain;
pub mod pointer;
pub mod reach;
mod seats;
mod supposition;
pub mod walk;
mod work;

pub use fault::{fault, fault_in};
