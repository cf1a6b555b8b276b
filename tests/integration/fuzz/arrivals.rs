//! What one slow or silent tool costs the others, by a server's log of arrivals:
//! who was in hand together, and in which order things came. No time is measured.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use mcprobe::audit::Audited;
use mcprobe::config::file::Level;
use mcprobe::config::merge::Words;
use mcprobe::model::fuzz::{FuzzRow, Outcome};
use serde_json::{Value, json as value};
use tokio::sync::watch;

use super::jobs::run;
use super::run::{rows, tool};
use crate::common::http::serve;

/// `slow` answers its first call when every quick tool was called; `hang` never.
const SLOW: &str = "a_slow";
const HANG: &str = "b_hang";
const QUICK: [&str; 6] = [
    "c_quick", "d_quick", "e_quick", "f_quick", "g_quick", "h_quick",
];

/// What came, and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Call(String),
    SlowAnswered,
    /// The client gave a call up.
    Cancelled,
    Ping,
}

struct Desk {
    log: Mutex<Vec<Mark>>,
    /// The tools that were called so far.
    called: watch::Sender<BTreeSet<String>>,
    listed: Vec<&'static str>,
}

impl Desk {
    fn note(&self, mark: Mark) {
        self.log.lock().expect("no panic").push(mark);
    }

    /// Waits until all of these were called.
    async fn wait_for(&self, names: &[&str]) {
        let mut called = self.called.subscribe();
        let all = called.wait_for(|called| names.iter().all(|name| called.contains(*name)));
        all.await.expect("the desk is there");
    }

    fn log(&self) -> Vec<Mark> {
        self.log.lock().expect("no panic").clone()
    }
}

async fn start(listed: Vec<&'static str>) -> (String, Arc<Desk>) {
    let desk = Arc::new(Desk {
        log: Mutex::default(),
        called: watch::Sender::default(),
        listed,
    });
    let app = Router::new().fallback(answer).with_state(Arc::clone(&desk));
    (format!("http://{}/mcp", serve(app).await), desk)
}

async fn answer(State(desk): State<Arc<Desk>>, body: Bytes) -> Response {
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    };
    let method = message["method"].as_str().unwrap_or_default();
    if method == "notifications/cancelled" {
        desk.note(Mark::Cancelled);
    }
    let Some(id) = message.get("id") else {
        return StatusCode::ACCEPTED.into_response();
    };
    let result = match method {
        "initialize" => value!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "desk", "version": "1.0.0"},
        }),
        "tools/list" => {
            let tools: Vec<Value> = desk.listed.iter().map(|name| tool(name)).collect();
            value!({ "tools": tools })
        }
        "tools/call" => {
            called(
                &desk,
                message["params"]["name"].as_str().unwrap_or_default(),
            )
            .await;
            let good = message["params"]["arguments"]["key"].is_string();
            value!({ "isError": !good, "content": [{"type": "text", "text": "it takes a key"}] })
        }
        "ping" => {
            desk.note(Mark::Ping);
            value!({})
        }
        _ => value!({}),
    };
    Json(value!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

async fn called(desk: &Desk, name: &str) {
    desk.note(Mark::Call(name.to_owned()));
    let mut is_first = false;
    desk.called
        .send_modify(|called| is_first = called.insert(name.to_owned()));
    match name {
        HANG => std::future::pending().await,
        SLOW if is_first => {
            desk.wait_for(&QUICK).await;
            desk.note(Mark::SlowAnswered);
        }
        // The three tools in front are in hand together before anything goes on.
        name if name == QUICK[0] && desk.listed.contains(&SLOW) => {
            desk.wait_for(&[SLOW, HANG]).await;
        }
        _ => {}
    }
}

fn of<'a>(audited: &'a Audited, tool: &str) -> Vec<&'a FuzzRow> {
    rows(audited)
        .iter()
        .filter(|row| row.tool == tool)
        .collect()
}

fn place(log: &[Mark], mark: &Mark) -> usize {
    log.iter()
        .position(|other| other == mark)
        .unwrap_or_else(|| panic!("no {mark:?}: {log:?}"))
}

fn call(tool: &str) -> Mark {
    Mark::Call(tool.to_owned())
}

#[tokio::test]
async fn a_slow_tool_and_a_silent_one_keep_no_other_waiting() {
    let (url, desk) = start([SLOW, HANG].into_iter().chain(QUICK).collect()).await;
    let audited = run(Words {
        url: Some(url),
        fuzz: Some(Level::Safe),
        // Its requests would count as well.
        no_probe: true,
        jobs: Some(3),
        call_timeout: Some("3".to_owned()),
        ..Words::default()
    })
    .await;
    assert!(audited.evidence.cut_short.is_none());
    let log = desk.log();
    // The slow call was in hand until the last tool had its turn, and was answered
    // within its own limit: had it kept the others waiting, neither would be.
    let slow = of(&audited, SLOW);
    assert_eq!(slow[0].outcome, Outcome::Ok, "{log:?}");
    let answered = place(&log, &Mark::SlowAnswered);
    for quick in QUICK {
        let first = place(&log, &call(quick));
        assert!(
            first > place(&log, &call(SLOW)) && first < answered,
            "{log:?}"
        );
        let rows = of(&audited, quick);
        assert_eq!(rows.len(), slow.len());
        assert!(rows.iter().all(|row| row.outcome != Outcome::Timeout));
    }
    // The silent tool was called once; meanwhile the others went on.
    let hang = of(&audited, HANG);
    assert_eq!((hang.len(), hang[0].outcome), (1, Outcome::Timeout));
    let abandoned = &audited.evidence.fuzz.as_ref().expect("calls").abandoned;
    assert_eq!(abandoned.len(), 1);
    assert_eq!(abandoned[0].cases_left, slow.len() - 1);
    assert_eq!(log.iter().filter(|mark| **mark == call(HANG)).count(), 1);
    assert_eq!(
        log.iter().filter(|mark| **mark == Mark::Cancelled).count(),
        1
    );
    let given_up = place(&log, &Mark::Cancelled);
    let meanwhile: BTreeSet<&str> = log[place(&log, &call(HANG))..given_up]
        .iter()
        .filter_map(|mark| match mark {
            Mark::Call(name) if QUICK.contains(&name.as_str()) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert!(meanwhile.len() >= 2, "{log:?}");
}

#[tokio::test]
async fn one_by_one_a_silent_tool_costs_one_call_and_one_look() {
    let (url, desk) = start(vec![HANG, QUICK[0], QUICK[1]]).await;
    let audited = run(Words {
        url: Some(url),
        fuzz: Some(Level::Safe),
        no_probe: true,
        jobs: Some(1),
        call_timeout: Some("0.5".to_owned()),
        ..Words::default()
    })
    .await;
    let log = desk.log();
    let begins = [call(HANG), Mark::Cancelled, Mark::Ping, call(QUICK[0])];
    assert_eq!(log[..4], begins, "{log:?}");
    assert!(
        !log[4..]
            .iter()
            .any(|mark| *mark == call(HANG) || *mark == Mark::Cancelled)
    );
    for quick in &QUICK[..2] {
        assert!(of(&audited, quick).len() > 3);
        assert!(
            of(&audited, quick)
                .iter()
                .all(|row| row.outcome != Outcome::Timeout)
        );
    }
}
