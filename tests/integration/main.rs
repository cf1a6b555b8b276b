//! One integration binary; its modules mirror `src/`.

mod architecture;
mod fuzz;
mod rules;
