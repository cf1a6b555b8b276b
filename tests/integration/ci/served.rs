//! `setup`, and `command` with `url`.

use std::net::TcpListener;

use serde_json::json;

use super::{Step, flawed, scripted, scripted_server};
use crate::common::stdio::until_gone;

/// A port that nothing listens at.
pub(super) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

pub(super) fn http_step(port: u16) -> Step {
    let command = format!("{} --http {port} pid", scripted_server().display());
    Step::new(&[
        ("command", &command),
        ("url", &format!("http://127.0.0.1:{port}/mcp")),
        ("fuzz", "writes"),
    ])
}

fn pid_of(step: &Step) -> i32 {
    let text = std::fs::read_to_string(step.place("pid")).expect("the server ran in the workspace");
    text.trim().parse().expect("a number")
}

#[test]
fn the_server_is_started_audited_over_loopback_and_ended() {
    let step = http_step(free_port()).input("min-score", "20");
    let done = step.run();
    assert_eq!(done.answer(), ("pass", "true", "0", 0), "{done:#?}");
    assert_eq!(done.outputs["server-name"], "scripted");
    assert_eq!(done.outputs["tools-called"], "1");
    assert_eq!(
        step.report("mcprobe-report.json")["target"]["transport"],
        "http"
    );
    until_gone(pid_of(&step));
}

#[test]
fn a_locked_server_fails_or_is_skipped_and_never_passes() {
    let step = http_step(free_port()).input("env", "SERVER_TOKEN=right-token-0001");
    let done = step.run();
    assert_eq!(
        done.answer(),
        ("unauthorized", "false", "3", 3),
        "{done:#?}"
    );
    let step = step.input("on-unauthorized", "skip");
    let done = step.run();
    assert_eq!(done.answer(), ("unauthorized", "false", "3", 0));
    assert!(
        done.summary.contains("nothing was audited"),
        "{}",
        done.summary
    );
    let done = step
        .input("headers", "Authorization: Bearer right-token-0001")
        .run();
    assert_eq!(done.answer(), ("pass", "true", "0", 0), "{done:#?}");
    assert_eq!(
        done.masks(),
        ["Bearer right-token-0001", "right-token-0001"]
    );
    assert!(!done.log().contains("right-token-0001"));
    let first = done
        .stdout
        .lines()
        .take(2)
        .filter(|line| line.starts_with("::add-mask::"))
        .count();
    assert_eq!(first, 2, "masks come before everything else");
}

#[test]
fn a_server_that_turns_calls_away_is_no_good_server_and_says_what_would_help() {
    let step = http_step(free_port())
        .input("env", "SERVER_LOCKS_CALLS=1")
        .input("min-score", "20");
    let done = step.run();
    assert_eq!(done.answer(), ("partial", "false", "1", 1), "{done:#?}");
    let errors = done.annotations("error").join("");
    assert!(errors.contains("HTTP 401 turned away"), "{errors}");
    assert!(
        errors.contains("credentials for calls with `headers`"),
        "{errors}"
    );
    assert!(done.summary.contains("HTTP 401"), "{}", done.summary);
    assert!(done.stdout.contains("in no column"), "{}", done.stdout);
    // Forks have no credentials for calls either.
    let done = step.input("on-unauthorized", "skip").run();
    assert_eq!(done.answer(), ("partial", "false", "1", 0), "{done:#?}");
    assert!(
        done.summary.contains("no call was let in"),
        "{}",
        done.summary
    );
}

#[test]
fn a_started_server_that_ends_during_the_audit_is_told_with_its_last_words() {
    let done = http_step(free_port())
        .input("env", "SERVER_DIES_AT=3")
        // Its calls to no tool would count as well.
        .file("mcprobe.toml", "probe = false\n")
        .input("fail-on", "error")
        .input("min-score", "20")
        .run();
    assert_eq!(done.answer(), ("findings", "false", "1", 1), "{done:#?}");
    let crash = done
        .annotations("error")
        .into_iter()
        .find(|error| error.contains("the server ended with exit code 7"))
        .unwrap_or_else(|| panic!("{done:#?}"));
    assert!(crash.contains("standard error ends: dying"), "{crash}");
    // Nobody saw whether that call alone does it.
    assert!(crash.contains("the run ended before"), "{crash}");
    assert!(!done.log().contains("starting it again"), "{done:#?}");
    assert!(!done.summary.contains("capped"), "{}", done.summary);
    let note = "ended during it (exit code 7)";
    assert!(
        done.summary.contains(note) && done.stdout.contains(note),
        "{done:#?}"
    );
}

#[test]
fn a_server_that_ends_early_is_noticed_at_once_with_its_last_words() {
    let url = format!("http://127.0.0.1:{}/mcp", free_port());
    let step = Step::new(&[
        ("command", "sh -c \"echo no database >&2; exit 7\""),
        ("url", &url),
        ("startup-timeout", "5m"),
    ]);
    let done = step.run();
    assert_eq!(done.answer(), ("cannot-audit", "false", "3", 3));
    let errors = done.annotations("error");
    assert!(errors[0].contains("exit code 7"), "{errors:?}");
    assert!(done.summary.contains("no database"), "{}", done.summary);
}

#[test]
fn a_server_that_never_answers_costs_its_startup_timeout() {
    let url = format!("http://127.0.0.1:{}/mcp", free_port());
    let step = Step::new(&[
        ("command", "sh -c \"echo waiting; exec tail -f /dev/null\""),
        ("url", &url),
        ("startup-timeout", "1s"),
    ]);
    let done = step.run();
    assert_eq!(done.answer(), ("cannot-audit", "false", "3", 3));
    assert!(
        done.annotations("error")[0].contains("within 1s"),
        "{done:#?}"
    );
    assert!(done.summary.contains("waiting"), "{}", done.summary);
}

#[test]
fn a_missing_program_that_should_serve_is_explained_too() {
    let done = Step::new(&[
        ("command", "no-such-runtime serve"),
        ("url", "http://127.0.0.1:9/mcp"),
    ])
    .run();
    let errors = done.annotations("error");
    assert_eq!(done.outputs["result"], "cannot-audit");
    assert!(
        errors[0].contains("no-such-runtime") && errors[0].contains("`setup`"),
        "{errors:?}"
    );
}

#[test]
fn setup_runs_first_in_the_working_directory_with_a_clean_environment() {
    let step = Step::new(&[
        (
            "setup",
            "mkdir built\necho \"$FLAVOUR\" > built/flavour\nenv > built/env",
        ),
        ("working-directory", "app"),
        ("env", "FLAVOUR=mint-0001"),
        ("fuzz", "false"),
    ]);
    std::fs::create_dir(step.place("app")).expect("a folder");
    let command = scripted(&step.outside(""), &json!({}));
    let step = step.input(
        "command",
        &format!("sh -c \"cat built/flavour > seen; exec {command}\""),
    );
    let done = step.run();
    assert_eq!(done.outputs["result"], "pass", "{done:#?}");
    let read = |name: &str| std::fs::read_to_string(step.place(name)).expect(name);
    assert_eq!(
        (read("app/built/flavour"), read("app/seen")),
        ("mint-0001\n".to_owned(), "mint-0001\n".to_owned())
    );
    let environment = read("app/built/env");
    for word in ["INPUT_", "GITHUB_", "ACTIONS_", "MCPROBE_", "canary"] {
        assert!(!environment.contains(word), "{word} is in {environment}");
    }
    assert!(environment.contains("HOME="), "{environment}");
    assert!(step.place("mcprobe-report.json").exists());
}

#[test]
fn setup_is_shown_and_cannot_command_the_runner_or_show_a_secret() {
    let step = Step::new(&[
        (
            "setup",
            "echo building; printf '::error::FORGED\\n \\r::warning::FORGED\\n##[error]FORGED\\033[2J %s\\n' \"$KEY\" >&2",
        ),
        ("env", "KEY=very-secret-55"),
        ("command", &flawed()),
    ]);
    let done = step.run();
    assert_eq!(done.outputs["result"], "pass", "{done:#?}");
    assert!(done.stdout.contains("  building\n"), "{}", done.stdout);
    assert!(!done.log().contains("very-secret-55") && !done.log().contains('\u{1b}'));
    let forged = done
        .commands()
        .into_iter()
        .filter(|c| c.data.contains("FORGED") && c.name != "group")
        .count();
    assert_eq!(forged, 0, "{:?}", done.commands());
}

#[test]
fn a_failing_setup_is_never_a_pass_and_keeps_its_last_words() {
    let step = Step::new(&[
        ("setup", "echo no compiler here\nexit 7\necho not reached"),
        ("command", "sh -c \"touch started\""),
    ]);
    let done = step.run();
    assert_eq!(done.answer(), ("cannot-audit", "false", "3", 3));
    assert!(
        done.annotations("error")[0].contains("exit code 7"),
        "{done:#?}"
    );
    assert!(done.summary.contains("no compiler here") && !done.summary.contains("not reached"));
    assert!(!step.place("started").exists());
    assert!(step.report("mcprobe-report.json")["overall"].is_null());
    // No server ran, so nothing is found about one.
    assert_eq!(
        (
            done.outputs["findings"].as_str(),
            done.outputs["errors"].as_str()
        ),
        ("0", "0")
    );
    assert!(!done.log().contains("process.exited"), "{done:#?}");
}

#[test]
fn endless_output_of_what_setup_left_running_delays_nothing() {
    let step = Step::new(&[
        ("setup", "(while :; do echo again; done) & echo $! > pid"),
        ("command", &flawed()),
    ]);
    let done = step.run();
    assert_eq!(done.outputs["result"], "pass");
    until_gone(pid_of(&step));
}

#[test]
fn what_setup_leaves_running_lives_as_long_as_the_audit() {
    let step = Step::new(&[
        ("setup", "tail -f /dev/null & echo $! > pid"),
        ("command", "sh -c \"kill -0 $(cat pid) && touch alive\""),
    ]);
    // No shell of ours expands the command; its own does.
    let step = step.input("command", "sh -c 'kill -0 $(cat pid) && touch alive'");
    step.run();
    assert!(step.place("alive").exists());
    until_gone(
        std::fs::read_to_string(step.place("pid"))
            .expect("a file")
            .trim()
            .parse()
            .expect("a number"),
    );
}

#[test]
fn a_server_that_somebody_else_starts_may_take_its_startup_timeout() {
    let port = free_port();
    let server = scripted_server().display().to_string();
    let step = Step::new(&[
        ("url", &format!("http://127.0.0.1:{port}/mcp")),
        (
            "setup",
            &format!("(sleep 1; exec {server} --http {port} pid) &"),
        ),
        ("startup-timeout", "30s"),
        ("fuzz", "false"),
    ]);
    let done = step.run();
    assert_eq!(done.answer(), ("pass", "true", "0", 0), "{done:#?}");
    until_gone(pid_of(&step));
}
