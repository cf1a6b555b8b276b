//! Which era and which transport an address speaks, and each way back.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::Response;
use futures_util::StreamExt as _;
use mcprobe::client::{Approach, ConnectFailure, ConnectSettings, Connection, Reply, connect};
use mcprobe::model::contact::{AuthDocumentKind, Carrier, Contact, Era, EraChoice, NamedBy, Reach};
use mcprobe::model::evidence::ProbeState;
use mcprobe::model::secret::{Redactor, Secret};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::common::http::{Heard, HttpServer, proper, reply, result};

const LONG: Duration = Duration::from_secs(30);

fn settings(server: &HttpServer, reach: Reach) -> ConnectSettings {
    ConnectSettings {
        approach: Approach {
            reach,
            probe_limit: Duration::from_millis(500),
            ..Approach::default()
        },
        ..server.settings()
    }
}

async fn reached(server: &HttpServer) -> Connection {
    connect(settings(server, Reach::default()))
        .await
        .unwrap_or_else(|failure| panic!("{failure:?}"))
}

async fn refused(server: &HttpServer) -> ConnectFailure {
    connect(settings(server, Reach::default()))
        .await
        .map(|_| ())
        .expect_err("no connection")
}

/// What was tried: "initialize 404 text/html: no message".
fn tried(contact: &Contact) -> String {
    let lines: Vec<String> = contact
        .attempts
        .iter()
        .map(|attempt| {
            format!(
                "{} {} {}: {}",
                attempt.what,
                attempt
                    .status
                    .map_or("-".to_owned(), |status| status.to_string()),
                attempt.media.as_deref().unwrap_or("-"),
                attempt.outcome
            )
        })
        .collect();
    lines.join("\n")
}

fn error(heard: &Heard, status: u16, error: &Value) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": heard.body["id"], "error": error});
    reply(status, "application/json", body.to_string())
}

/// A modern server with one tool that wants a header.
fn modern(heard: &Heard) -> Response {
    match heard.word() {
        "server/discover" => result(
            heard,
            &json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
        ),
        "tools/list" => result(
            heard,
            &json!({"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": {
                "region": {"type": "string", "x-mcp-header": "Region"}}}}]}),
        ),
        "tools/call" => result(heard, &json!({"content": []})),
        "GET" | "DELETE" => reply(405, "", ""),
        _ => error(heard, 404, &json!({"code": -32601, "message": "no"})),
    }
}

#[tokio::test]
async fn a_modern_server_gets_headers_that_say_what_is_in_the_body() {
    let server = HttpServer::start(|heard| Some(modern(heard))).await;
    let mut connection = reached(&server).await;
    assert_eq!(connection.era(), Era::Modern);
    assert_eq!(connection.contact().carrier, Some(Carrier::StreamableHttp));
    assert!(connection.gather().await.failure.is_none());
    let params = r#"{"name":"t","arguments":{"region":"é"}}"#;
    let call = connection.request("tools/call", Some(params), LONG).await;
    assert!(matches!(call.reply, Reply::Result(_)));
    let unknown = connection.request("ping", None, LONG).await;
    assert!(matches!(unknown.reply, Reply::Error { code: -32601, .. }));
    connection.restart().await.expect("a healthy server");
    connection.close().await;
    let heard: Vec<String> = server
        .heard()
        .iter()
        .map(|heard| {
            let header = |name| heard.header(name).unwrap_or("-").to_owned();
            format!(
                "{} {} {} {} {}",
                header("mcp-protocol-version"),
                header("mcp-method"),
                header("mcp-name"),
                header("mcp-param-region"),
                heard.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
            )
        })
        .collect();
    insta::assert_snapshot!(heard.join("\n"), @r#"
    2026-07-28 server/discover - - "2026-07-28"
    2026-07-28 tools/list - - "2026-07-28"
    2026-07-28 tools/call t =?base64?w6k=?= "2026-07-28"
    2026-07-28 ping - - "2026-07-28"
    2026-07-28 server/discover - - "2026-07-28"
    "#);
}

#[tokio::test]
async fn every_other_answer_leads_to_initialize() {
    for (answer, expected) in [
        (
            (
                400,
                "application/json",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Server not initialized"}}"#,
            ),
            "server/discover 400 application/json: no modern server (error -32000)",
        ),
        (
            (404, "text/html", "<h1>Not Found</h1>"),
            "server/discover 404 text/html: no message of a modern server",
        ),
        (
            (200, "application/json", r#"{"ok":true}"#),
            "server/discover 200 application/json: no message of a modern server",
        ),
        (
            (202, "", ""),
            "server/discover 202 -: no message of a modern server",
        ),
        (
            (500, "text/plain", "oops"),
            "server/discover 500 text/plain: no message of a modern server",
        ),
    ] {
        let server = HttpServer::start(move |heard| {
            (heard.word() == "server/discover").then(|| reply(answer.0, answer.1, answer.2))
        })
        .await;
        let connection = reached(&server).await;
        assert_eq!(connection.era(), Era::Legacy);
        assert_eq!(
            tried(connection.contact()),
            format!("{expected}\ninitialize 200 application/json: connected: 2025-06-18")
        );
        connection.close().await;
    }
}

#[tokio::test]
async fn a_probe_without_an_answer_costs_its_limit_alone() {
    let server = HttpServer::start(|heard| {
        (heard.word() == "server/discover").then(|| {
            let never = futures_util::stream::pending::<Result<String, std::io::Error>>();
            reply(200, "", Body::from_stream(never))
        })
    })
    .await;
    let connection = reached(&server).await;
    assert_eq!(connection.era(), Era::Legacy);
    assert!(tried(connection.contact()).contains(": no reply in time\n"));
    connection.close().await;
}

#[tokio::test]
async fn a_cold_start_is_waited_out_in_bounds() {
    for (cold, expected) in [(2, 5), (usize::MAX, 5)] {
        let asked = AtomicUsize::new(0);
        let server = HttpServer::start(move |heard| {
            (heard.word() != "GET" && asked.fetch_add(1, Ordering::SeqCst) < cold).then(|| {
                let mut response = reply(503, "text/html", "starting");
                let wait = "1".parse().expect("a value");
                response.headers_mut().insert("retry-after", wait);
                response
            })
        })
        .await;
        let connected = connect(settings(&server, Reach::default())).await;
        let words = server.words();
        let posts = words.iter().filter(|word| *word != "GET").count();
        match connected {
            Ok(connection) => {
                assert_eq!(cold, 2);
                connection.close().await;
            }
            Err(failure) => {
                assert_eq!(failure.state, ProbeState::NoHandshake);
                assert!(failure.failure.message.contains("HTTP 503"));
                // Three waits: the probe's, none for the handshake.
                assert_eq!(posts, expected, "{words:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_a_handshake_does_not_change_is_reported_at_once() {
    for (status, state) in [
        (403, ProbeState::Unauthorized),
        (407, ProbeState::NoHandshake),
        (451, ProbeState::NoHandshake),
    ] {
        let server = HttpServer::start(move |_| Some(reply(status, "text/plain", "no"))).await;
        let failure = refused(&server).await;
        assert_eq!(failure.state, state, "{status}");
        assert_eq!(server.words(), ["server/discover"]);
        assert!(failure.contact.auth.is_none());
    }
}

#[tokio::test]
async fn when_nothing_works_every_attempt_is_told() {
    let server = HttpServer::start(|heard| {
        Some(if heard.word() == "GET" {
            reply(404, "text/plain", "nothing")
        } else {
            reply(
                404,
                "Text/HTML; charset=utf-8",
                format!("<h1>s3cret-value{}</h1>", "é".repeat(300)),
            )
        })
    })
    .await;
    let mut settings = settings(&server, Reach::default());
    settings.redactor = Redactor::new([&Secret::new("s3cret-value")]);
    let failure = connect(settings).await.expect_err("no connection");
    assert_eq!(failure.state, ProbeState::NoHandshake);
    insta::assert_snapshot!(tried(&failure.contact), @"
    server/discover 404 text/html: no message of a modern server
    initialize 404 text/html: no message
    GET (endpoint event) 404 text/plain: no event stream
    tools/list 404 text/html: no modern server either
    ");
    let head = failure.contact.attempts[0].head.as_deref().expect("text");
    assert!(head.starts_with("<h1>[redacted]éé") && head.len() <= 200);
}

#[tokio::test]
async fn a_modern_server_without_discover_is_found_by_its_list() {
    let server = HttpServer::start(|heard| {
        Some(match heard.word() {
            "server/discover" | "initialize" => {
                error(heard, 404, &json!({"code": -32601, "message": "no"}))
            }
            _ => modern(heard),
        })
    })
    .await;
    let mut connection = reached(&server).await;
    assert_eq!(connection.era(), Era::Modern);
    assert_eq!(connection.gather().await.inventory.tools.entries.len(), 1);
    assert_eq!(
        connection.close().await.notes,
        ["a modern server without `server/discover`"]
    );
}

/// A server of HTTP with SSE: one stream, answers on it.
async fn older(endpoint: &'static str) -> HttpServer {
    type Line = Result<String, std::io::Error>;
    let stream: Arc<Mutex<Option<mpsc::UnboundedSender<Line>>>> = Arc::default();
    HttpServer::start(move |heard| {
        let path = heard.path.as_str();
        Some(match (heard.method.as_str(), path) {
            ("GET", "/mcp") => {
                let (say, said) = mpsc::unbounded_channel();
                let first = format!(
                    ": hello\r\ndata: {endpoint}\r\nevent: endpoint\r\n\r\ndata: {{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}}\n\n"
                );
                say.send(Ok(first)).expect("a listener");
                *stream.lock().expect("no panic") = Some(say);
                let said = futures_util::stream::unfold(said, |mut said| async move {
                    said.recv().await.map(|line| (line, said))
                });
                reply(200, "text/event-stream", Body::from_stream(said.boxed()))
            }
            ("POST", "/messages/") => {
                if heard.word() == "too much" {
                    return Some(error(heard, 413, &json!({"code": -32600, "message": "big"})));
                }
                if heard.word() == "in words" {
                    return Some(reply(400, "", "Invalid message"));
                }
                let body = proper(heard);
                if heard.body["id"].is_number() {
                    let stream = stream.lock().expect("no panic");
                    let say = stream.as_ref().expect("a stream").clone();
                    tokio::spawn(async move {
                        let bytes = axum::body::to_bytes(body.into_body(), 1 << 20).await;
                        let text = String::from_utf8(bytes.expect("bytes").to_vec());
                        let _ = say.send(Ok(format!(
                            "event: message\ndata: {}\n\n",
                            text.expect("text")
                        )));
                    });
                }
                reply(202, "text/plain", "Accepted")
            }
            _ => reply(405, "text/plain", "Method Not Allowed"),
        })
    })
    .await
}

#[tokio::test]
async fn http_with_sse_is_found_and_spoken() {
    let server = older("messages/?x=1&session=a").await;
    let mut connection = reached(&server).await;
    assert_eq!(connection.era(), Era::Legacy);
    assert_eq!(connection.contact().carrier, Some(Carrier::Sse));
    insta::assert_snapshot!(tried(connection.contact()), @"
    server/discover 405 text/plain: no message of a modern server
    initialize 405 text/plain: no message
    GET (endpoint event) 200 text/event-stream: a stream of HTTP with SSE
    initialize - -: connected: 2025-06-18
    ");
    let endpoint = connection.contact().endpoint.clone().expect("an endpoint");
    assert_eq!(endpoint.given, "messages/?x=1&session=a");
    assert!(
        endpoint
            .resolved
            .is_some_and(|url| url.ends_with("/messages/"))
    );
    assert!(connection.gather().await.failure.is_none());
    // A message that is turned away is answered by the refusal.
    let big = connection.request("too much", None, LONG).await;
    assert!(
        matches!(big.reply, Reply::Error { code: -32600, .. }),
        "{big:?}"
    );
    let refused = connection.request("in words", None, LONG).await;
    assert!(matches!(refused.reply, Reply::Broken), "{refused:?}");
    assert_eq!(refused.exchange.reply.as_deref(), Some("Invalid message"));
    let call = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(call.reply, Reply::Result(_)));
    // The known way: a fresh stream, and nothing is looked for.
    let before = server.words().len();
    connection.restart().await.expect("a healthy server");
    let mut again = server.words().split_off(before);
    again.retain(|word| word != "answer");
    assert_eq!(again[..2], ["GET", "initialize"]);
    let call = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(call.reply, Reply::Result(_)));
    let wire = connection.close().await;
    assert_eq!(wire.server_requests[0].method, "ping");
    assert!(wire.noise_first.is_empty(), "{wire:?}");

    let forced = Reach {
        carrier: Some(Carrier::Sse),
        ..Reach::default()
    };
    let before = server.words().len();
    let connection = connect(settings(&server, forced))
        .await
        .expect("a connection");
    assert_eq!(server.words()[before], "GET");
    connection.close().await;
    let forced = Reach {
        carrier: Some(Carrier::StreamableHttp),
        ..Reach::default()
    };
    let failure = connect(settings(&server, forced))
        .await
        .expect_err("no connection");
    assert_eq!(failure.contact.attempts.len(), 2);
}

#[tokio::test]
async fn nothing_is_sent_to_a_foreign_endpoint() {
    let other = HttpServer::start(|_| None).await;
    let foreign: &'static str = Box::leak(other.url().to_string().into_boxed_str());
    for endpoint in [foreign, "http://", "ftp://127.0.0.1/x"] {
        let server = older(endpoint).await;
        let mut settings = settings(&server, Reach::default());
        settings.headers = vec![("Authorization".to_owned(), Secret::new("Bearer s3cret"))];
        let began = Instant::now();
        let failure = connect(settings).await.expect_err("no connection");
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_eq!(failure.state, ProbeState::NoHandshake);
        let message = &failure.failure.message;
        assert!(message.contains("`endpoint` event"), "{message}");
        let found = failure.contact.endpoint.expect("an endpoint");
        assert!(found.refused.is_some());
    }
    assert!(other.heard().is_empty());
}

#[tokio::test]
async fn a_stream_without_an_endpoint_is_not_waited_for_long() {
    let server = HttpServer::start(|heard| {
        Some(match heard.word() {
            "GET" => {
                let never = futures_util::stream::pending::<Result<String, std::io::Error>>();
                reply(200, "text/event-stream", Body::from_stream(never))
            }
            _ => reply(400, "text/plain", "no"),
        })
    })
    .await;
    let failure = refused(&server).await;
    assert!(tried(&failure.contact).contains("no `endpoint` event in time"));
    assert!(failure.failure.message.contains("HTTP 400"));
}

#[tokio::test]
async fn credentials_metadata_is_read_after_401() {
    let server = HttpServer::start(|heard| {
        let host = heard.header("host").unwrap_or_default();
        Some(match heard.path.as_str() {
            "/mcp" => {
                let mut response = reply(401, "application/json", "{}");
                let value = format!(
                    "Bearer resource_metadata=\"http://{host}/meta\", scope=\"s3cret-value\""
                );
                let value = value.parse().expect("a value");
                response.headers_mut().insert("www-authenticate", value);
                response
            }
            "/meta" => {
                let body = json!({"resource": format!("http://{host}/mcp"),
                    "authorization_servers": [format!("http://{host}/tenant"), "http://192.0.2.1/"]});
                reply(200, "application/json", body.to_string())
            }
            "/.well-known/openid-configuration/tenant" => {
                reply(200, "application/json", r#"{"issuer":"x"}"#)
            }
            _ => reply(404, "text/html", "<h1>no</h1>"),
        })
    })
    .await;
    let mut settings = settings(&server, Reach::default());
    settings.headers = vec![("X-Key".to_owned(), Secret::new("k3y-value"))];
    settings.redactor = Redactor::new([&Secret::new("s3cret-value")]);
    let failure = connect(settings).await.expect_err("no connection");
    assert_eq!(failure.state, ProbeState::Unauthorized);
    let auth = failure.contact.auth.expect("metadata");
    assert!(auth.credentials_given);
    assert!(auth.challenges[0].contains("scope=\"[redacted]\""));
    let found: Vec<(AuthDocumentKind, NamedBy, Option<u16>, bool)> = auth
        .documents
        .iter()
        .map(|document| {
            (
                document.kind,
                document.named_by,
                document.status,
                document.failure.is_some(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                AuthDocumentKind::ProtectedResource,
                NamedBy::Challenge,
                Some(200),
                false
            ),
            (
                AuthDocumentKind::AuthorizationServer,
                NamedBy::Issuer,
                Some(404),
                false
            ),
            (
                AuthDocumentKind::OpenIdProvider,
                NamedBy::Issuer,
                Some(200),
                false
            ),
            // A public address over plain HTTP is not asked.
            (
                AuthDocumentKind::AuthorizationServer,
                NamedBy::Issuer,
                None,
                true
            ),
            (
                AuthDocumentKind::OpenIdProvider,
                NamedBy::Issuer,
                None,
                true
            ),
        ]
    );
    // The key goes to the server alone, not to what it names.
    for heard in server.heard() {
        assert_eq!(heard.header("x-key").is_some(), heard.path == "/mcp");
    }
}

#[tokio::test]
async fn without_a_challenge_the_well_known_addresses_are_tried() {
    let server = HttpServer::start(|heard| {
        Some(match heard.path.as_str() {
            "/mcp" => reply(401, "application/json", "{}"),
            _ => reply(404, "", ""),
        })
    })
    .await;
    let failure = refused(&server).await;
    assert_eq!(failure.state, ProbeState::Unauthorized);
    let auth = failure.contact.auth.expect("metadata");
    assert!(auth.challenges.is_empty() && !auth.credentials_given);
    let paths: Vec<String> = server.heard().into_iter().map(|heard| heard.path).collect();
    assert_eq!(
        paths,
        [
            "/mcp",
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-authorization-server",
        ]
    );
    // What the list alone is refused with is looked into as well.
    let server = HttpServer::start(|heard| {
        (heard.word() == "tools/list").then(|| reply(401, "application/json", "{}"))
    })
    .await;
    let mut connection = reached(&server).await;
    let gathered = connection.gather().await;
    assert_eq!(
        gathered.failure.expect("a failure").0,
        ProbeState::Unauthorized
    );
    assert!(connection.contact().auth.is_some());
    connection.close().await;
}

#[tokio::test]
async fn a_forced_era_is_the_only_one() {
    let server = HttpServer::start(|_| None).await;
    let only = |era| Reach {
        era: EraChoice::Only(era),
        ..Reach::default()
    };
    let failure = connect(settings(&server, only(Era::Modern)))
        .await
        .expect_err("a legacy server");
    assert_eq!(failure.state, ProbeState::NoHandshake);
    assert_eq!(server.words(), ["server/discover"]);
    let connection = connect(settings(&server, only(Era::Legacy)))
        .await
        .expect("a connection");
    assert_eq!(server.words()[1], "initialize");
    connection.close().await;
}

#[tokio::test]
async fn a_server_may_ask_on_a_stream_of_its_own() {
    type Line = Result<String, std::io::Error>;
    let (ask, asked) = mpsc::unbounded_channel::<Line>();
    let (tell, told) = mpsc::unbounded_channel::<Line>();
    let streams = Mutex::new((Some(asked), Some(told)));
    let as_body = |lines: mpsc::UnboundedReceiver<Line>| {
        Body::from_stream(futures_util::stream::unfold(
            lines,
            |mut lines| async move { lines.recv().await.map(|line| (line, lines)) },
        ))
    };
    let server = HttpServer::start(move |heard| {
        let mut streams = streams.lock().expect("no panic");
        match heard.word() {
            "GET" => {
                let lines = streams.0.take().expect("one GET");
                Some(reply(200, "text/event-stream", as_body(lines)))
            }
            "tools/call" => {
                let question = json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create"});
                ask.send(Ok(format!("data: {question}\n\n")))
                    .expect("a listener");
                let lines = streams.1.take().expect("one call");
                Some(reply(200, "text/event-stream", as_body(lines)))
            }
            // The call ends once the question is answered.
            "answer" => {
                let result = json!({"jsonrpc": "2.0", "id": 3, "result": {"content": []}});
                tell.send(Ok(format!("data: {result}\n\n")))
                    .expect("a listener");
                None
            }
            _ => None,
        }
    })
    .await;
    let answering = Reach {
        answer: Some(mcprobe::model::contact::Answer::Accept),
        ..Reach::default()
    };
    let mut connection = connect(settings(&server, answering))
        .await
        .expect("a connection");
    let call = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(call.reply, Reply::Result(_)), "{call:?}");
    assert_eq!(
        connection.close().await.answers[0].method,
        "elicitation/create"
    );
    let words = server.words();
    assert!(words.contains(&"answer".to_owned()), "{words:?}");
}
