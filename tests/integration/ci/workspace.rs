//! Whose files and processes are, and where they may be.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

use super::{Step, flawed};

#[test]
fn files_and_processes_are_the_owners() {
    let step = Step::new(&[
        ("report", "out/audit/report.json"),
        (
            "setup",
            "id -u > who; id -g >> who; id -G >> who; echo \"$HOME\" >> who; touch \"$HOME/mine\"",
        ),
        ("command", "true"),
    ]);
    let is_root = rustix::process::geteuid().is_root();
    let (uid, gid) = if is_root {
        (4242, 4243)
    } else {
        (
            rustix::process::geteuid().as_raw(),
            rustix::process::getegid().as_raw(),
        )
    };
    fs::set_permissions(step.outside(""), fs::Permissions::from_mode(0o755)).expect("allowed");
    chown(step.place(""), Some(uid), Some(gid)).expect("allowed");
    let done = step.run();
    assert_eq!(done.outputs["result"], "cannot-audit", "{done:#?}");
    for name in [
        "out",
        "out/audit",
        "out/audit/report.json",
        "mcprobe-summary.md",
        "who",
    ] {
        let facts = fs::metadata(step.place(name)).expect(name);
        assert_eq!((facts.uid(), facts.gid()), (uid, gid), "{name}");
    }
    let mode = fs::metadata(step.place("out/audit/report.json"))
        .expect("a report")
        .mode();
    assert_eq!(mode & 0o777, 0o644);
    let who = fs::read_to_string(step.place("who")).expect("setup ran");
    let lines: Vec<&str> = who.lines().collect();
    assert_eq!(lines[..2], [uid.to_string(), gid.to_string()], "{who}");
    if is_root {
        assert_eq!(lines[2], gid.to_string(), "no further group is left: {who}");
        // Root's home was of no use to it; a fresh one is gone with the run.
        assert!(!fs::exists(lines[3]).expect("a path"), "{who}");
    }
}

#[test]
fn nothing_is_written_outside_of_the_workspace() {
    for report in [
        "../escaped.json",
        "/tmp/mcprobe-escaped.json",
        "out/escaped.json",
        "link.json",
    ] {
        let step = Step::new(&[
            ("command", &flawed()),
            ("report", report),
            ("fuzz", "false"),
        ]);
        symlink("..", step.place("out")).expect("a link");
        symlink("../escaped.json", step.place("link.json")).expect("a link");
        let done = step.run();
        assert_eq!(done.answer(), ("config-error", "false", "2", 2), "{report}");
        assert!(!step.outside("escaped.json").exists(), "{report}");
    }
}

#[test]
fn a_trap_laid_during_the_run_costs_the_report_alone() {
    let trap = "ln -s ../escaped.json mcprobe-report.json";
    let step = Step::new(&[("command", &flawed()), ("setup", trap)]);
    let done = step.run();
    assert_eq!(
        done.answer(),
        ("internal-error", "false", "4", 4),
        "{done:#?}"
    );
    assert!(!step.outside("escaped.json").exists());
    assert_eq!(done.outputs["report"], "");
    assert_eq!(done.outputs["score"], "74");
    assert!(done.summary.contains("74 / 100"), "{}", done.summary);
    assert!(
        done.annotations("error")
            .iter()
            .any(|text| text.contains("mcprobe-report.json")),
        "{done:#?}"
    );
}

#[test]
fn a_missing_outputs_file_costs_the_outputs_alone() {
    let step =
        Step::new(&[("command", &flawed())]).variable("GITHUB_OUTPUT", "/no/such/folder/output");
    let child = step.start();
    let output = child.wait_with_output().expect("mcprobe ends");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(step.report("mcprobe-report.json")["overall"], 74);
    let summary = fs::read_to_string(step.outside("commands/summary")).expect("a summary");
    assert!(summary.contains("74 / 100"));
}

#[test]
fn a_settings_file_is_an_ordinary_one_of_the_workspace() {
    let refused = |step: &Step| {
        let done = step.run();
        assert_eq!(
            done.answer(),
            ("config-error", "false", "2", 2),
            "{done:#?}"
        );
        done.annotations("error").join("")
    };
    // A pipe would be waited for; a link may lead to anywhere.
    let step = Step::new(&[("command", "true")]);
    let pipe = step.place("mcprobe.toml");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    assert!(refused(&step).contains("no ordinary file"));
    let step = step.input("settings", "mcprobe.toml");
    assert!(refused(&step).contains("no ordinary file"));
    let step = Step::new(&[("command", "true")]);
    fs::write(step.outside("other.toml"), "[gate]\nmin-score = 0\n").expect("a file");
    symlink(step.outside("other.toml"), step.place("mcprobe.toml")).expect("a link");
    assert!(refused(&step).contains("leads out of the workspace"));
}
