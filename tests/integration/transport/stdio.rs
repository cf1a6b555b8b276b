//! Starting and ending a child process.

use std::time::{Duration, Instant};

use mcprobe::client::connect;
use mcprobe::model::evidence::ProbeState;
use mcprobe::model::target::{ServerCommand, Target};
use mcprobe::model::wire::EndedBy;
use mcprobe::transport::Spawner;
use serde_json::json;

use crate::common::settings;
use crate::common::stdio::{Scripted, is_alive, program, until_gone};

#[tokio::test]
async fn what_cannot_be_started_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str, mode: u32| {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    file("plain", "hello", 0o644);
    file("text", "hello", 0o755);
    file("orphan", "#!/no/such/interpreter\n", 0o755);
    for spawner in [Spawner::Direct, Spawner::Guarded { exe: program() }] {
        let mut messages = Vec::new();
        for name in [
            "no-such-program",
            "./absent",
            "./plain",
            "./text",
            "./orphan",
        ] {
            let mut settings = settings(Target::Command(ServerCommand {
                argv: vec![name.to_owned()],
                cwd: Some(folder.path().to_owned()),
                ..ServerCommand::default()
            }));
            settings.spawner = spawner.clone();
            let refusal = connect(settings).await.map(|_| ()).expect_err("no server");
            assert_eq!(refusal.state, ProbeState::SpawnError);
            messages.push(
                refusal
                    .failure
                    .message
                    .replace(folder.path().to_str().expect("UTF-8"), "FOLDER"),
            );
        }
        insta::allow_duplicates! {
            insta::assert_snapshot!(messages.join("\n"), @r#"
            command `no-such-program` was not found in PATH; check its spelling, or give its full path
            there is no file `FOLDER/absent`; a relative path is taken from the folder the server starts in
            `FOLDER/plain` is not executable; set its execute permission, or name the interpreter before it
            `FOLDER/text` is no program for this machine: it has no `#!` line and is no executable of this system
            `FOLDER/orphan` is there but the interpreter or loader that it names is not
            "#);
        }
    }
}

#[tokio::test]
async fn a_guard_that_is_none_is_said_so() {
    let server = Scripted::new(json!({}));
    for exe in ["/no/such/guard", "/bin/true"] {
        let mut settings = server.settings();
        settings.spawner = Spawner::Guarded { exe: exe.into() };
        let refusal = connect(settings).await.map(|_| ()).expect_err("no guard");
        assert_eq!(refusal.state, ProbeState::SpawnError);
        assert!(
            refusal
                .failure
                .message
                .starts_with("the guard process could not be used: "),
            "{}",
            refusal.failure.message
        );
    }
}

#[tokio::test]
async fn a_polite_server_ends_at_the_end_of_input() {
    let server = Scripted::new(json!({}));
    let began = Instant::now();
    let wire = server.connect().await.close().await;
    assert_eq!(wire.notes, Vec::<String>::new());
    assert!(began.elapsed() < Duration::from_secs(4));
    assert!(!is_alive(server.pids()[0]));
}

#[tokio::test]
async fn a_stubborn_server_is_killed_with_its_group() {
    let server = Scripted::new(json!({"ignoreTerm": true, "ignoreEof": true,
        "start": [{"linger": "@linger"}]}));
    for guarded in [false, true] {
        let mut settings = if guarded {
            server.guarded_settings()
        } else {
            server.settings()
        };
        settings.deadline = tokio::time::Instant::now() + Duration::from_secs(8);
        let mut connection = connect(settings).await.expect("a connection");
        let stray = server.pid_in("linger");
        connection.hurry();
        let began = Instant::now();
        let wire = connection.close().await;
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?}",
            began.elapsed()
        );
        let ending = wire.ending.expect("how it ended");
        assert_eq!(ending.by, EndedBy::KillSignal);
        assert!(!ending.full_waits, "it was hurried");
        let leader = *server.pids().last().expect("a start");
        assert!(!is_alive(leader));
        if guarded {
            // It left the session; the guard finds it all the same.
            until_gone(stray);
        } else {
            nix::sys::signal::kill(
                nix::unistd::Pid::from_raw(stray),
                nix::sys::signal::Signal::SIGKILL,
            )
            .expect("a stray");
        }
        std::fs::remove_file(server.file("linger")).expect("a file");
    }
}

#[tokio::test]
async fn a_dropped_connection_leaves_nobody() {
    let server = Scripted::new(json!({"ignoreTerm": true, "ignoreEof": true}));
    drop(server.connect().await);
    drop(server.connect_guarded().await);
    let pids = server.pids();
    assert_eq!(pids.len(), 2);
    pids.into_iter().for_each(until_gone);
}
