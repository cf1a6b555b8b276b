//! Messages that break the rules of their envelope, and are read all the same.

use std::time::Duration;

use mcprobe::client::{Reply, connect};
use mcprobe::model::evidence::Wire;
use mcprobe::model::probe::EnvelopeKind;
use serde_json::{Value, json};

use crate::common::http::{HttpServer, reply};
use crate::common::stdio::Scripted;

const LONG: Duration = Duration::from_secs(30);

/// What a call showed, for a server that takes these steps at it.
async fn after_a_call(steps: Value) -> (Reply, Wire) {
    let server = Scripted::new(json!({"on": {"tools/call": steps}}));
    let mut connection = server.connect().await;
    let called = connection
        .request("tools/call", Some(r#"{"name":"echo"}"#), LONG)
        .await;
    (called.reply, connection.close().await)
}

fn kinds(wire: &Wire) -> Vec<(EnvelopeKind, u64)> {
    let faults = wire.envelope.faults.iter();
    faults.map(|fault| (fault.kind, fault.count)).collect()
}

#[tokio::test]
async fn each_fault_is_written_down_with_what_was_asked() {
    use EnvelopeKind::{
        Batch, ErrorShape, HeaderFraming, IdEcho, JsonNoise, JsonrpcVersion, NotUtf8,
        ResultXorError, SplitLines,
    };
    let raw = |text: &str| json!([{"raw": text}]);
    let and_result = |text: &str| json!([{"raw": text}, {"result": {"content": []}}]);
    for (steps, expected) in [
        (raw("{\"id\":$ID,\"result\":{}}\n"), vec![JsonrpcVersion]),
        (
            raw("{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{}}\n"),
            vec![IdEcho],
        ),
        (
            and_result("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}\n"),
            vec![IdEcho],
        ),
        (
            and_result("{\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{}}\n"),
            vec![IdEcho],
        ),
        // Late replies to what we asked before are none of these.
        (
            and_result("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"),
            vec![],
        ),
        (
            raw("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{},\"error\":null}\n"),
            vec![ResultXorError],
        ),
        (
            raw("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":\"E1\"}}\n"),
            vec![ErrorShape],
        ),
        (
            and_result("{\"level\":\"info\",\"msg\":\"called\"}\n"),
            vec![JsonNoise],
        ),
        (
            and_result("{\n\"jsonrpc\":\"2.0\",\n\"method\":\"a\"\n}\n"),
            vec![SplitLines],
        ),
        (and_result("Content-Length: 40\n\n"), vec![HeaderFraming]),
        (
            and_result("[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]\n"),
            vec![Batch],
        ),
        (
            json!([
                {"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":\""},
                {"bytes": [0xB0]},
                {"raw": "\"}\n"},
            ]),
            vec![NotUtf8],
        ),
    ] {
        let picture = steps.to_string();
        let (reply, wire) = after_a_call(steps).await;
        let found: Vec<EnvelopeKind> = kinds(&wire).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(found, expected, "{picture}");
        assert!(
            matches!(reply, Reply::Result(_) | Reply::Error { .. }),
            "{picture}: {reply:?}"
        );
        for fault in &wire.envelope.faults {
            let during = fault.during.as_deref().unwrap_or_default();
            assert!(during.contains("tools/call"), "{picture}: {during}");
        }
    }
}

#[tokio::test]
async fn codes_and_early_messages_are_counted() {
    let error = json!({"code": -32000, "message": "no"});
    let server = Scripted::new(json!({"on": {
        "initialize": [
            {"say": {"jsonrpc": "2.0", "id": "s1", "method": "roots/list"}},
            {"say": {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}},
            {"result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}},
        ],
        "tools/call": [{"error": error}],
    }}));
    let mut connection = server.connect().await;
    for _ in 0..2 {
        connection.request("tools/call", None, LONG).await;
    }
    let wire = connection.close().await;
    assert_eq!(wire.envelope.error_codes[&-32000], 2);
    let early: Vec<&str> = wire
        .before_initialized
        .iter()
        .map(|seen| seen.method.as_str())
        .collect();
    assert_eq!(early, ["roots/list", "notifications/message"]);
}

#[tokio::test]
async fn over_http_other_bodies_are_no_messages() {
    let server = HttpServer::start(|heard| {
        (heard.word() == "tools/call").then(|| match &heard.body["params"]["name"] {
            Value::String(name) if name == "mark" => reply(
                200,
                "application/json",
                format!(
                    "\u{feff}{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{}}}}",
                    heard.body["id"]
                ),
            ),
            _ => reply(404, "application/json", r#"{"detail":"Not Found"}"#),
        })
    })
    .await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    connection
        .request("tools/call", Some(r#"{"name":"other"}"#), LONG)
        .await;
    assert!(kinds(&connection.wire()).is_empty());
    let marked = connection
        .request("tools/call", Some(r#"{"name":"mark"}"#), LONG)
        .await;
    assert!(matches!(marked.reply, Reply::Result(_)));
    assert_eq!(
        kinds(&connection.wire()),
        [(EnvelopeKind::ByteOrderMark, 1)]
    );
}
