//! Uploads to a real HTTP server, and what the body of one holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use mcprobe::judge::{JudgeSettings, judge};
use mcprobe::model::secret::Secret;
use mcprobe::model::target::Target;
use mcprobe::upload::payload::{RunContext, body};
use mcprobe::upload::{Destination, Patience, PushError, Receipt, push};
use serde_json::{Value, json};
use url::Url;

use crate::common::http::{Heard, HttpServer, reply};
use crate::samples;

const TOKEN: &str = "key-of-the-dashboard-7c1d";
const JSON: &str = "application/json";

/// Waits that a test can afford; the long ones only bound a broken build.
const PATIENCE: Patience = Patience {
    attempts: 3,
    attempt: Duration::from_secs(20),
    whole: Duration::from_mins(1),
    first_wait: Duration::from_millis(1),
};

fn destination(url: Url) -> Destination {
    Destination {
        url,
        token: Secret::new(TOKEN),
    }
}

async fn sent(server: &HttpServer) -> Result<Receipt, PushError> {
    let to = destination(server.url());
    let sent = push(r#"{"report":{}}"#, "key-1", &to, PATIENCE).await;
    if let Err(error) = &sent {
        assert!(!error.message.contains(TOKEN), "{error}");
    }
    sent
}

type Play = fn(&Heard) -> Response;

/// A server that answers its first requests in these ways, and all later ones in the last.
async fn server(plays: Vec<Play>) -> HttpServer {
    let next = Arc::new(AtomicUsize::new(0));
    HttpServer::start(move |heard| {
        let turn = next.fetch_add(1, Ordering::SeqCst).min(plays.len() - 1);
        Some(plays[turn](heard))
    })
    .await
}

fn stored(_: &Heard) -> Response {
    reply(201, JSON, r#"{"url":"https://dash.example.com/runs/1"}"#)
}

fn failing(_: &Heard) -> Response {
    reply(500, "text/plain", "try again")
}

#[tokio::test]
async fn a_report_is_posted_once_with_its_token_and_the_page_is_told() {
    let server = server(vec![stored]).await;
    let receipt = sent(&server).await.expect("it is taken");
    assert_eq!(
        receipt.page.map(String::from).as_deref(),
        Some("https://dash.example.com/runs/1")
    );
    let [heard] = server.heard().try_into().expect("one request");
    assert_eq!(heard.method, "POST");
    assert_eq!(
        heard.header("authorization"),
        Some(&*format!("Bearer {TOKEN}"))
    );
    assert_eq!(heard.header("content-type"), Some(JSON));
    assert_eq!(heard.header("idempotency-key"), Some("\"key-1\""));
    assert_eq!(heard.body, json!({"report": {}}));
}

#[tokio::test]
async fn what_will_not_be_taken_is_sent_once() {
    let cases: [(Play, &str); 5] = [
        (
            |_| reply(401, JSON, r#"{"error":"no such key"}"#),
            "refused the token (HTTP 401)",
        ),
        (
            |_| reply(413, "text/html", "<h1>too large</h1>"),
            "too large for the dashboard (HTTP 413; 13 bytes were sent)",
        ),
        (
            |_| reply(200, "text/html", "<h1>Welcome</h1>"),
            "came with a web page",
        ),
        (|_| reply(200, JSON, "[1]"), "came with other JSON"),
        (
            |_| reply(422, JSON, r#"{"error":"schemaVersion"}"#),
            "refused the report (HTTP 422)",
        ),
    ];
    for (play, expected) in cases {
        let server = server(vec![play]).await;
        let error = sent(&server).await.expect_err(expected);
        assert!(error.message.contains(expected), "{error}");
        assert_eq!(server.heard().len(), 1, "{expected}");
    }
}

#[tokio::test]
async fn a_server_that_fails_first_stores_one_run() {
    let busy: Play = |_| {
        let mut response = reply(429, "text/plain", "slow down");
        response
            .headers_mut()
            .insert("retry-after", "0".parse().expect("a header"));
        response
    };
    for first in [failing as Play, busy] {
        let server = server(vec![first, stored]).await;
        let receipt = sent(&server).await.expect("the second attempt is taken");
        assert!(receipt.page.is_some());
        let keys: Vec<_> = server
            .heard()
            .iter()
            .map(|heard| heard.header("idempotency-key").map(str::to_owned))
            .collect();
        assert_eq!(
            keys,
            [Some("\"key-1\"".to_owned()), Some("\"key-1\"".to_owned())]
        );
    }
}

#[tokio::test]
async fn attempts_end() {
    let server = server(vec![failing]).await;
    let error = sent(&server).await.expect_err("it never works");
    assert_eq!(
        error.message,
        "the dashboard answered with HTTP 500: try again, 3 times"
    );
    assert_eq!(server.heard().len(), 3);
}

#[tokio::test]
async fn a_wait_beyond_the_whole_time_is_not_begun() {
    let later: Play = |_| {
        let mut response = reply(503, "", "");
        response
            .headers_mut()
            .insert("retry-after", "86400".parse().expect("a header"));
        response
    };
    let server = server(vec![later]).await;
    let patience = Patience {
        whole: Duration::from_secs(25),
        ..PATIENCE
    };
    let to = destination(server.url());
    let error = push("{}", "k", &to, patience)
        .await
        .expect_err("it is never taken");
    assert_eq!(error.message, "the dashboard answered with HTTP 503");
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn a_dashboard_that_hangs_costs_its_limit_and_no_more() {
    let hang: Play = |_| {
        let silence = futures_util::stream::pending::<Result<String, std::convert::Infallible>>();
        reply(200, JSON, Body::from_stream(silence))
    };
    let server = server(vec![hang]).await;
    let patience = Patience {
        attempts: 2,
        attempt: Duration::from_millis(50),
        ..PATIENCE
    };
    let to = destination(server.url());
    let error = push("{}", "k", &to, patience).await.expect_err("it hangs");
    assert_eq!(
        error.message,
        "the dashboard did not answer in time, 2 times"
    );
    assert_eq!(server.heard().len(), 2);
}

#[tokio::test]
async fn nobody_there_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let to = destination(Url::parse(&format!("http://{address}/in")).expect("an address"));
    let error = push("{}", "k", &to, PATIENCE)
        .await
        .expect_err("nobody listens");
    assert!(
        error
            .message
            .starts_with("the dashboard cannot be reached: Connection refused"),
        "{error}"
    );
}

#[tokio::test]
async fn a_redirect_keeps_to_the_origin_or_is_refused() {
    let other = server(vec![stored]).await;
    let away = other.url();
    let server = HttpServer::start(move |heard| {
        let to = match heard.path.as_str() {
            "/mcp" => "/v2".to_owned(),
            "/v2" => away.to_string(),
            _ => return None,
        };
        let mut response = reply(307, "", "");
        response
            .headers_mut()
            .insert("location", to.parse().expect("a header"));
        Some(response)
    })
    .await;
    let error = sent(&server).await.expect_err("it leads away");
    assert!(error.message.contains("was not sent there"), "{error}");
    let paths: Vec<String> = server.heard().into_iter().map(|heard| heard.path).collect();
    assert_eq!(paths, ["/mcp", "/v2"]);
    assert!(other.heard().is_empty(), "the other origin was reached");
}

#[tokio::test]
async fn a_circle_of_redirects_ends() {
    let server = HttpServer::start(|_| {
        let mut response = reply(308, "", "");
        response
            .headers_mut()
            .insert("location", "/mcp".parse().expect("a header"));
        Some(response)
    })
    .await;
    let error = sent(&server).await.expect_err("a circle");
    assert!(error.message.contains("redirected 5 times"), "{error}");
    assert_eq!(server.heard().len(), 6);
}

#[test]
fn the_body_has_the_four_keys_and_no_credential_of_the_target() {
    let mut evidence = samples::evidence("flawed");
    let url = "https://me:hunter2@example.com/mcp?api_key=s3cr3t-value-1&page=2";
    evidence.target =
        mcprobe::config::label::label(&Target::Url(Url::parse(url).expect("an address")), None).0;
    let report = judge(&evidence, &JudgeSettings::default());
    let run = RunContext::of(
        &[
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_REPOSITORY", "mcprobe/mcprobe"),
            ("GITHUB_RUN_ID", "42"),
            ("GITHUB_SHA", "0123abcd"),
            ("GITHUB_REF", "refs/heads/main"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
    );
    let text = body(&report, run.as_ref());
    for secret in ["hunter2", "s3cr3t-value-1", "me:"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let schema = mcprobe::upload::payload::schema();
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let faults: Vec<String> = jsonschema::validator_for(&schema)
        .expect("a schema")
        .iter_errors(&value)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    let shown = json!({
        "keys": value.as_object().expect("an object").keys().collect::<Vec<_>>(),
        "schemaVersion": value["schemaVersion"],
        "target": value["target"],
        "transport": value["transport"],
        "fuzzed": value["fuzzed"],
        "run": value["run"],
    });
    insta::assert_json_snapshot!(shown);
    let printed: Value =
        serde_json::from_str(&mcprobe::render::json::v1::render(&report)).expect("JSON");
    assert_eq!(value["report"], printed);
}
