//! The server as a process.

pub(super) mod exited;
pub(super) mod stdout_noise;
