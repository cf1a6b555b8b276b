//! Peers that mean harm, or are broken beyond repair: each is survived in bounded
//! time and memory, ends in the right probe state, and leaves no process behind.

mod over_http;
mod over_stdio;

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::mcprobe;

/// The most memory that an audit may take, in KiB.
const MAX_MEMORY: u64 = 64 * 1024;

/// What an audit of a hostile peer came to.
struct Survived {
    report: Value,
    took: Duration,
    /// The highest resident set that was seen, in KiB.
    memory: u64,
    limits: Limits,
}

/// How long things may take in an audit.
#[derive(Debug, Clone, Copy)]
enum Limits {
    /// Small ones, for peers that hang: what is tested is that they hold.
    Small,
    /// Ample ones, for peers that answer, however busy the machine is.
    Ample,
}

impl Limits {
    const fn words(self) -> [&'static str; 6] {
        let [call, startup, run] = match self {
            Self::Small => ["1", "8", "20"],
            Self::Ample => ["30", "30", "60"],
        };
        [
            "--call-timeout",
            call,
            "--startup-timeout",
            startup,
            "--timeout",
            run,
        ]
    }

    /// The longest that a run may take: its own limit, and the ends of processes.
    const fn longest(self) -> Duration {
        match self {
            Self::Small => Duration::from_secs(35),
            Self::Ample => Duration::from_secs(75),
        }
    }
}

/// An audit that is watched while it runs.
fn audit(target: &[&str], limits: Limits) -> Survived {
    let began = Instant::now();
    let mut child = mcprobe()
        .args(["audit", "--json", "--quiet"])
        .args(limits.words())
        .args(target)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mcprobe starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let reading = std::thread::spawn(move || {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut stdout, &mut text).expect("output");
        text
    });
    let memory = watch(&mut child);
    let took = began.elapsed();
    let text = reading.join().expect("no panic");
    let report = serde_json::from_slice(&text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)));
    Survived {
        report,
        took,
        memory,
        limits,
    }
}

/// Waits for the end of a process; its highest resident set until then. The kernel
/// keeps that mark as long as the process lives, so only the last moment is missed.
fn watch(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut highest = 0;
    loop {
        highest = highest.max(high_water(Path::new(&status)));
        if child.try_wait().expect("a child").is_some() {
            return highest;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// `VmHWM` in KiB; 0 once the process has ended.
fn high_water(status: &Path) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

impl Survived {
    fn assert(&self, name: &str, state: &str) {
        let found = self.report["probeState"].as_str();
        assert_eq!(found, Some(state), "{name}: {:#}", self.report["failure"]);
        assert!(
            self.took < self.limits.longest(),
            "{name} took {:?}",
            self.took
        );
        if cfg!(target_os = "linux") {
            assert!(self.memory > 0, "{name}: memory was not measured");
            assert!(self.memory < MAX_MEMORY, "{name} took {} KiB", self.memory);
        }
    }
}
