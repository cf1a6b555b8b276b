//! Tools called at the same time: as many as asked for, and nothing in the
//! report tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use mcprobe::audit::{self, Audited};
use mcprobe::config::file::Level;
use mcprobe::config::merge::{self, Environment, Words};
use mcprobe::model::fuzz::Outcome;
use mcprobe::progress::Silent;
use mcprobe::render::json;
use mcprobe::transport::Spawner;
use serde_json::{Value, json as value};
use tokio::sync::watch;

use super::run::tool;
use crate::common::http::serve;
use crate::common::stdio::{Scripted, scripted_server};

/// A server that answers no call before it has a number of them in hand.
#[derive(Default)]
struct Busy {
    in_hand: AtomicUsize,
    most: AtomicUsize,
    /// How many it waits for; 0 once they were there.
    awaited: watch::Sender<usize>,
    /// The tool whose calls end their connection without a word.
    drops: Option<&'static str>,
}

impl Busy {
    /// A new run, in which so many calls are to be there at once.
    fn expect(&self, calls: usize) {
        self.most.store(0, Ordering::SeqCst);
        self.awaited.send_replace(calls);
    }

    async fn take(&self) {
        let now = self.in_hand.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.awaited.send_if_modified(|awaited| {
            let all_there = *awaited > 0 && now >= *awaited;
            if all_there {
                *awaited = 0;
            }
            all_there
        });
        let mut awaited = self.awaited.subscribe();
        awaited
            .wait_for(|awaited| *awaited == 0)
            .await
            .expect("the server is there");
        self.in_hand.fetch_sub(1, Ordering::SeqCst);
    }
}

const TOOLS: usize = 12;

async fn start(drops: Option<&'static str>) -> (String, Arc<Busy>) {
    let busy = Arc::new(Busy {
        drops,
        ..Busy::default()
    });
    let app = Router::new().fallback(answer).with_state(Arc::clone(&busy));
    (format!("http://{}/mcp", serve(app).await), busy)
}

async fn answer(State(busy): State<Arc<Busy>>, body: Bytes) -> Response {
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
            "serverInfo": {"name": "busy", "version": "1.0.0"},
        }),
        "tools/list" => {
            let tools: Vec<Value> = (0..TOOLS).map(|at| tool(&format!("tool_{at}"))).collect();
            value!({ "tools": tools })
        }
        "tools/call" => {
            busy.take().await;
            let params = &message["params"];
            assert!(
                busy.drops.is_none_or(|name| params["name"] != name),
                "the task of this connection ends here"
            );
            // Each tool refuses in its own words and accepts one thing too much.
            let good = params["arguments"]["key"].is_string();
            value!({
                "isError": !good && params["name"] != "tool_3",
                "content": [{"type": "text", "text": format!("{} takes a key", params["name"])}],
            })
        }
        _ => value!({}),
    };
    Json(value!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

pub(super) async fn run(words: Words) -> Audited {
    let settings = merge::settings(words, &Environment::default(), None).expect("settings");
    let (_asked, cancel) = watch::channel(None);
    audit::audit(&settings, Spawner::Direct, &Silent, &cancel).await
}

/// The JSON report without its part about times.
fn told(audited: &Audited) -> Value {
    let mut report: Value =
        serde_json::from_str(&json::v1::render(&audited.report)).expect("a report");
    report["run"] = Value::Null;
    report
}

#[tokio::test]
async fn eight_calls_are_made_at_once_and_the_report_is_that_of_one_by_one() {
    let (url, busy) = start(None).await;
    let words = |jobs| Words {
        url: Some(url.clone()),
        fuzz: Some(Level::Safe),
        // Its requests would count as well.
        no_probe: true,
        jobs: Some(jobs),
        ..Words::default()
    };
    busy.expect(1);
    let serial = run(words(1)).await;
    assert_eq!(busy.most.load(Ordering::SeqCst), 1);
    // Were there fewer than eight at once, the first would never be answered.
    busy.expect(8);
    let parallel = run(words(8)).await;
    assert_eq!(busy.most.load(Ordering::SeqCst), 8);
    assert_eq!(told(&serial).to_string(), told(&parallel).to_string());
    let rows = &parallel.evidence.fuzz.as_ref().expect("calls").rows;
    assert!(rows.is_sorted_by_key(|row| row.tool_index));
    assert!(rows.iter().any(|row| row.silently_accepted));
    assert!(rows.iter().all(|row| row.outcome != Outcome::Timeout));

    busy.expect(4);
    let by_default = run(Words {
        jobs: None,
        ..words(1)
    })
    .await;
    assert_eq!(busy.most.load(Ordering::SeqCst), 4);
    assert_eq!(told(&serial).to_string(), told(&by_default).to_string());
}

#[tokio::test]
async fn a_connection_that_is_dropped_is_blamed_on_its_call_alone() {
    let (url, busy) = start(Some("tool_5")).await;
    let words = |jobs| Words {
        url: Some(url.clone()),
        fuzz: Some(Level::Safe),
        no_probe: true,
        jobs: Some(jobs),
        ..Words::default()
    };
    let serial = run(words(1)).await;
    busy.expect(6);
    let parallel = run(words(6)).await;
    let crashes = |audited: &Audited| -> Vec<(String, Option<bool>)> {
        let rows = &audited.evidence.fuzz.as_ref().expect("calls").rows;
        rows.iter()
            .filter(|row| row.outcome == Outcome::ProtocolCrash)
            .map(|row| (row.tool.clone(), row.confirmed))
            .collect()
    };
    let expected = vec![("tool_5".to_owned(), Some(true)); 3];
    assert_eq!(crashes(&serial), expected);
    assert_eq!(crashes(&parallel), expected);
    assert!(parallel.evidence.cut_short.is_none());
    assert_eq!(told(&serial).to_string(), told(&parallel).to_string());
}

#[tokio::test]
async fn over_stdio_each_job_is_a_process_and_a_crash_is_its_own_matter() {
    let names = ["a_sound", "b_frail", "c_sound", "d_sound"];
    let tools: Vec<Value> = names.iter().map(|name| tool(name)).collect();
    let script = value!({ "on": {
        "tools/list": [{ "result": { "tools": tools } }],
        "tools/call:b_frail": [{ "exit": 3 }],
    }});
    let audit = async |jobs| {
        let server = Scripted::new(script.clone());
        let words = Words {
            command: vec![
                scripted_server().display().to_string(),
                server.file("script.json").display().to_string(),
            ],
            name: Some("scripted".to_owned()),
            fuzz: Some(Level::Safe),
            jobs,
            ..Words::default()
        };
        let mut audited = run(words).await;
        // The path of the script differs from server to server.
        "scripted".clone_into(&mut audited.report.target.display);
        let starts = std::fs::read_to_string(server.file("starts")).expect("the starts");
        (audited, starts.lines().count())
    };
    let (serial, _) = audit(None).await;
    let (parallel, starts) = audit(Some(4)).await;
    assert!(starts > 4, "{starts}");
    assert_eq!(told(&serial).to_string(), told(&parallel).to_string());
    let crashes = parallel.report.findings.iter();
    assert!(
        crashes
            .filter(|finding| finding.code == "call.crash")
            .all(|finding| finding.location.tool.as_deref() == Some("b_frail"))
    );
}

#[test]
fn words_about_jobs_are_checked() {
    let refuse = |jobs, watch: &[&str]| {
        let words = Words {
            url: Some("http://127.0.0.1:9/mcp".to_owned()),
            no_probe: true,
            jobs: Some(jobs),
            watch: watch.iter().map(Into::into).collect(),
            ..Words::default()
        };
        merge::settings(words, &Environment::default(), None).map(|settings| settings.jobs)
    };
    assert_eq!(refuse(3, &[]).ok(), Some(3));
    assert_eq!(refuse(1, &["."]).ok(), Some(1));
    assert!(refuse(0, &[]).is_err());
    assert!(refuse(65, &[]).is_err());
    assert!(refuse(2, &["."]).is_err());
}
