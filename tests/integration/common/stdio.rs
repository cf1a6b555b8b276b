//! The scripted stdio server as a target.

use std::path::{Path, PathBuf};

use mcprobe::client::{ConnectFailure, ConnectSettings, Connection, connect};
use mcprobe::model::target::{ServerCommand, Target};
use mcprobe::transport::Spawner;
use serde_json::Value;
use tempfile::TempDir;

use super::{settings, until};

/// The `mcprobe` program, which is the guard as well.
pub(crate) fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_mcprobe"))
}

/// The scripted server's program.
pub(crate) fn scripted_server() -> PathBuf {
    program()
        .parent()
        .expect("a folder")
        .join("examples/scripted_server")
}

/// A scripted server, its script and its files in a folder of their own.
pub(crate) struct Scripted {
    folder: TempDir,
}

impl Scripted {
    /// A server that follows this script.
    pub(crate) fn new(mut script: Value) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        script["starts"] = folder.path().join("starts").display().to_string().into();
        script["log"] = folder.path().join("log").display().to_string().into();
        // `@name` anywhere in a script is a file in the folder.
        let text = script
            .to_string()
            .replace('@', &format!("{}/", folder.path().display()));
        std::fs::write(folder.path().join("script.json"), text).expect("a script");
        Self { folder }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn settings(&self) -> ConnectSettings {
        settings(Target::Command(ServerCommand {
            argv: vec![
                scripted_server().display().to_string(),
                self.file("script.json").display().to_string(),
            ],
            ..ServerCommand::default()
        }))
    }

    pub(crate) fn guarded_settings(&self) -> ConnectSettings {
        ConnectSettings {
            spawner: Spawner::Guarded { exe: program() },
            ..self.settings()
        }
    }

    pub(crate) async fn connect(&self) -> Connection {
        connect(self.settings())
            .await
            .unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub(crate) async fn connect_guarded(&self) -> Connection {
        connect(self.guarded_settings())
            .await
            .unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub(crate) async fn refusal(&self) -> ConnectFailure {
        connect(self.settings())
            .await
            .map(|_| ())
            .expect_err("no connection")
    }

    /// The process ids of all starts so far.
    pub(crate) fn pids(&self) -> Vec<i32> {
        read_numbers(&self.file("starts"))
    }

    /// What the server read, line by line.
    pub(crate) fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.file("log"))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// The process id that a process wrote into a file, once it is there.
    pub(crate) fn pid_in(&self, name: &str) -> i32 {
        let file = self.file(name);
        until("a process id is written", || {
            read_numbers(&file).first().copied()
        })
    }
}

fn read_numbers(file: &Path) -> Vec<i32> {
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect()
}

/// Whether a process is alive; a zombie is not.
pub(crate) fn is_alive(pid: i32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    !stat.contains(") Z ")
}

/// Waits for the end of a process.
pub(crate) fn until_gone(pid: i32) {
    until("the process is gone", || (!is_alive(pid)).then_some(()));
}
