//! Builders and fake servers for all integration tests.

pub(crate) mod http;
pub(crate) mod stdio;

use std::time::{Duration, Instant};

use mcprobe::client::{Approach, ConnectSettings};
use mcprobe::model::secret::Redactor;
use mcprobe::model::target::Target;
use mcprobe::transport::Spawner;

/// Settings with limits that no healthy test reaches.
pub(crate) fn settings(target: Target) -> ConnectSettings {
    ConnectSettings {
        target,
        headers: Vec::new(),
        startup_timeout: Duration::from_secs(30),
        call_timeout: Duration::from_secs(30),
        deadline: tokio::time::Instant::now() + Duration::from_mins(2),
        redactor: Redactor::default(),
        spawner: Spawner::Direct,
        approach: Approach::default(),
    }
}

/// Waits until something is so, and fails after a minute.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
