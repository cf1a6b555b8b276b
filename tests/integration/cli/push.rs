//! `mcprobe push`, to a real HTTP server.

use std::fs;
use std::process::{Command, Output, Stdio};

use axum::body::Body;
use axum::response::Response;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{example, mcprobe, run};
use crate::common::http::{HttpServer, reply};
use crate::common::until;

const TOKEN: &str = "key-of-the-dashboard-7c1d";
const JSON: &str = "application/json";

fn push(dashboard: &HttpServer, more: &[&str]) -> Command {
    let mut command = mcprobe();
    command
        .arg("push")
        .args(["--to", dashboard.url().as_str()])
        .args(more)
        .env("MCPROBE_TOKEN", TOKEN);
    command
}

/// The program runs beside the server of the test.
async fn done(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || run(&mut command))
        .await
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn stored() -> Response {
    reply(201, JSON, r#"{"url":"https://dash.example.com/runs/1"}"#)
}

fn refused() -> Response {
    reply(401, JSON, r#"{"error":"no such key"}"#)
}

#[tokio::test]
async fn the_report_is_printed_and_sent_and_the_token_is_nowhere() {
    let dashboard = HttpServer::start(|_| Some(stored())).await;
    let folder = tempfile::tempdir().expect("a scratch folder");
    let evidence = folder.path().join("evidence.json");
    let environment = folder.path().join("environment");
    let script = format!(
        "env >{}; exec {}",
        environment.display(),
        example("flawed_server").display()
    );
    let mut command = push(&dashboard, &["--json", "--evidence"]);
    command.arg(&evidence).args(["--", "sh", "-c", &script]);
    let output = done(command).await;
    assert_eq!(output.status.code(), Some(0));
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(
        stderr.contains("sent: https://dash.example.com/runs/1\n"),
        "{stderr}"
    );
    let [heard] = dashboard.heard().try_into().expect("one upload");
    let printed: serde_json::Value = serde_json::from_str(&stdout).expect("a report");
    assert_eq!(heard.body["report"], printed);
    let evidence = fs::read_to_string(&evidence).expect("evidence");
    let environment = fs::read_to_string(&environment).expect("what the server sees");
    assert!(environment.contains("PATH="));
    for place in [
        &stdout,
        &stderr,
        &evidence,
        &environment,
        &heard.body.to_string(),
    ] {
        assert!(!place.contains(TOKEN) && !place.contains("MCPROBE_TOKEN"));
    }
}

#[tokio::test]
async fn a_failed_upload_is_a_warning_and_an_error_where_it_is_required() {
    let dashboard = HttpServer::start(|_| Some(refused())).await;
    let cases: [(&[&str], i32); 3] = [
        (&[], 0),
        (&["--fail-on-upload-error"], 5),
        (&["--fail-on-upload-error", "--min-score", "100"], 1),
    ];
    for (more, code) in cases {
        let mut command = push(&dashboard, more);
        command
            .args(["--quiet", "--"])
            .arg(example("flawed_server"));
        let output = done(command).await;
        assert_eq!(output.status.code(), Some(code), "{more:?}");
        assert_eq!(
            text(&output.stderr),
            "warning: the report was not sent: the dashboard refused the token (HTTP 401): {\"error\":\"no such key\"}\n"
        );
        assert_eq!(text(&output.stdout).lines().count(), 1);
    }
}

#[tokio::test]
async fn a_signal_ends_an_upload_that_hangs_after_the_report_was_printed() {
    let dashboard = HttpServer::start(|_| {
        let silence = futures_util::stream::pending::<Result<String, std::convert::Infallible>>();
        Some(reply(200, JSON, Body::from_stream(silence)))
    })
    .await;
    let mut command = push(&dashboard, &["--quiet", "--"]);
    let child = command
        .arg(example("flawed_server"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mcprobe runs");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a pid"));
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output());
    tokio::task::spawn_blocking(move || {
        until("the report is sent", || {
            (!dashboard.heard().is_empty()).then_some(())
        });
        kill(pid, Signal::SIGTERM).expect("a living process");
    })
    .await
    .expect("the signal is sent");
    let output = ended.await.expect("a thread").expect("an end");
    assert_eq!(output.status.code(), Some(143));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(text(&output.stderr).contains("it was cancelled"));
}
