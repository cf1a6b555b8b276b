//! One file a subcommand.

pub mod audit;
pub mod check;
pub mod ci;
pub mod completions;
pub mod demo;
pub mod explain;
mod output;
pub mod push;
pub mod replay;
pub mod rules;
