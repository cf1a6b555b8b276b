//! Which era a stdio server speaks, and each way back.

use std::time::{Duration, Instant};

use mcprobe::client::{Approach, ConnectFailure, ConnectSettings, Connection, Reply, connect};
use mcprobe::model::contact::{AfterAnswer, Answer, Carrier, Era, EraChoice, Reach};
use mcprobe::model::evidence::ProbeState;
use mcprobe::protocol::revision::Revision;
use serde_json::{Value, json};

use crate::common::stdio::Scripted;

const LONG: Duration = Duration::from_secs(30);

/// What a modern server says of itself.
fn discovered(versions: &Value) -> Value {
    json!({"result": {
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
        "supportedVersions": versions,
        "capabilities": {"tools": {}},
        "instructions": "Be modern.",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "3"}},
    }})
}

/// Settings whose waits a test can bear.
fn settings(server: &Scripted, reach: Reach) -> ConnectSettings {
    ConnectSettings {
        approach: Approach {
            reach,
            probe_limit: Duration::from_millis(400),
            ..Approach::default()
        },
        ..server.settings()
    }
}

async fn reached(server: &Scripted, reach: Reach) -> Connection {
    connect(settings(server, reach))
        .await
        .unwrap_or_else(|failure| panic!("{failure:?}"))
}

async fn refused(server: &Scripted, reach: Reach) -> ConnectFailure {
    connect(settings(server, reach))
        .await
        .map(|_| ())
        .expect_err("no connection")
}

fn only(era: Era) -> Reach {
    Reach {
        era: EraChoice::Only(era),
        ..Reach::default()
    }
}

/// What was tried: "initialize: connected: 2025-11-25".
fn tried(contact: &mcprobe::model::contact::Contact) -> Vec<String> {
    contact
        .attempts
        .iter()
        .map(|attempt| format!("{}: {}", attempt.what, attempt.outcome))
        .collect()
}

fn methods(server: &Scripted) -> Vec<String> {
    server
        .log()
        .iter()
        .map(|line| {
            let message: Value = serde_json::from_str(line).unwrap_or_default();
            message["method"].as_str().unwrap_or("answer").to_owned()
        })
        .collect()
}

#[tokio::test]
async fn a_modern_server_gets_meta_in_every_request_and_no_handshake() {
    let server = Scripted::new(json!({"on": {
        "server/discover": [discovered(&json!(["2026-07-28", "2030-01-01"]))],
    }}));
    let mut connection = reached(&server, Reach::default()).await;
    assert_eq!(connection.era(), Era::Modern);
    assert_eq!(connection.protocol_version(), Some("2026-07-28"));
    assert_eq!(connection.server().name.as_deref(), Some("new"));
    assert_eq!(
        connection.server().instructions.as_deref(),
        Some("Be modern.")
    );
    assert_eq!(connection.contact().carrier, Some(Carrier::Stdio));
    assert!(connection.contact().discover.is_some());
    assert!(connection.gather().await.failure.is_none());
    let call = connection
        .request(
            "tools/call",
            Some(r#"{"name":"echo","arguments":{"n":1.50}}"#),
            LONG,
        )
        .await;
    assert!(matches!(call.reply, Reply::Result(_)));
    connection.close().await;
    let log = server
        .log()
        .join("\n")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!(log, @r#"
    {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcprobe","version":"VERSION"},"io.modelcontextprotocol/clientCapabilities":{}}}}
    {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcprobe","version":"VERSION"},"io.modelcontextprotocol/clientCapabilities":{}}}}
    {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcprobe","version":"VERSION"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"echo","arguments":{"n":1.50}}}
    "#);
}

#[tokio::test]
async fn what_is_no_modern_answer_leads_to_initialize_in_the_same_process() {
    let error = |code: i64| json!({"error": {"code": code, "message": "?"}});
    for (answer, outcome) in [
        (error(-32601), "no modern server (error -32601)"),
        (error(-32602), "no modern server (error -32602)"),
        (error(-32000), "no modern server (error -32000)"),
        (error(-32023), "no modern server (error -32023)"),
        (
            json!({"result": {}}),
            "no modern server (the result lists no versions)",
        ),
        (
            json!({"result": {"supportedVersions": "2026-07-28"}}),
            "no modern server (the result lists no versions)",
        ),
        (
            json!({"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":NaN}\n"}),
            "no message of a modern server",
        ),
    ] {
        let server = Scripted::new(json!({"on": {"server/discover": [answer]}}));
        let connection = reached(&server, Reach::default()).await;
        assert_eq!(connection.era(), Era::Legacy);
        assert_eq!(
            tried(connection.contact()),
            [
                format!("server/discover: {outcome}"),
                "initialize: connected: 2025-11-25".to_owned()
            ]
        );
        assert_eq!(server.pids().len(), 1);
        assert!(connection.contact().initialize.is_some());
        connection.close().await;
    }
}

#[tokio::test]
async fn silence_and_death_lead_to_a_fresh_process_without_blame() {
    for (steps, outcome) in [
        (json!([{"hang": true}]), "no reply in time"),
        (
            json!([{"exit": 1}]),
            "the process ended or the connection closed",
        ),
        (
            json!([{"abort": true}]),
            "the process ended or the connection closed",
        ),
    ] {
        let server = Scripted::new(json!({
            "start": [{"raw": "hello\n"}],
            "on": {"server/discover": steps},
        }));
        let mut connection = reached(&server, Reach::default()).await;
        assert_eq!(
            tried(connection.contact()),
            [
                format!("server/discover: {outcome}"),
                "initialize: connected: 2025-11-25".to_owned()
            ]
        );
        assert_eq!(server.pids().len(), 2);
        // The second process is as if it were the first.
        let first = server.log();
        assert!(
            first[1].contains(r#""id":1,"method":"initialize""#),
            "{first:?}"
        );
        // The known way is not looked for again.
        connection.restart().await.expect("a fresh server");
        let wire = connection.close().await;
        assert_eq!(
            methods(&server),
            [
                "server/discover",
                "initialize",
                "notifications/initialized",
                "initialize",
                "notifications/initialized"
            ]
        );
        assert_eq!((wire.noise_lines, wire.notes.len()), (2, 0), "{wire:?}");
    }
}

#[tokio::test]
async fn a_server_that_asks_first_is_not_waited_for_long() {
    let server = Scripted::new(json!({"on": {"server/discover": [
        {"say": {"jsonrpc": "2.0", "id": 1, "method": "ping"}},
        {"hang": true},
    ]}}));
    let mut settings = settings(&server, Reach::default());
    settings.approach.probe_limit = LONG;
    settings.startup_timeout = 4 * LONG;
    let began = Instant::now();
    let connection = connect(settings).await.expect("a connection");
    assert!(began.elapsed() < LONG);
    assert_eq!(connection.era(), Era::Legacy);
    assert_eq!(server.pids().len(), 2);
    connection.close().await;
}

#[tokio::test]
async fn a_late_first_reply_is_paired_by_its_id() {
    // It answers both, the probe long after it was given up.
    let server = Scripted::new(json!({"on": {"server/discover": [
        {"await": "method"},
        discovered(&json!(["2026-07-28"])),
    ]}}));
    let mut settings = settings(&server, only(Era::Modern));
    settings.startup_timeout = Duration::from_millis(400);
    let late = connect(settings).await.expect_err("no reply in time");
    assert_eq!(late.state, ProbeState::Timeout);
    assert_eq!(late.contact.attempts.len(), 1);
}

#[tokio::test]
async fn a_modern_error_names_what_is_spoken() {
    let error = |supported: Value| {
        json!({"error": {"code": -32022, "message": "no",
            "data": {"supported": supported, "requested": "2026-07-28"}}})
    };
    // Once more with one that both know.
    let server = Scripted::new(json!({"on": {"server/discover": [
        [error(json!(["2026-07-28"]))],
        [discovered(&json!(["2026-07-28"]))],
    ]}}));
    let connection = reached(&server, Reach::default()).await;
    assert_eq!(connection.era(), Era::Modern);
    assert_eq!(methods(&server), ["server/discover", "server/discover"]);
    connection.close().await;
    // Legacy dates alone.
    let dates = json!(["2024-11-05", "2025-06-18", "2031-01-01"]);
    for answer in [error(dates.clone()), discovered(&dates)] {
        let server = Scripted::new(json!({"on": {"server/discover": [answer]}}));
        let connection = reached(&server, Reach::default()).await;
        assert_eq!(connection.era(), Era::Legacy);
        assert_eq!(connection.protocol_version(), Some("2025-06-18"));
        connection.close().await;
    }
    // Nothing that we know.
    let strange = json!(["2031-01-01"]);
    for (answer, says) in [
        (error(strange.clone()), "refused `server/discover`: no"),
        (discovered(&strange), "speaks no protocol revision"),
    ] {
        let server = Scripted::new(json!({"on": {"server/discover": [answer]}}));
        let failure = refused(&server, Reach::default()).await;
        assert_eq!(failure.state, ProbeState::NoHandshake);
        let message = &failure.failure.message;
        assert!(message.contains(says), "{message}");
        assert!(!methods(&server).contains(&"initialize".to_owned()));
    }
    // Modern, and tells nothing.
    let server = Scripted::new(json!({"on": {
        "server/discover": [{"error": {"code": -32021, "message": "roots"}}],
    }}));
    let mut connection = reached(&server, Reach::default()).await;
    assert_eq!(connection.era(), Era::Modern);
    assert_eq!(connection.gather().await.inventory.tools.entries.len(), 1);
    connection.restart().await.expect("a fresh server");
    let listed = connection.list_tools().await;
    assert_eq!(listed.entries.len(), 1);
    assert_eq!(
        methods(&server),
        ["server/discover", "tools/list", "tools/list"]
    );
    connection.close().await;
}

#[tokio::test]
async fn a_refusal_that_names_a_revision_is_taken_at_its_word_once() {
    let refusal = json!([{"error": {"code": -32602, "message": "Unsupported protocol version",
        "data": {"supported": ["2025-06-18"], "requested": "2025-11-25"}}}]);
    let picky = json!({"on": {"initialize": [
        refusal,
        [{"result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}}],
    ]}});
    let server = Scripted::new(json!({"lives": [picky, {}]}));
    let mut connection = reached(&server, Reach::default()).await;
    assert_eq!(connection.protocol_version(), Some("2025-06-18"));
    assert_eq!(
        tried(connection.contact())[1..],
        [
            "initialize: refused (error -32602): Unsupported protocol version",
            "initialize: connected: 2025-06-18",
        ]
    );
    // A fresh process is offered what was accepted.
    connection.restart().await.expect("a fresh server");
    let wire = connection.close().await;
    assert_eq!(
        wire.notes,
        [
            "the server refused `initialize` with 2025-11-25 in place of offering 2025-06-18, which it accepts"
        ]
    );
    assert!(server.log()[4].contains(r#""protocolVersion":"2025-06-18""#));
    let server = Scripted::new(json!({"on": {"initialize": refusal}}));
    let failure = refused(&server, Reach::default()).await;
    assert_eq!(failure.state, ProbeState::NoHandshake);
    assert_eq!(failure.contact.attempts.len(), 3);
}

#[tokio::test]
async fn what_is_forced_is_spoken_and_nothing_else() {
    let server = Scripted::new(json!({"on": {
        "server/discover": [discovered(&json!(["2026-07-28"]))],
    }}));
    let connection = reached(&server, only(Era::Legacy)).await;
    assert_eq!(connection.era(), Era::Legacy);
    assert_eq!(methods(&server)[0], "initialize");
    connection.close().await;

    let legacy = Scripted::new(json!({}));
    let failure = refused(&legacy, only(Era::Modern)).await;
    assert_eq!(failure.state, ProbeState::NoHandshake);
    assert_eq!(methods(&legacy), ["server/discover"]);

    let dated = Reach {
        era: EraChoice::Only(Era::Legacy),
        revision: Some(Revision::V2024_11_05),
        ..Reach::default()
    };
    let connection = reached(&legacy, dated).await;
    assert_eq!(connection.protocol_version(), Some("2024-11-05"));
    connection.close().await;
}

#[tokio::test]
async fn editor_framing_is_recognised_in_a_silent_server() {
    // It waits for a header line that a client of lines never sends.
    let server = Scripted::new(json!({"on": {
        "server/discover": [{"await": "never"}],
        "initialize": [{"await": "never"}],
    }, "frames": true}));
    let failure = refused(&server, Reach::default()).await;
    assert_eq!(failure.state, ProbeState::NotJson);
    let message = failure.failure.message;
    assert!(message.contains("`Content-Length` headers"), "{message}");
    assert_eq!(server.pids().len(), 1);
}

#[tokio::test]
async fn the_server_is_answered_as_wanted_and_what_came_of_it_is_told() {
    let asks = |then: Value| {
        json!({"on": {"tools/call": [
            {"say": {"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": {
                "message": "?", "requestedSchema": {"type": "object", "properties": {
                    "a": {"type": "string", "default": "x"}}}}}},
            then,
            {"result": {"content": []}},
        ]}})
    };
    for (answer, said, then) in [
        (
            Answer::Accept,
            r#""result":{"action":"accept","content":{"a":"x"}}"#,
            AfterAnswer::Replied,
        ),
        (
            Answer::Decline,
            r#""result":{"action":"decline"}"#,
            AfterAnswer::Replied,
        ),
        (
            Answer::Cancel,
            r#""result":{"action":"cancel"}"#,
            AfterAnswer::Replied,
        ),
        (Answer::Silence, "", AfterAnswer::Silent),
    ] {
        let server = Scripted::new(asks(json!({"await": "result"})));
        let reach = Reach {
            answer: Some(answer),
            ..Reach::default()
        };
        let mut connection = reached(&server, reach).await;
        let limit = if answer == Answer::Silence {
            Duration::from_millis(300)
        } else {
            LONG
        };
        let call = connection.request("tools/call", Some("{}"), limit).await;
        assert_eq!(
            matches!(call.reply, Reply::Result(_)),
            then == AfterAnswer::Replied
        );
        connection.hurry();
        let answers = connection.close().await.answers;
        assert_eq!(answers.len(), 1);
        assert_eq!((answers[0].answer, answers[0].then), (answer, then));
        let log = server.log();
        let declared = r#""capabilities":{"roots":{},"sampling":{},"elicitation":{}}"#;
        assert!(log[1].contains(declared), "{}", log[1]);
        assert!(said.is_empty() || log.iter().any(|line| line.contains(said)));
        assert_eq!(
            said.is_empty(),
            !log.iter().any(|line| line.contains(r#""id":"e""#))
        );
    }
}

#[tokio::test]
async fn a_modern_server_gets_its_input_in_a_round_of_its_own() {
    let script = json!({"on": {
        "server/discover": [discovered(&json!(["2026-07-28"]))],
        "tools/call": [
            [{"result": {"resultType": "input_required", "requestState": "s\u{2028}1",
                "inputRequests": {"k": {"method": "elicitation/create", "params": {}}}}}],
            [{"result": {"resultType": "complete", "content": []}}],
        ],
    }});
    // Without the user's word it is left at that.
    let server = Scripted::new(script.clone());
    let mut connection = reached(&server, Reach::default()).await;
    let call = connection.request("tools/call", Some("{}"), LONG).await;
    assert!(matches!(&call.reply, Reply::Result(raw) if raw.get().contains("input_required")));
    connection.close().await;
    assert_eq!(methods(&server), ["server/discover", "tools/call"]);

    let server = Scripted::new(script);
    let reach = Reach {
        answer: Some(Answer::Decline),
        ..Reach::default()
    };
    let mut connection = reached(&server, reach).await;
    let params = r#"{"name":"a","arguments":{}}"#;
    let call = connection.request("tools/call", Some(params), LONG).await;
    assert!(matches!(&call.reply, Reply::Result(raw) if raw.get().contains("complete")));
    let answers = connection.close().await.answers;
    assert_eq!(answers[0].answer, Answer::Decline);
    let last = server.log().pop().expect("a line");
    let last: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(last["id"], 3);
    assert_eq!(last["params"]["name"], "a");
    assert_eq!(last["params"]["requestState"], "s\u{2028}1");
    assert_eq!(
        last["params"]["inputResponses"],
        json!({"k": {"action": "decline"}})
    );
}

#[tokio::test]
async fn the_legacy_side_of_a_server_of_both_eras_is_read_as_well() {
    let server = Scripted::new(json!({"on": {
        "server/discover": [discovered(&json!(["2026-07-28", "2025-11-25"]))],
    }}));
    let connection = reached(&server, Reach::default()).await;
    let other = mcprobe::client::other_era(&connection)
        .await
        .expect("the other era");
    assert_eq!(other.era, Era::Legacy);
    assert_eq!(other.inventory.tools.entries.len(), 1);
    assert_eq!(
        other.inventory.protocol_version.as_deref(),
        Some("2025-11-25")
    );
    connection.close().await;
    assert_eq!(server.pids().len(), 2);

    let refusal = json!([{"error": {"code": -32022, "message": "modern alone"}}]);
    for (versions, expected) in [
        (json!(["2026-07-28"]), None),
        (
            json!(["2026-07-28", "2025-11-25"]),
            Some("refused `initialize`"),
        ),
    ] {
        let server = Scripted::new(json!({"on": {
            "server/discover": [discovered(&versions)],
            "initialize": refusal,
        }}));
        let connection = reached(&server, Reach::default()).await;
        let other = mcprobe::client::other_era(&connection).await;
        let failure = other.and_then(|other| other.failure);
        assert_eq!(failure.is_some(), expected.is_some());
        assert!(
            failure
                .unwrap_or_default()
                .contains(expected.unwrap_or_default())
        );
        connection.close().await;
    }
}
