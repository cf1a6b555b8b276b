//! Wire formats without sockets: JSON as servers really send it, JSON-RPC
//! messages, stdio lines, event streams, protocol revisions.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod envelope;
pub mod json;
pub mod jsonrpc;
pub mod lines;
pub mod message;
pub mod modern;
pub mod param_headers;
pub mod revision;
pub mod sse;

/// The longest message that is read, in bytes: a line, an event or a body.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;
