//! The report as JSON. Each version of the shape is a frozen module.

pub mod v1;
