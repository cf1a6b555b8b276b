//! A signal at any time ends a run within seconds, and says so.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::mcprobe;
use crate::common::stdio::{Scripted, scripted_server, until_gone};
use crate::common::until;

/// An audit of a scripted server, and the server's process once it runs.
fn audit(server: &Scripted, more: &[&str]) -> (Child, i32) {
    let child = mcprobe()
        .args(["audit", "--quiet"])
        .args(more)
        .arg("--")
        .arg(scripted_server())
        .arg(server.file("script.json"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("mcprobe runs");
    let pid = until("the server runs", || server.pids().first().copied());
    (child, pid)
}

fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a pid"));
    kill(pid, signal).expect("a living process");
}

#[test]
fn a_signal_while_the_server_is_being_ended_is_heard() {
    for (name, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        // It outlives the end of its input and SIGTERM: closing takes seven seconds.
        let server = Scripted::new(json!({"ignoreEof": true, "ignoreTerm": true}));
        let (mut child, pid) = audit(&server, &[]);
        until("the tools are listed", || {
            let log = server.log();
            log.iter()
                .any(|line| line.contains("tools/list"))
                .then_some(())
        });
        // The reply is read and nothing else is left to do but to wait.
        std::thread::sleep(Duration::from_millis(500));
        let asked = Instant::now();
        signal(&child, name);
        let status = child.wait().expect("an end");
        assert_eq!(status.code(), Some(code), "{name}");
        assert!(
            asked.elapsed() < Duration::from_secs(4),
            "{:?}",
            asked.elapsed()
        );
        until_gone(pid);
    }
}

#[test]
fn without_a_signal_the_server_gets_its_time() {
    let server = Scripted::new(json!({"ignoreEof": true}));
    let began = Instant::now();
    let (mut child, pid) = audit(&server, &[]);
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert!(began.elapsed() >= Duration::from_secs(5));
    until_gone(pid);
}
