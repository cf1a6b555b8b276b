//! Texts and HTTP requests as a caller makes them.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use mcprobe::client::{Exchanged, RawHttp, Reply, connect, dial};
use mcprobe::model::contact::{AfterAnswer, Answer};
use mcprobe::model::secret::{Redactor, Secret};
use mcprobe::model::wire::EndedBy;
use serde_json::json;

use crate::common::http::{HttpServer, proper, reply};
use crate::common::stdio::Scripted;

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(300);

fn kept(exchanged: &Exchanged) -> &str {
    exchanged.exchange.reply.as_deref().unwrap_or("-")
}

#[tokio::test]
async fn a_text_is_sent_as_it_is_and_its_own_id_finds_the_reply() {
    let server = Scripted::new(json!({"on": {"odd": [
        {"raw": "banner\n"},
        {"say": {"jsonrpc": "2.0", "method": "notifications/message"}},
        {"say": {"jsonrpc": "2.0", "id": 7, "method": "ping"}},
        {"say": {"jsonrpc": "2.0", "id": "other", "result": {}}},
        {"result": {"yes": true}},
    ]}}));
    let mut connection = server.connect().await;
    let text = r#"{"method":"odd", "id":"m-1","jsonrpc":"1.0"}"#;
    let exchanged = connection.raw(text, LONG).await;
    assert_eq!(
        kept(&exchanged),
        r#"{"jsonrpc":"2.0","id":"m-1","result":{"yes":true}}"#
    );
    assert!(matches!(exchanged.reply, Reply::Result(_)));
    assert_eq!(exchanged.exchange.request, text);
    assert_eq!(
        exchanged.between,
        [
            "banner",
            r#"{"jsonrpc":"2.0","method":"notifications/message"}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"other","result":{}}"#,
        ]
    );
    assert!(server.log().contains(&text.to_owned()));
    // What a proper request overhears is nobody's business.
    let asked = connection.request("odd", None, LONG).await;
    assert!(asked.between.is_empty());
    connection.close().await;
}

#[tokio::test]
async fn a_text_without_an_id_takes_the_first_reply_of_any_shape() {
    let server = Scripted::new(json!({"on": {
        "": [
            [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}\n"}],
            [{"raw": "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]\n"}],
            [{"delayMs": 0}],
        ],
        "tools/call": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32602,\"message\":\"?\"}}\n"}],
    }}));
    let mut connection = server.connect().await;
    let broken = connection.raw(r#"{"jsonrpc":"#, LONG).await;
    assert!(matches!(broken.reply, Reply::Error { code: -32700, .. }));
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    let batch = connection.raw(batch, LONG).await;
    assert!(matches!(batch.reply, Reply::Broken), "{batch:?}");
    assert!(kept(&batch).starts_with("[{"));
    // An error without an id is taken for a reply to a text that breaks the rules.
    let call = r#"{"jsonrpc":"3.0","id":90,"method":"tools/call","params":[]}"#;
    let call = connection.raw(call, LONG).await;
    assert!(matches!(call.reply, Reply::Error { code: -32602, .. }));
    let silent = connection.raw("nothing", SHORT).await;
    assert!(matches!(silent.reply, Reply::Timeout));
    assert!(silent.latency >= SHORT);
    let ping = connection.request("ping", None, LONG).await;
    assert!(matches!(ping.reply, Reply::Result(_)));
    let wire = connection.close().await;
    assert_eq!(wire.stray_replies, 0);
    assert!(
        !server
            .log()
            .iter()
            .any(|line| line.contains("notifications/cancelled"))
    );
}

#[tokio::test]
async fn before_the_handshake_the_first_message_is_the_callers() {
    let server = Scripted::new(json!({}));
    let mut connection = dial(server.settings()).await.expect("a process");
    let text = r#"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"1900-01-01"}}"#;
    let exchanged = connection.raw(text, LONG).await;
    assert!(kept(&exchanged).contains("2025-11-25"));
    let ending = connection.close().await.ending.expect("an end");
    assert_eq!(ending.by, EndedBy::EndOfInput);
    assert_eq!(server.log(), [text]);
}

#[tokio::test]
async fn what_came_of_an_answer_is_written_down() {
    let server = Scripted::new(json!({"on": {"tools/call": [
        {"say": {"jsonrpc": "2.0", "id": "q", "method": "elicitation/create"}},
        {"await": "error"},
        {"exit": 0},
    ]}}));
    let mut connection = server.connect().await;
    let call = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(call.reply, Reply::Closed));
    let answers = connection.close().await.answers;
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].method, "elicitation/create");
    assert_eq!(answers[0].answer, Answer::Refused);
    assert_eq!(answers[0].during, "tools/call");
    assert_eq!(answers[0].then, AfterAnswer::Closed);
}

#[tokio::test]
async fn http_requests_carry_our_headers_unless_told_otherwise() {
    let server = HttpServer::start(|heard| {
        let mut response = match heard.header("x-probe") {
            Some(_) => reply(403, "Text/HTML; charset=utf-8", "go away s3cret-value"),
            None => proper(heard),
        };
        let headers: &mut HeaderMap = response.headers_mut();
        headers.insert("mcp-session-id", "s-1".parse().expect("a value"));
        headers.append("x-two", "a".parse().expect("a value"));
        headers.append("x-two", "s3cret-value".parse().expect("a value"));
        Some(response)
    })
    .await;
    let mut settings = server.settings();
    settings.redactor = Redactor::new([&Secret::new("s3cret-value")]);
    settings.headers = vec![("X-Key".to_owned(), Secret::new("k3y"))];
    let connection = connect(settings).await.expect("a connection");
    let set = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
    let request = RawHttp {
        method: "POST".to_owned(),
        headers: vec![
            set("X-Probe", "1"),
            set("Host", "evil.example"),
            set("Origin", "https://evil.example"),
            ("Mcp-Session-Id".to_owned(), None),
            ("mcp-protocol-version".to_owned(), None),
        ],
        body: Some("{oops".to_owned()),
    };
    let answer = connection.http_raw(&request, LONG).await;
    assert_eq!(answer.status, Some(403));
    assert_eq!(answer.media, "text/html");
    assert_eq!(answer.body, "go away [redacted]");
    assert_eq!(answer.headers["x-two"], "a, [redacted]");
    assert_eq!(answer.failure, None);
    let heard = server.heard();
    let last = heard.last().expect("a request");
    let seen: Vec<&str> = [
        "host",
        "origin",
        "mcp-session-id",
        "mcp-protocol-version",
        "x-key",
        "content-type",
    ]
    .into_iter()
    .map(|name| last.header(name).unwrap_or("-"))
    .collect();
    assert_eq!(
        seen,
        [
            "evil.example",
            "https://evil.example",
            "-",
            "-",
            "k3y",
            "application/json"
        ]
    );
    let bad = RawHttp {
        method: "GET".to_owned(),
        headers: vec![set("a b", "1")],
        body: None,
    };
    let bad = connection.http_raw(&bad, LONG).await;
    assert_eq!(bad.status, None);
    assert!(bad.failure.is_some_and(|why| why.contains("`a b`")));
    connection.close().await;
}

#[tokio::test]
async fn no_body_and_no_stream_is_read_for_ever() {
    let server = HttpServer::start(|heard| match heard.word() {
        "GET" => {
            let never = futures_util::stream::pending::<Result<String, std::io::Error>>();
            Some(reply(
                200,
                "text/event-stream",
                axum::body::Body::from_stream(never),
            ))
        }
        "long" => Some(reply(200, "text/plain", "é".repeat(100_000))),
        _ => None,
    })
    .await;
    let connection = connect(server.settings()).await.expect("a connection");
    let began = Instant::now();
    let get = RawHttp {
        method: "GET".to_owned(),
        headers: vec![("accept".to_owned(), Some("text/event-stream".to_owned()))],
        body: None,
    };
    let stream = connection.http_raw(&get, LONG).await;
    assert_eq!(
        (stream.status, stream.media.as_str()),
        (Some(200), "text/event-stream")
    );
    assert!(began.elapsed() < Duration::from_secs(10));
    let long = RawHttp {
        method: "POST".to_owned(),
        headers: Vec::new(),
        body: Some(r#"{"jsonrpc":"2.0","id":1,"method":"long"}"#.to_owned()),
    };
    let long = connection.http_raw(&long, LONG).await;
    assert!(long.body.len() <= 64 * 1024);
    assert_eq!(
        long.failure.as_deref(),
        Some("the body is longer than 64 KiB")
    );
    connection.close().await;
}
