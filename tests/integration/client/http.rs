//! The client over Streamable HTTP, against a scripted server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::response::Response;
use mcprobe::client::{ConnectFailure, ConnectSettings, Connection, Reply, connect};
use mcprobe::model::evidence::{ProbeState, Wire};
use mcprobe::model::probe::Envelope;
use mcprobe::model::secret::Secret;
use mcprobe::model::target::{Target, TransportKind};
use serde_json::json;
use url::Url;

use crate::common::http::{Heard, HttpServer, proper, reply, result};
use crate::common::settings;

const LONG: Duration = Duration::from_secs(30);

async fn connected(settings: ConnectSettings) -> Connection {
    connect(settings)
        .await
        .unwrap_or_else(|failure| panic!("{failure:?}"))
}

async fn refusal(settings: ConnectSettings) -> ConnectFailure {
    connect(settings)
        .await
        .map(|_| ())
        .expect_err("no connection")
}

/// A stream that comes in these pieces.
fn stream(pieces: Vec<String>) -> Response {
    let pieces = futures_util::stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
    reply(
        200,
        "Text/Event-Stream;charset=utf-8",
        axum::body::Body::from_stream(pieces),
    )
}

/// A good result as the text of an event's data.
fn data(heard: &Heard, result: &serde_json::Value) -> String {
    json!({"jsonrpc": "2.0", "id": heard.body["id"], "result": result}).to_string()
}

#[tokio::test]
async fn a_session_is_kept_and_ended() {
    let server = HttpServer::start(|heard| {
        let mut response = proper(heard);
        if heard.word() == "initialize" {
            let session = "session-1".parse().expect("a value");
            response.headers_mut().insert("mcp-session-id", session);
        }
        Some(response)
    })
    .await;
    let mut settings = server.settings();
    settings.headers = vec![("X-Key".to_owned(), Secret::new("k3y-value"))];
    let mut connection = connected(settings).await;
    assert_eq!(connection.transport(), TransportKind::Http);
    assert_eq!(connection.protocol_version(), Some("2025-06-18"));
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    assert_eq!(gathered.inventory.tools.entries.len(), 1);
    let called = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(called.reply, Reply::Result(_)));
    assert_eq!(called.exchange.http_status, Some(200));
    let wire = connection.close().await;
    let replies: Vec<String> = wire
        .http
        .iter()
        .map(|http| format!("{} {} {}", http.method, http.status, http.with_session))
        .collect();
    assert_eq!(
        replies,
        [
            "server/discover 200 0",
            "initialize 200 1",
            "notifications/initialized 202 0",
            "tools/list 200 0",
            "tools/call 200 0"
        ]
    );
    // `server/discover`.
    assert_eq!(wire.envelope.error_codes, [(-32601, 1)].into());
    let rest = Wire {
        http: Vec::new(),
        envelope: Envelope::default(),
        results: Vec::new(),
        ..wire
    };
    assert_eq!(rest, Wire::default());

    let heard: Vec<String> = server
        .heard()
        .iter()
        .map(|heard| {
            format!(
                "{}: {} {} {} | {}",
                heard.word(),
                heard.header("mcp-session-id").unwrap_or("-"),
                heard.header("mcp-protocol-version").unwrap_or("-"),
                heard.header("x-key").unwrap_or("-"),
                heard.header("accept").unwrap_or("-"),
            )
        })
        .collect();
    insta::assert_snapshot!(heard.join("\n"), @r#"
    server/discover: - 2026-07-28 k3y-value | application/json, text/event-stream
    initialize: - - k3y-value | application/json, text/event-stream
    notifications/initialized: session-1 2025-06-18 k3y-value | application/json, text/event-stream
    tools/list: session-1 2025-06-18 k3y-value | application/json, text/event-stream
    tools/call: session-1 2025-06-18 k3y-value | application/json, text/event-stream
    DELETE: session-1 2025-06-18 k3y-value | */*
    "#);
}

#[tokio::test]
async fn event_streams_of_every_shape_are_read() {
    let server = HttpServer::start(|heard| match heard.word() {
        "initialize" => {
            let data = data(
                heard,
                &json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
            );
            let (one, two) = data.split_at(10);
            Some(stream(vec![
                format!("\u{feff}: hi\r\nevent: ping\r\ndata: text\r\n\r"),
                format!("\nid: 1\r\ndata:\r\n\r\ndata:{one}"),
                format!("{two}\r\n\r\n"),
            ]))
        }
        "tools/list" => Some(stream(vec![
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n".to_owned(),
            "data: {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r\r".to_owned(),
            "data: {\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"sampling/createMessage\"}\n\n"
                .to_owned(),
            "data: not a message\n\n".to_owned(),
            format!(
                "data: {}\n\n",
                data(heard, &json!({"tools": []})).replace(",\"", ",\ndata: \"")
            ),
        ])),
        _ => None,
    })
    .await;
    let mut connection = connected(server.settings()).await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none(), "{:?}", gathered.failure);
    let wire = connection.close().await;
    assert_eq!(wire.notifications[0].method, "notifications/progress");
    assert_eq!(wire.server_requests.len(), 2);
    assert_eq!(wire.noise_first, ["not a message"]);
    let answers: Vec<String> = server
        .heard()
        .iter()
        .filter(|heard| heard.word() == "answer")
        .map(|heard| heard.body.to_string())
        .collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    assert!(answers[1].contains("-32601"), "{}", answers[1]);
}

#[tokio::test]
async fn a_stream_is_taken_up_again_where_the_server_said_how() {
    let server = HttpServer::start(|heard| match heard.word() {
        "tools/list" => Some(stream(vec!["id: e7\nretry: 5\ndata:\n\n".to_owned()])),
        "GET" => {
            assert_eq!(heard.header("last-event-id"), Some("e7"));
            assert_eq!(heard.header("accept"), Some("text/event-stream"));
            Some(stream(vec![
                "data: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{}]}}\n\n".to_owned(),
            ]))
        }
        "tools/call" => Some(stream(vec![
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n".to_owned(),
        ])),
        _ => None,
    })
    .await;
    let mut connection = connected(server.settings()).await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none(), "{:?}", gathered.failure);
    let began = Instant::now();
    let called = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(matches!(called.reply, Reply::Broken));
    assert_eq!(
        called.exchange.failure.as_deref(),
        Some("the event stream ended without a reply")
    );
    assert!(connection.is_open());
    connection.close().await;
}

#[tokio::test]
async fn notifications_may_be_answered_with_200() {
    for (body, media) in [("null", "application/json"), ("", "")] {
        let server = HttpServer::start(move |heard| {
            (heard.word() == "notifications/initialized").then(|| reply(200, media, body))
        })
        .await;
        let mut connection = connected(server.settings()).await;
        assert!(connection.gather().await.failure.is_none());
        let notes = connection.close().await.notes;
        assert!(
            notes[0].starts_with("`notifications/initialized` was answered with HTTP 200 OK"),
            "{notes:?}"
        );
    }
}

#[tokio::test]
async fn what_is_no_server_is_said_so() {
    let cases: [(u16, &str, &str, ProbeState); 6] = [
        (401, "", "", ProbeState::Unauthorized),
        (403, "text/html", "<b>no</b>", ProbeState::Unauthorized),
        (
            404,
            "text/html",
            "<h1>\u{1b}[31mnot\nhere</h1>",
            ProbeState::NoHandshake,
        ),
        (200, "text/html", "<h1>hello</h1>", ProbeState::NotJson),
        (202, "", "", ProbeState::NotJson),
        (
            400,
            "application/json",
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"modern only"}}"#,
            ProbeState::NoHandshake,
        ),
    ];
    let mut messages = Vec::new();
    for (status, media, body, expected) in cases {
        let server = HttpServer::start(move |_| Some(reply(status, media, body))).await;
        let refusal = refusal(server.settings()).await;
        assert_eq!(refusal.state, expected, "{}", refusal.failure.message);
        let message = refusal.failure.message;
        messages.push(message.replace(server.url().as_str(), "URL"));
    }
    insta::assert_snapshot!(messages.join("\n"), @r#"
    URL wants credentials (HTTP 401); give them with --bearer or --header
    URL wants credentials (HTTP 403); give them with --bearer or --header
    URL: no usable reply to `initialize`: answered with HTTP 404 Not Found (text/html), and the body is no JSON: <h1> [31mnot here</h1>
    URL: no usable reply to `initialize`: answered with HTTP 200 OK (text/html), and the body is no JSON: <h1>hello</h1>
    URL: no usable reply to `initialize`: answered with HTTP 202 Accepted (no content type) and an empty body
    URL refused `initialize`: modern only (code -32000)
    "#);
}

#[tokio::test]
async fn nobody_there_is_noticed_at_once() {
    let began = Instant::now();
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port");
    let mut messages = Vec::new();
    for url in [
        format!("http://{closed}/mcp?key=s3cret"),
        "http://no-such-host.invalid/mcp".to_owned(),
        "ftp://127.0.0.1/mcp".to_owned(),
    ] {
        let target = Target::Url(Url::parse(&url).expect("an address"));
        let refusal = refusal(settings(target)).await;
        assert_eq!(refusal.state, ProbeState::Unreachable);
        messages.push(
            refusal
                .failure
                .message
                .replace(&closed.to_string(), "CLOSED"),
        );
    }
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(
        messages[0],
        "http://CLOSED/mcp cannot be reached: no connection: Connection refused"
    );
    assert!(messages[1].starts_with("http://no-such-host.invalid/mcp cannot be reached: "));
    assert_eq!(
        messages[2],
        "ftp://127.0.0.1/mcp cannot be reached: `ftp` addresses cannot be audited; use http or https"
    );
}

#[tokio::test]
async fn only_redirects_that_keep_method_and_origin_are_followed() {
    let to = |status: u16, location: &'static str| {
        move |heard: &Heard| {
            (heard.path == "/mcp").then(|| {
                let mut response = reply(status, "", "");
                let location = location.parse().expect("a value");
                response.headers_mut().insert("location", location);
                response
            })
        }
    };
    let server = HttpServer::start(to(307, "/mcp/")).await;
    let mut connection = connected(server.settings()).await;
    assert!(connection.gather().await.failure.is_none());
    let redirects = connection.close().await.redirects;
    assert_eq!(redirects.len(), 1, "each redirect is kept once");
    let target = redirects[0].to.as_deref().expect("an address");
    assert!(target.ends_with("/mcp/"), "{target}");
    let paths: Vec<String> = server.heard().into_iter().map(|heard| heard.path).collect();
    assert_eq!(paths, ["/mcp", "/mcp/", "/mcp/", "/mcp/", "/mcp/"]);

    for (status, location) in [
        (302, "/mcp/"),
        (307, "http://other.invalid/mcp?token=s3cret"),
        (308, "/mcp"),
        (301, ""),
    ] {
        let server = HttpServer::start(to(status, location)).await;
        let refusal = refusal(server.settings()).await;
        assert_eq!(refusal.state, ProbeState::NoHandshake);
        let message = refusal.failure.message;
        assert!(
            message.contains("redirect") && !message.contains("s3cret"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_lost_session_is_renewed_but_not_for_ever() {
    // Each session serves two requests.
    let requests = AtomicUsize::new(0);
    let server = HttpServer::start(move |heard| {
        let mut response = proper(heard);
        if heard.word() == "initialize" {
            requests.store(0, Ordering::SeqCst);
            let session = "s".parse().expect("a value");
            response.headers_mut().insert("mcp-session-id", session);
        } else if heard.body["id"].is_u64() && requests.fetch_add(1, Ordering::SeqCst) >= 2 {
            response = reply(404, "", "");
        }
        Some(response)
    })
    .await;
    let mut connection = connected(server.settings()).await;
    for _ in 0..5 {
        let called = connection.request("tools/call", Some("{}"), LONG).await;
        assert!(
            matches!(called.reply, Reply::Result(_)),
            "{:?}",
            called.exchange
        );
    }
    assert_eq!(
        connection.close().await.notes,
        ["the session was gone (HTTP 404) and was renewed"]
    );

    let none = HttpServer::start(|heard| {
        let mut response = proper(heard);
        if heard.word() == "initialize" {
            let session = "s".parse().expect("a value");
            response.headers_mut().insert("mcp-session-id", session);
        } else if heard.word() == "ping" {
            response = reply(404, "", "");
        }
        Some(response)
    })
    .await;
    let mut connection = connected(none.settings()).await;
    let ping = connection.request("ping", None, LONG).await;
    assert!(matches!(ping.reply, Reply::Broken));
    assert_eq!(ping.exchange.http_status, Some(404));
    connection.close().await;
}

#[tokio::test]
async fn a_rate_limit_is_waited_out() {
    let asked = AtomicUsize::new(0);
    let server = HttpServer::start(move |heard| {
        (heard.word() == "tools/list" && asked.fetch_add(1, Ordering::SeqCst) == 0).then(|| {
            let mut response = reply(429, "application/json", r#"{"result":null,"error":{}}"#);
            let wait = "1".parse().expect("a value");
            response.headers_mut().insert("retry-after", wait);
            response
        })
    })
    .await;
    let mut connection = connected(server.settings()).await;
    assert!(connection.gather().await.failure.is_none());
    connection.close().await;
    assert_eq!(
        server.words(),
        [
            "server/discover",
            "initialize",
            "notifications/initialized",
            "tools/list",
            "tools/list"
        ]
    );
}

#[tokio::test]
async fn a_silent_call_costs_its_limit_and_is_cancelled() {
    let server = HttpServer::start(|heard| {
        (heard.word() == "tools/call").then(|| {
            reply(
                200,
                "text/event-stream",
                axum::body::Body::from_stream(futures_util::stream::pending::<
                    Result<String, std::io::Error>,
                >()),
            )
        })
    })
    .await;
    let mut connection = connected(server.settings()).await;
    let called = connection
        .request("tools/call", Some("{}"), Duration::from_millis(200))
        .await;
    assert!(matches!(called.reply, Reply::Timeout));
    let ping = connection.request("tools/list", None, LONG).await;
    assert!(matches!(ping.reply, Reply::Result(_)));
    assert!(
        server
            .words()
            .contains(&"notifications/cancelled".to_owned())
    );
    connection.close().await;
}

#[tokio::test]
async fn errors_of_any_status_are_replies_and_the_rest_is_broken() {
    let server = HttpServer::start(|heard| match heard.body["params"]["name"].as_str() {
        Some("refused") => Some(reply(
            400,
            "application/json",
            json!({"jsonrpc": "2.0", "id": heard.body["id"], "error": {"code": -32602, "message": "bad"}})
                .to_string(),
        )),
        Some("crash") => Some(reply(500, "text/plain", "Internal error")),
        Some("other") => Some(reply(200, "application/json", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#)),
        Some("batch") => Some(reply(200, "application/json", "[]")),
        Some("bomb") => Some(reply(200, "application/json", " ".repeat((16 << 20) + 1))),
        _ => Some(result(heard, &json!({"protocolVersion": "2025-03-26"}))),
    })
    .await;
    let mut connection = connected(server.settings()).await;
    let mut seen = Vec::new();
    for name in ["refused", "crash", "other", "batch", "bomb"] {
        let params = format!(r#"{{"name":"{name}"}}"#);
        let called = connection.request("tools/call", Some(&params), LONG).await;
        seen.push(match called.reply {
            Reply::Error { code, message, .. } => {
                format!("{:?} {code} {message}", called.exchange.http_status)
            }
            reply => format!("{reply:?}: {}", called.exchange.failure.unwrap_or_default()),
        });
    }
    insta::assert_snapshot!(seen.join("\n"), @r#"
    Some(400) -32602 bad
    Broken: answered with HTTP 500 Internal Server Error (text/plain), and the body is no JSON: Internal error
    Broken: the body held no reply to this request
    Broken: answered with HTTP 200 OK (application/json), and the body is JSON but no object: []
    Broken: the reply is longer than 16 MiB
    "#);
    let wire = connection.close().await;
    assert_eq!(wire.stray_replies, 1);
}

#[tokio::test]
async fn a_restart_is_a_fresh_handshake() {
    let server = HttpServer::start(|_| None).await;
    let mut connection = connected(server.settings()).await;
    connection.restart().await.expect("a healthy server");
    let heard = server.heard();
    // The way is known: the era is not probed again.
    assert_eq!(heard[3].word(), "initialize");
    assert_eq!(heard[3].header("mcp-protocol-version"), None);
    connection.close().await;
}
