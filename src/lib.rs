//! Audits MCP servers over the live protocol.
//!
//! The crate reads as one flow. Words become [`config::Settings`]. The world
//! ([`transport`], [`client`], [`fuzz::run`]) is reached and called, and all that
//! it shows is [`model::evidence::Evidence`]. Judgement ([`rules`], [`score`],
//! [`gate`], together [`judge`]) is pure: the same evidence gives the same
//! [`model::report::Report`]. [`render`] makes text of it. [`audit::audit`] is the
//! spine that runs them in this order.

#[cfg(feature = "world")]
pub mod audit;
pub mod capture;
#[cfg(feature = "world")]
pub mod ci;
#[cfg(feature = "world")]
pub mod cli;
#[cfg(feature = "world")]
pub mod client;
pub mod config;
pub mod demo;
pub mod fuzz;
pub mod gate;
pub mod judge;
pub mod model;
#[cfg(feature = "world")]
pub mod progress;
pub mod protocol;
pub mod render;
#[cfg(feature = "world")]
pub mod replay;
pub mod rules;
pub mod schema;
pub mod score;
#[cfg(feature = "world")]
pub mod transport;
#[cfg(feature = "world")]
pub mod upload;
pub mod wording;
