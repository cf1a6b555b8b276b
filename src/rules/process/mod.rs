//! The server as a process.

pub(super) mod exited;
pub(super) mod first_message_wedges;
pub(super) mod ignores_stop_signal;
pub(super) mod leaves_children;
pub(super) mod not_utf8;
pub(super) mod stdin_eof_exit;
pub(super) mod stdout_noise;
