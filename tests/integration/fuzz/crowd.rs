//! Servers that serve one session at a time are not blamed for what they say to
//! several.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use mcprobe::audit::Audited;
use mcprobe::config::file::Level;
use mcprobe::config::merge::Words;
use mcprobe::model::fuzz::FuzzRow;
use serde_json::{Value, json as value};
use tokio::sync::Semaphore;

use super::jobs::run;
use super::run::tool;
use crate::common::http::serve;

/// Takes one call at a time and turns others away.
struct Narrow {
    free: Semaphore,
    /// Whether its first call waits until another was turned away.
    meets: AtomicBool,
    turned_away: Semaphore,
    status: StatusCode,
}

async fn start(status: StatusCode, meets: bool) -> String {
    let narrow = Arc::new(Narrow {
        free: Semaphore::new(1),
        meets: AtomicBool::new(meets),
        turned_away: Semaphore::new(0),
        status,
    });
    let app = Router::new().fallback(answer).with_state(narrow);
    format!("http://{}/mcp", serve(app).await)
}

async fn answer(State(narrow): State<Arc<Narrow>>, body: Bytes) -> Response {
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    };
    let Some(id) = message.get("id") else {
        return StatusCode::ACCEPTED.into_response();
    };
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => value!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "narrow", "version": "1.0.0"},
        }),
        "tools/list" => {
            let tools: Vec<Value> = (0..6).map(|at| tool(&format!("tool_{at}"))).collect();
            value!({ "tools": tools })
        }
        "tools/call" => {
            let Ok(_in_hand) = narrow.free.try_acquire() else {
                narrow.turned_away.add_permits(1);
                let error = value!({"code": -32000, "message": "busy: one call at a time"});
                let reply = value!({"jsonrpc": "2.0", "id": id, "error": error});
                return (narrow.status, Json(reply)).into_response();
            };
            if narrow.meets.swap(false, Ordering::SeqCst) {
                let met = narrow.turned_away.acquire().await;
                met.expect("the server is there").forget();
            }
            let good = message["params"]["arguments"]["key"].is_string();
            value!({ "isError": !good, "content": [{"type": "text", "text": "it takes a key"}] })
        }
        _ => value!({}),
    };
    Json(value!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

async fn audited(url: String, jobs: usize) -> Audited {
    // An audit is a large future.
    Box::pin(run(Words {
        url: Some(url),
        fuzz: Some(Level::Safe),
        jobs: Some(jobs),
        // Its requests would be turned away or met as well.
        no_probe: true,
        ..Words::default()
    }))
    .await
}

fn rows(audited: &Audited) -> Vec<(String, String, &'static str)> {
    let of = |row: &FuzzRow| (row.tool.clone(), row.case.label.clone(), row.outcome.word());
    let run = audited.evidence.fuzz.as_ref().expect("calls");
    run.rows.iter().map(of).collect()
}

#[tokio::test]
async fn a_server_that_is_busy_with_another_session_is_called_by_one() {
    for status in [StatusCode::SERVICE_UNAVAILABLE, StatusCode::CONFLICT] {
        let serial = audited(start(status, false).await, 1).await;
        let parallel = audited(start(status, true).await, 4).await;
        assert_eq!(rows(&serial), rows(&parallel), "{status}");
        assert_eq!(serial.report.scores, parallel.report.scores, "{status}");
        let told = |audited: &Audited| -> usize {
            let notes = audited.report.notes.iter();
            notes
                .filter(|note| note.contains("several sessions"))
                .count()
        };
        assert_eq!((told(&serial), told(&parallel)), (0, 1), "{status}");
    }
}
