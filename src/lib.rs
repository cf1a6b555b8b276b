//! Audits MCP servers over the live protocol.

pub mod fuzz;
pub mod model;
pub mod progress;
pub mod protocol;
pub mod rules;
pub mod schema;
pub mod wording;
