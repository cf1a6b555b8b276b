//! The `mcprobe` program.

fn main() {}
