//! Reaching a server and speaking to it.

mod http;
mod stdio;
