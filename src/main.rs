//! The `mcprobe` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcprobe::cli::run()
}
