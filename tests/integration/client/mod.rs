//! Reaching a server and speaking to it.

mod bounds;
mod envelope;
mod eras;
mod http;
mod limits;
mod probe;
mod raw;
mod stdio;
mod strays;
mod ways;
