//! Reaching a server and speaking to it.

mod http;
mod limits;
mod stdio;
mod strays;
