//! Reaching a server and speaking to it.

mod bounds;
mod eras;
mod http;
mod limits;
mod raw;
mod stdio;
mod strays;
mod ways;
