//! The guard ends the server however its parent goes.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::common::stdio::{Scripted, is_alive, program, scripted_server, until_gone};

#[test]
fn a_killed_parent_leaves_no_process() {
    let server = Scripted::new(json!({"ignoreTerm": true, "ignoreEof": true,
        "start": [{"linger": "@linger"}]}));
    let mut parent = Command::new(scripted_server())
        .arg("--audit")
        .args([program(), server.file("script.json")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("a parent");
    let mut ready = String::new();
    BufReader::new(parent.stdout.take().expect("a pipe"))
        .read_line(&mut ready)
        .expect("a line");
    assert_eq!(ready, "ready\n");
    let leader = server.pids()[0];
    let stray = server.pid_in("linger");
    let guard = parent_of(leader);
    assert!(is_alive(leader) && is_alive(stray) && is_alive(guard));

    // Signals of the terminal do not reach the guard's work.
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        kill(Pid::from_raw(guard), signal).expect("a guard");
    }
    assert!(is_alive(leader));

    parent.kill().expect("SIGKILL");
    parent.wait().expect("an end");
    for pid in [leader, stray, guard] {
        until_gone(pid);
    }
}

#[tokio::test]
async fn a_killed_guard_leaves_no_server() {
    let server = Scripted::new(json!({"ignoreTerm": true, "ignoreEof": true}));
    let connection = server.connect_guarded().await;
    let leader = server.pids()[0];
    kill(Pid::from_raw(parent_of(leader)), Signal::SIGKILL).expect("a guard");
    connection.close().await;
    until_gone(leader);
}

#[tokio::test]
async fn a_guarded_server_hears_every_signal() {
    let server = Scripted::new(json!({}));
    let connection = server.connect_guarded().await;
    let status = format!("/proc/{}/status", server.pids()[0]);
    let status = std::fs::read_to_string(status).expect("a process");
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
    assert_eq!(blocked.map(str::trim), Some("0000000000000000"));
    connection.close().await;
}

#[test]
fn without_a_socket_it_is_no_guard() {
    let status = Command::new(program())
        .arg("__guard")
        .stdin(Stdio::null())
        .status()
        .expect("a program");
    assert_eq!(status.code(), Some(2));
}

fn parent_of(pid: i32) -> i32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let rest = stat.rsplit_once(')').expect("a name").1;
    rest.split_whitespace()
        .nth(1)
        .and_then(|parent| parent.parse().ok())
        .expect("a parent")
}
