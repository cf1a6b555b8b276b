//! Lines that look like replies and are none.

use std::time::Duration;

use mcprobe::client::{ConnectSettings, Reply, connect};
use mcprobe::model::evidence::ProbeState;
use mcprobe::model::target::{ServerCommand, Target};
use serde_json::{Value, json};

use crate::common::http::{HttpServer, reply};
use crate::common::settings;
use crate::common::stdio::Scripted;

const LONG: Duration = Duration::from_secs(30);

#[tokio::test]
async fn an_echo_speaks_no_mcp() {
    let echo = settings(Target::Command(ServerCommand {
        argv: vec!["cat".to_owned()],
        ..ServerCommand::default()
    }));
    let over_http =
        HttpServer::start(|heard| Some(reply(200, "application/json", heard.body.to_string())))
            .await
            .settings();
    for settings in [echo, over_http] {
        let message = refused(settings).await;
        assert!(
            message.ends_with(
                "no usable reply to `initialize`: it echoes what it is sent; it does not speak MCP"
            ),
            "{message}"
        );
    }
}

async fn refused(settings: ConnectSettings) -> String {
    let failure = connect(settings).await.expect_err("a refusal");
    assert_eq!(failure.state, ProbeState::NoHandshake);
    failure.failure.message
}

#[tokio::test]
async fn a_server_behind_an_echo_is_heard() {
    let echoed = |method: &str, result: Value| {
        json!([
            {"raw": format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"method\":\"{method}\",\"params\":{{}}}}\n"
            )},
            {"delayMs": 20},
            {"result": result},
        ])
    };
    let server = Scripted::new(json!({"on": {
        "initialize": echoed("initialize", json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
        })),
        "tools/list": echoed("tools/list", json!({"tools": [{"name": "a"}]})),
    }}));
    let mut connection = server.connect().await;
    assert_eq!(connection.protocol_version(), Some("2025-11-25"));
    assert_eq!(connection.gather().await.inventory.tools.entries.len(), 1);
    let wire = connection.close().await;
    assert_eq!(wire.notes, ["the server echoes what it is sent"]);
    assert!(wire.server_requests.is_empty());
    // Nothing was said to the echo.
    assert!(!server.log().join("\n").contains("-32601"));
}

#[tokio::test]
async fn replies_that_were_sent_before_any_request_are_stray() {
    let guesses: Vec<Value> = (1..50)
        .map(|id| json!({"say": {"jsonrpc": "2.0", "id": id, "result": {"content": []}}}))
        .collect();
    let server = Scripted::new(json!({"start": guesses}));
    let mut connection = server.connect().await;
    assert_eq!(connection.server().name.as_deref(), Some("scripted"));
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none(), "{:?}", gathered.failure);
    assert_eq!(gathered.inventory.tools.entries.len(), 1);
    let called = connection
        .request("tools/call", Some(r#"{"name":"echo"}"#), LONG)
        .await;
    assert!(called.exchange.reply.expect("a reply").contains("\"ok\""));
    assert_eq!(connection.close().await.stray_replies, 49);
}

#[tokio::test]
async fn what_came_after_a_reply_is_no_reply_to_the_next_request() {
    let ahead = json!([
        {"result": {"tools": []}},
        {"say": {"jsonrpc": "2.0", "id": 3, "result": {"content": ["a guess"]}}},
        {"say": {"jsonrpc": "2.0", "method": "notifications/message"}},
    ]);
    let server = Scripted::new(json!({"on": {"tools/list": ahead}}));
    let mut connection = server.connect().await;
    assert!(connection.gather().await.failure.is_none());
    // The lines above are here by the time the server can read what comes next.
    connection.notify("notifications/x", None).await;
    while !server.log().iter().any(|line| line.contains("/x")) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let called = connection
        .request("tools/call", Some(r#"{"name":"echo"}"#), LONG)
        .await;
    assert!(matches!(called.reply, Reply::Result(_)));
    assert!(called.exchange.reply.expect("a reply").contains("\"ok\""));
    let wire = connection.close().await;
    assert_eq!(wire.stray_replies, 1);
    assert_eq!(wire.notifications.len(), 1);
}
