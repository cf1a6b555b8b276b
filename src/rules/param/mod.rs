//! Parameters, at any depth.

pub(super) mod missing_description;
pub(super) mod untyped;
