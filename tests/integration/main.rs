//! One integration binary; its modules mirror `src/`.

mod architecture;
mod ci;
mod cli;
mod client;
mod common;
mod field;
mod fuzz;
mod hostile;
mod judge;
mod kept_inputs;
mod render;
mod rules;
mod samples;
mod suppress;
mod transport;
mod upload;
