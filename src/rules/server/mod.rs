//! The server as a whole.

pub(super) mod no_tools;
