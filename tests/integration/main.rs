//! One integration binary; its modules mirror `src/`.

mod architecture;
mod fuzz;
mod judge;
mod render;
mod rules;
mod samples;
