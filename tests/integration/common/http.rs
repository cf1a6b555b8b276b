//! A scripted HTTP server.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use mcprobe::client::ConnectSettings;
use mcprobe::model::target::Target;
use serde_json::{Value, json};
use url::Url;

use super::settings;

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    /// The body; `null` when it is no JSON.
    pub(crate) body: Value,
}

impl Heard {
    /// The JSON-RPC method, or the HTTP method where there is none.
    pub(crate) fn word(&self) -> &str {
        self.body["method"]
            .as_str()
            .unwrap_or(if self.body.is_null() {
                self.method.as_str()
            } else {
                "answer"
            })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Serves an application on a free port of this machine until the test is over.
pub(crate) async fn serve(app: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

type Play = dyn Fn(&Heard) -> Response + Send + Sync;
type Log = Arc<Mutex<Vec<Heard>>>;

/// A server on a free port of this machine.
pub(crate) struct HttpServer {
    address: SocketAddr,
    heard: Log,
}

impl HttpServer {
    /// Answers as the function says; `None` leaves it to [`proper`].
    pub(crate) async fn start(
        play: impl Fn(&Heard) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        let heard: Log = Arc::default();
        let play: Arc<Play> = Arc::new(move |heard| play(heard).unwrap_or_else(|| proper(heard)));
        let app = Router::new()
            .fallback(take)
            .with_state((Arc::clone(&heard), play));
        let address = serve(app).await;
        Self { address, heard }
    }

    pub(crate) fn url(&self) -> Url {
        Url::parse(&format!("http://{}/mcp", self.address)).expect("an address")
    }

    pub(crate) fn settings(&self) -> ConnectSettings {
        settings(Target::Url(self.url()))
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("no panic").clone()
    }

    /// The words of all requests so far.
    pub(crate) fn words(&self) -> Vec<String> {
        self.heard()
            .iter()
            .map(|heard| heard.word().to_owned())
            .collect()
    }
}

async fn take(State((all, play)): State<(Log, Arc<Play>)>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes: Bytes = axum::body::to_bytes(body, 1 << 24)
        .await
        .unwrap_or_default();
    let heard = Heard {
        method: parts.method,
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    };
    all.lock().expect("no panic").push(heard.clone());
    play(&heard)
}

/// A reply of any status, type and body.
pub(crate) fn reply(status: u16, media: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::builder().status(status);
    if !media.is_empty() {
        response = response.header("content-type", media);
    }
    response.body(body.into()).expect("a response")
}

/// A good result as JSON.
pub(crate) fn result(heard: &Heard, result: &Value) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": heard.body["id"], "result": result});
    reply(200, "application/json", body.to_string())
}

/// What a proper server answers.
pub(crate) fn proper(heard: &Heard) -> Response {
    match heard.word() {
        "initialize" => result(
            heard,
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1.0.0"},
            }),
        ),
        "tools/list" => result(
            heard,
            &json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
        ),
        "tools/call" => result(heard, &json!({"content": []})),
        "GET" | "DELETE" => reply(405, "", ""),
        "answer" => reply(202, "", ""),
        _ if heard.body["id"].is_null() => reply(202, "", ""),
        "ping" => result(heard, &json!({})),
        word => {
            let error = json!({"code": -32601, "message": format!("no method {word}")});
            let body = json!({"jsonrpc": "2.0", "id": heard.body["id"], "error": error});
            reply(200, "application/json", body.to_string())
        }
    }
}
