//! Where a report goes and what it looks like there.

use std::fs;

use super::{example, mcprobe, report, run};

#[test]
fn markdown_without_a_terminal_and_files_by_their_ending() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = |name: &str| folder.path().join(name);
    let output = run(mcprobe()
        .arg("audit")
        .args(["--output".as_ref(), place("r.json").as_os_str()])
        .args(["--output".as_ref(), place("r.md").as_os_str()])
        .args(["--output".as_ref(), place("r.txt").as_os_str()])
        .arg("--")
        .arg(example("flawed_server")));
    assert_eq!(output.status.code(), Some(0));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.starts_with("# "), "{stdout}");
    assert_eq!(fs::read_to_string(place("r.md")).expect("Markdown"), stdout);
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place("r.json")).expect("JSON")).expect("JSON");
    assert_eq!(json["server"]["name"], "four-tools");
    assert!(
        fs::read_to_string(place("r.txt"))
            .expect("text")
            .contains("four-tools")
    );
    // Progress goes to standard error only.
    assert!(String::from_utf8_lossy(&output.stderr).contains("4 tools listed"));
}

#[test]
fn quiet_is_one_line_with_both_scores_and_the_verdict() {
    let output = run(mcprobe()
        .args(["audit", "--quiet", "--min-score", "99.5", "--"])
        .arg(example("flawed_server")));
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    assert!(stdout.contains("classic"), "{stdout}");
    assert!(output.stderr.is_empty());
}

#[test]
fn json_is_whole_when_nothing_could_be_audited() {
    let output = run(mcprobe().args([
        "audit",
        "--json",
        "--quiet",
        "--",
        "sh",
        "-c",
        "echo no token >&2; exit 2",
    ]));
    assert_eq!(output.status.code(), Some(3));
    let report = report(&output);
    assert!(report["overall"].is_null() && report["grade"].is_null());
    assert_eq!(report["probeState"], "crash");
    assert_eq!(report["verdict"]["result"], "cannot-audit");
    let message = report["failure"]["message"].as_str().expect("a message");
    assert!(
        message.contains("exit code 2") && message.contains("no token"),
        "{message}"
    );
}

#[test]
fn values_given_to_the_server_stand_in_no_output() {
    let secret = "s3cr3t-value-of-the-test";
    let script = format!(
        "printf '%s\\n' \"$FIXTURE_TOKEN\" >&2; test \"$FIXTURE_TOKEN\" = {secret} && exec {}",
        example("flawed_server").display()
    );
    let folder = tempfile::tempdir().expect("a scratch folder");
    let evidence = folder.path().join("e.json");
    let output = run(mcprobe()
        .args(["audit", "--json", "--fuzz-writes", "--env"])
        .arg(format!("FIXTURE_TOKEN={secret}"))
        .arg("--evidence")
        .arg(&evidence)
        .args(["--", "sh", "-c", &script]));
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for text in [
        output.stdout,
        output.stderr,
        fs::read(&evidence).expect("evidence"),
    ] {
        assert!(
            !String::from_utf8_lossy(&text).contains(secret),
            "{}",
            String::from_utf8_lossy(&text)
        );
    }
}

#[test]
fn our_own_environment_does_not_reach_the_server() {
    let script = "test -z \"$MCPROBE_TARGET_TOKEN$MCPROBE_TOKEN$UNRELATED\" || exit 9; exec \"$0\"";
    let output = run(mcprobe()
        .env("MCPROBE_TARGET_TOKEN", "t-12345678")
        .env("MCPROBE_TOKEN", "t-12345678")
        .env("UNRELATED", "x")
        .args(["audit", "--json", "--quiet", "--", "sh", "-c", script])
        .arg(example("flawed_server")));
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
