//! The nouns of the house: what is audited, what was seen, what was found, and
//! the report made of it. Data only; behaviour lives in the rooms after this one.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod answer;
pub mod checked;
pub mod contact;
pub mod evidence;
pub mod finding;
pub mod fuzz;
pub mod inventory;
pub mod probe;
pub mod report;
pub mod rows;
pub mod secret;
pub mod suppression;
pub mod target;
pub mod tool;
pub mod wire;
