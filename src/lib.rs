//! Audits MCP servers over the live protocol.
//!
//! The crate reads as one flow. Words become [`config::Settings`]. The world
//! ([`transport`], [`client`], [`fuzz::run`]) is reached and called, and all that
//! it shows is [`model::evidence::Evidence`]. Judgement ([`rules`], [`score`],
//! [`gate`], together [`judge`]) is pure: the same evidence gives the same
//! [`model::report::Report`]. [`render`] makes text of it. [`audit::audit`] is the
//! spine that runs them in this order.

pub mod audit;
pub mod capture;
pub mod ci;
pub mod cli;
pub mod client;
pub mod config;
pub mod demo;
pub mod fuzz;
pub mod gate;
pub mod judge;
pub mod model;
pub mod progress;
pub mod protocol;
pub mod render;
pub mod replay;
pub mod rules;
pub mod schema;
pub mod score;
pub mod transport;
pub mod wording;
