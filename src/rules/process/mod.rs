//! The server as a process.

pub(super) mod exited;
pub(super) mod not_utf8;
pub(super) mod stdout_noise;
