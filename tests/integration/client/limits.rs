//! Waits that a server asks for, and who is blamed when the run ends first.

use std::time::{Duration, Instant};

use axum::response::Response;
use mcprobe::client::{Reply, connect};
use mcprobe::model::evidence::{CutShort, ProbeState};
use mcprobe::model::inventory::ListEnd;

use crate::common::http::{HttpServer, proper, reply};

const LONG: Duration = Duration::from_secs(30);

/// HTTP 429 with this `Retry-After`.
fn wait(seconds: &str) -> Response {
    let mut response = reply(429, "", "");
    let seconds = seconds.parse().expect("a value");
    response.headers_mut().insert("retry-after", seconds);
    response
}

async fn waits_at(word: &'static str, seconds: &'static str) -> HttpServer {
    HttpServer::start(move |heard| (heard.word() == word).then(|| wait(seconds))).await
}

#[tokio::test]
async fn no_wait_that_a_server_names_is_too_long_to_be_added() {
    for seconds in ["18446744073709551615", "9223372036854775807", "5000000000"] {
        let server = waits_at("initialize", seconds).await;
        let failure = connect(server.settings()).await.expect_err("a refusal");
        assert_eq!(failure.state, ProbeState::NoHandshake, "{seconds}");
        assert_eq!(server.words(), ["server/discover", "initialize"]);

        let server = waits_at("tools/call", seconds).await;
        let mut connection = connect(server.settings()).await.expect("a connection");
        let began = Instant::now();
        let limit = Duration::from_secs(3);
        let called = connection.request("tools/call", Some("{}"), limit).await;
        assert_eq!(called.exchange.http_status, Some(429), "{seconds}");
        assert!(began.elapsed() < LONG);
    }
}

#[tokio::test]
async fn a_notification_is_not_waited_for() {
    let server = waits_at("notifications/initialized", "30").await;
    let began = Instant::now();
    let mut connection = connect(server.settings()).await.expect("a connection");
    assert!(connection.gather().await.failure.is_none());
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(
        connection.close().await.notes,
        [
            "`notifications/initialized` was answered with HTTP 429 Too Many Requests (no content type) in place of HTTP 202"
        ]
    );
}

async fn never_lists() -> HttpServer {
    HttpServer::start(|heard| {
        (heard.word() == "tools/list").then(|| {
            let never = futures_util::stream::pending::<Result<String, std::io::Error>>();
            reply(200, "", axum::body::Body::from_stream(never))
        })
    })
    .await
}

#[tokio::test]
async fn the_end_of_the_run_is_no_fault_of_the_server() {
    let server = never_lists().await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    connection.hurry();
    let gathered = connection.gather().await;
    assert_eq!(gathered.cut_short, Some(CutShort::Deadline));
    let (state, failure) = gathered.failure.expect("a failure");
    assert_eq!(state, ProbeState::Timeout);
    assert!(
        failure
            .message
            .starts_with("the tools could not be listed: the run's own limit ended it"),
        "{}",
        failure.message
    );
    let end = gathered.inventory.tools.end;
    assert!(matches!(end, ListEnd::Bounded { .. }), "{end:?}");
    // A request that had all its time is another matter.
    let mut settings = server.settings();
    settings.call_timeout = Duration::from_millis(300);
    let mut connection = connect(settings).await.expect("a connection");
    let gathered = connection.gather().await;
    assert_eq!(gathered.cut_short, None);
    let end = gathered.inventory.tools.end;
    assert!(
        matches!(&end, ListEnd::Failed { reason } if reason.starts_with("no reply within 0.3 s")),
        "{end:?}"
    );
}

#[tokio::test]
async fn what_http_turns_away_is_no_crash() {
    for status in [303, 304, 401, 403, 407, 429, 503] {
        let server = HttpServer::start(move |heard| {
            (heard.word() == "tools/call").then(|| {
                let mut response = reply(status, "", "");
                let here = "/other".parse().expect("a value");
                response.headers_mut().insert("location", here);
                response
            })
        })
        .await;
        let mut connection = connect(server.settings()).await.expect("a connection");
        let limit = Duration::from_millis(500);
        let called = connection.request("tools/call", Some("{}"), limit).await;
        assert!(
            matches!(called.reply, Reply::HttpRefused { status: seen } if seen == status),
            "{status}: {called:?}"
        );
        assert_eq!(called.exchange.http_status, Some(status));
        assert!(called.exchange.failure.is_some());
        assert!(connection.is_open());
    }
}

#[tokio::test]
async fn other_statuses_without_a_message_are_broken_replies_of_a_living_server() {
    for status in [400, 418, 500, 502] {
        let server = HttpServer::start(move |heard| {
            (heard.word() == "tools/call").then(|| reply(status, "text/html", "<h1>no</h1>"))
        })
        .await;
        let mut connection = connect(server.settings()).await.expect("a connection");
        let called = connection.request("tools/call", Some("{}"), LONG).await;
        assert!(matches!(called.reply, Reply::Broken), "{called:?}");
        assert_eq!(called.exchange.reply.as_deref(), Some("<h1>no</h1>"));
        assert!(connection.is_open());
    }
}

#[tokio::test]
async fn a_message_with_a_refusing_status_is_the_servers_own_word() {
    let server = HttpServer::start(|heard| {
        (heard.word() == "tools/call").then(|| {
            let body = serde_json::json!({"jsonrpc": "2.0", "id": heard.body["id"],
                "error": {"code": -32000, "message": "not you"}});
            reply(403, "application/json", body.to_string())
        })
    })
    .await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    let called = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(called.reply, Reply::Error { code: -32000, .. }));
}

#[tokio::test]
async fn a_byte_order_mark_before_a_body_is_noted_and_taken_off() {
    let server = HttpServer::start(|heard| {
        (heard.word() == "tools/call").then(|| {
            let body = serde_json::json!({"jsonrpc": "2.0", "id": heard.body["id"], "result": {}});
            reply(200, "application/json", format!("\u{feff}{body}"))
        })
    })
    .await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    let called = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(called.reply, Reply::Result(_)), "{called:?}");
    assert_eq!(
        connection.close().await.notes,
        ["an HTTP body begins with a UTF-8 byte order mark"]
    );
}

#[tokio::test]
async fn a_long_address_is_quoted_in_part() {
    let server = HttpServer::start(|heard| {
        let mut response = if heard.word() == "initialize" {
            reply(302, "", "")
        } else {
            proper(heard)
        };
        let there = format!("/{}", "a".repeat(8000));
        let there = there.parse().expect("a value");
        response.headers_mut().insert("location", there);
        Some(response)
    })
    .await;
    let failure = connect(server.settings()).await.expect_err("a refusal");
    let message = failure.failure.message;
    assert!(message.contains("aaa…, which is not followed"), "{message}");
    assert!(message.chars().count() < 500, "{message}");
}
