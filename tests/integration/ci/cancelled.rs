//! Signals: the server ends, what there is is written, and the code says so.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::{Step, scripted};
use crate::common::stdio::until_gone;
use crate::common::until;

fn signal(child: &std::process::Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
    kill(pid, signal).expect("the step runs");
}

#[test]
fn a_cancelled_audit_ends_the_server_and_writes_what_there_is() {
    for (number, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let step = Step::new(&[("min-score", "1")]);
        let (starts, log) = (step.outside("starts"), step.outside("log"));
        let script = json!({
            "starts": starts, "log": log, "ignoreTerm": true, "ignoreEof": true,
            "on": {"tools/list": [{"hang": null}]},
        });
        let command = scripted(&step.outside(""), &script);
        let step = step.input("command", &command);
        let child = step.start();
        until("the tools are asked for", || {
            let log = std::fs::read_to_string(&log).unwrap_or_default();
            log.contains("tools/list").then_some(())
        });
        let sent = Instant::now();
        signal(&child, number);
        let done = step.finish(child);
        assert!(
            sent.elapsed() < Duration::from_secs(5),
            "{:?}",
            sent.elapsed()
        );
        let code_text = code.to_string();
        assert_eq!(
            done.answer(),
            ("cancelled", "false", code_text.as_str(), code),
            "{done:#?}"
        );
        assert_eq!(
            step.report("mcprobe-report.json")["verdict"]["result"],
            "cancelled"
        );
        assert!(done.summary.contains("cancelled"), "{}", done.summary);
        let server = std::fs::read_to_string(&starts).expect("it started");
        until_gone(server.trim().parse().expect("a process id"));
    }
}

#[test]
fn setup_and_waiting_for_a_server_can_be_cancelled() {
    let hang = "echo $$ > pid; exec tail -f /dev/null";
    let in_setup = Step::new(&[("setup", hang), ("command", "true")]);
    let in_start = Step::new(&[
        ("command", &format!("sh -c '{hang}'")),
        ("url", "http://127.0.0.1:9/mcp"),
    ]);
    for step in [in_setup, in_start] {
        let child = step.start();
        let pid: i32 = until("it runs", || {
            std::fs::read_to_string(step.place("pid"))
                .ok()?
                .trim()
                .parse()
                .ok()
        });
        signal(&child, Signal::SIGTERM);
        let done = step.finish(child);
        assert_eq!(
            done.answer(),
            ("cancelled", "false", "143", 143),
            "{done:#?}"
        );
        until_gone(pid);
    }
}
