//! Processes that end when they should.

mod guard;
mod stdio;
