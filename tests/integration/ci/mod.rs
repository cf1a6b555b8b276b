//! `mcprobe ci` by the runner's contract: environment and files as the runner
//! lays them, and everything that a step leaves read by the runner's rules.

mod cancelled;
mod documents;
mod hostile;
mod inputs;
mod results;
pub(crate) mod runner;
mod served;
mod watched;
mod workspace;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mcprobe::ci::inputs::INPUTS;
use mcprobe::ci::outputs::OUTPUTS;
use serde_json::Value;
use tempfile::TempDir;

use super::common::stdio::{program, scripted_server};

/// A step before it runs: workspace, command files and variables.
pub(crate) struct Step {
    folder: TempDir,
    inputs: BTreeMap<String, String>,
    variables: BTreeMap<String, OsString>,
    flags: Vec<String>,
    is_runner: bool,
}

impl Step {
    /// A step with these inputs.
    pub(crate) fn new(inputs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["ws", "home", "commands"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        for name in ["output", "summary"] {
            fs::write(folder.path().join("commands").join(name), "").expect("a file");
        }
        let step = Self {
            folder,
            // As the runner does: every declared input, empty where not given.
            inputs: INPUTS
                .iter()
                .map(|input| {
                    let default = if input.in_action { input.default } else { "" };
                    (input.name.to_owned(), default.to_owned())
                })
                .collect(),
            variables: BTreeMap::new(),
            flags: Vec::new(),
            is_runner: true,
        };
        inputs
            .iter()
            .fold(step, |step, (name, value)| step.input(name, value))
    }

    /// A step of some other system: no runner, no inputs.
    pub(crate) fn elsewhere() -> Self {
        Self {
            inputs: BTreeMap::new(),
            is_runner: false,
            ..Self::new(&[])
        }
    }

    pub(crate) fn input(mut self, name: &str, value: &str) -> Self {
        assert!(self.inputs.contains_key(name), "there is no input {name}");
        self.inputs.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn variable(self, name: &str, value: &str) -> Self {
        self.variable_bytes(name, value.into())
    }

    pub(crate) fn variable_bytes(mut self, name: &str, value: OsString) -> Self {
        self.variables.insert(name.to_owned(), value);
        self
    }

    pub(crate) fn flags(mut self, flags: &[&str]) -> Self {
        self.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
        self
    }

    /// Puts a file into the workspace.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        fs::write(self.place(name), text).expect("a file");
        self
    }

    /// A place in the workspace.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join("ws").join(name)
    }

    /// Beside the workspace.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn start(&self) -> Child {
        let mut command = Command::new(program());
        command
            .arg("ci")
            .args(&self.flags)
            .current_dir(self.place(""))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .envs(
                self.inputs
                    .iter()
                    .map(|(name, value)| (format!("INPUT_{}", name.to_uppercase()), value)),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.is_runner {
            command
                .env("GITHUB_ACTIONS", "true")
                .env("CI", "true")
                .env("GITHUB_TOKEN", "canary-step-token-91ab")
                .env("ACTIONS_RUNTIME_TOKEN", "canary-runtime-token-5d0c")
                .env("GITHUB_WORKSPACE", self.place(""))
                .env("GITHUB_OUTPUT", self.outside("commands/output"))
                .env("GITHUB_STEP_SUMMARY", self.outside("commands/summary"));
        }
        command
            .envs(&self.variables)
            .spawn()
            .expect("mcprobe starts")
    }

    /// Runs it to its end, and holds it to what is true of every step.
    pub(crate) fn run(&self) -> Done {
        self.finish(self.start())
    }

    pub(crate) fn finish(&self, child: Child) -> Done {
        let output = child.wait_with_output().expect("mcprobe ends");
        let read =
            |name: &str| fs::read_to_string(self.outside("commands").join(name)).expect("UTF-8");
        let outputs = read("output");
        let done = Done {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
            outputs: runner::outputs(&outputs).unwrap_or_else(|why| panic!("{why}:\n{outputs}")),
            summary: read("summary"),
        };
        self.hold(&done);
        done
    }

    fn hold(&self, done: &Done) {
        let declared: Vec<&str> = OUTPUTS.iter().map(|output| output.name).collect();
        if self.is_runner {
            let set: Vec<&str> = done.outputs.keys().map(String::as_str).collect();
            let mut wanted = declared;
            wanted.sort_unstable();
            assert_eq!(set, wanted, "{done:#?}");
            let passed = done.outputs["result"] == "pass";
            assert_eq!(done.outputs["passed"], passed.to_string());
        } else {
            assert!(
                done.commands().is_empty() && done.outputs.is_empty(),
                "{done:#?}"
            );
        }
        for kind in ["error", "warning", "notice"] {
            assert!(done.annotations(kind).len() <= 10, "{done:#?}");
        }
        for text in [&done.stdout, &done.stderr] {
            assert!(!text.contains("panicked at"), "{text}");
            assert!(!text.contains("##["), "{text}");
        }
        assert!(done.summary.len() <= 900 * 1024, "{}", done.summary.len());
        let left: Vec<PathBuf> = fs::read_dir(self.place(""))
            .expect("the workspace")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with(".mcprobe-"))
            })
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    /// The report that the step left.
    pub(crate) fn report(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.place(name)).expect("a report");
        serde_json::from_str(&text).expect("JSON")
    }
}

/// What a step left behind.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) outputs: BTreeMap<String, String>,
    pub(crate) summary: String,
}

impl Done {
    /// Every line that the runner takes as a command.
    pub(crate) fn commands(&self) -> Vec<runner::Command> {
        let mut commands = runner::scan(&self.stdout);
        commands.extend(runner::scan(&self.stderr));
        commands
    }

    /// The messages of all annotations of a kind.
    pub(crate) fn annotations(&self, kind: &str) -> Vec<String> {
        let commands = self.commands().into_iter();
        commands
            .filter(|command| command.name == kind)
            .map(|command| command.data)
            .collect()
    }

    pub(crate) fn masks(&self) -> Vec<String> {
        self.annotations("add-mask")
    }

    /// Both streams without the lines that announce a mask.
    pub(crate) fn log(&self) -> String {
        runner::lines(&self.stdout)
            .chain(runner::lines(&self.stderr))
            .filter(|line| !line.starts_with("::add-mask::"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Result, `passed`, `exit-code` and the process's own code.
    pub(crate) fn answer(&self) -> (&str, &str, &str, i32) {
        let output = |name: &str| self.outputs[name].as_str();
        (
            output("result"),
            output("passed"),
            output("exit-code"),
            self.code,
        )
    }
}

/// A command line for a scripted server that follows this script.
pub(crate) fn scripted(folder: &Path, script: &Value) -> String {
    let path = folder.join("script.json");
    fs::write(&path, script.to_string()).expect("a script");
    format!("{} {}", scripted_server().display(), path.display())
}

/// The flawed server that is built in.
pub(crate) fn flawed() -> String {
    format!("{} __demo-server", program().display())
}
