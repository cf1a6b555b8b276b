//! All that a run says while it runs.

use crate::model::fuzz::Outcome;

/// Something that happened in a run.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The target is being started or dialled.
    Connecting {
        /// The redacted target.
        target: &'a str,
    },
    /// The handshake is done.
    Connected {
        /// The server's name, as it says.
        server: &'a str,
    },
    /// The lists were read.
    Gathered {
        /// Tools listed.
        tools: usize,
    },
    /// The probe script begins.
    Probing,
    /// Calls begin.
    FuzzStarted {
        /// Calls planned.
        calls: usize,
        /// Tools that will be called.
        tools: usize,
    },
    /// One call is over.
    Called {
        /// The tool's label.
        tool: &'a str,
        /// The case's label.
        case: &'a str,
        /// How it was taken.
        outcome: Outcome,
    },
    /// The server ended and is started again.
    Restarting,
    /// The server at an address does not answer; it is given a moment to be back.
    Awaiting,
    /// Everything was seen.
    Finished,
}

/// Whoever listens to a run.
pub trait Observer: Send + Sync {
    /// Called for each event, in order, from the task that runs the audit.
    fn on(&self, event: Event<'_>);
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&self, _event: Event<'_>) {}
}
