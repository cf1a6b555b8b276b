//! Progress on standard error: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use super::console;
use crate::progress::{Event, Observer, Silent};
use crate::render::escape;
use crate::wording::count;

/// Whoever shows progress in this run.
pub fn observer(quiet: bool) -> Box<dyn Observer> {
    if quiet {
        Box::new(Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar::default())
    } else {
        Box::new(Lines::default())
    }
}

/// A spinner, then a bar.
#[derive(Default)]
struct Bar {
    shown: Mutex<Option<ProgressBar>>,
}

impl Observer for Bar {
    fn on(&self, event: Event<'_>) {
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        let bar = shown.get_or_insert_with(ProgressBar::new_spinner);
        match event {
            Event::Connecting { target } => {
                bar.enable_steady_tick(std::time::Duration::from_millis(120));
                bar.set_message(format!("connecting to {}", escape::terminal(target)));
            }
            Event::Connected { server } => {
                bar.set_message(format!("reading {}", escape::terminal(server)));
            }
            Event::Gathered { tools } => bar.set_message(count(tools, "tool")),
            Event::Probing => bar.set_message("probing"),
            Event::FuzzStarted { calls, .. } => {
                bar.set_length(calls as u64);
                if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
                    bar.set_style(style);
                }
            }
            Event::Called { tool, case, .. } => {
                bar.inc(1);
                bar.set_message(format!(
                    "{} {}",
                    escape::terminal(tool),
                    escape::terminal(case)
                ));
            }
            Event::Restarting => bar.set_message("starting the server again"),
            Event::Awaiting => bar.set_message("waiting for the server to be back"),
            Event::Finished => bar.finish_and_clear(),
        }
    }
}

/// A line for each step; calls are told in tenths.
#[derive(Default)]
struct Lines {
    calls: Mutex<(usize, usize)>,
}

impl Observer for Lines {
    fn on(&self, event: Event<'_>) {
        let line = match event {
            Event::Connecting { target } => {
                format!("mcprobe: connecting to {}", escape::terminal(target))
            }
            Event::Connected { server } => {
                format!("mcprobe: connected to {}", escape::terminal(server))
            }
            Event::Gathered { tools } => format!("mcprobe: {} listed", count(tools, "tool")),
            Event::Probing => "mcprobe: probing the protocol".to_owned(),
            Event::FuzzStarted { calls, tools } => {
                if let Ok(mut counts) = self.calls.lock() {
                    *counts = (0, calls);
                }
                format!(
                    "mcprobe: {} to {}",
                    count(calls, "call"),
                    count(tools, "tool")
                )
            }
            Event::Called { .. } => {
                let Ok(mut counts) = self.calls.lock() else {
                    return;
                };
                let (done, all) = (counts.0 + 1, counts.1.max(1));
                counts.0 = done;
                // A step is told when another tenth of a long plan is done.
                if all < 50 || done * 10 / all == (done - 1) * 10 / all {
                    return;
                }
                format!("mcprobe: {done} of {all} calls")
            }
            Event::Restarting => "mcprobe: the server ended; starting it again".to_owned(),
            Event::Awaiting => {
                "mcprobe: the server does not answer; waiting for it to be back".to_owned()
            }
            Event::Finished => return,
        };
        console::print_error(&format!("{line}\n"));
    }
}
