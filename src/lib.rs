//! Audits MCP servers over the live protocol.

pub mod client;
pub mod fuzz;
pub mod gate;
pub mod judge;
pub mod model;
pub mod progress;
pub mod protocol;
pub mod render;
pub mod rules;
pub mod schema;
pub mod score;
pub mod transport;
pub mod wording;
