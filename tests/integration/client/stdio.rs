//! The client over stdio, against the scripted server.

use std::time::Duration;

use mcprobe::client::{Exchanged, Reply};
use mcprobe::model::evidence::{ProbeState, Wire};
use mcprobe::model::fuzz::ExitStatus;
use mcprobe::model::inventory::ListEnd;
use mcprobe::model::probe::Envelope;
use mcprobe::model::secret::{Redactor, Secret};
use mcprobe::model::target::TransportKind;
use mcprobe::model::wire::EndedBy;
use serde_json::{Value, json};

use crate::common::stdio::Scripted;

const LONG: Duration = Duration::from_secs(30);

/// A reply in one line.
fn picture(exchanged: &Exchanged) -> String {
    match &exchanged.reply {
        Reply::Result(raw) => format!("result {}", raw.get()),
        Reply::Error { code, message, .. } => format!("error {code} {message}"),
        Reply::Timeout => "timeout".to_owned(),
        Reply::Broken | Reply::Closed | Reply::HttpRefused { .. } => format!(
            "{:?}: {}",
            exchanged.reply,
            exchanged.exchange.failure.as_deref().unwrap_or_default()
        ),
    }
}

#[tokio::test]
async fn a_tidy_server_is_read_whole() {
    let server = Scripted::new(json!({"on": {
        "initialize": [{"result": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": "tidy", "version": "2", "title": "Tidy"},
            "instructions": "Be kind.",
        }}],
        "prompts/list": [{"result": {"prompts": [{"name": "p"}]}}],
        "resources/list": [{"result": {"resources": []}}],
        "resources/templates/list": [{"error": {"code": -32601, "message": "none"}}],
    }}));
    let mut connection = server.connect().await;
    assert_eq!(connection.transport(), TransportKind::Stdio);
    assert_eq!(connection.server().name.as_deref(), Some("tidy"));
    assert_eq!(
        connection.server().instructions.as_deref(),
        Some("Be kind.")
    );
    assert_eq!(connection.protocol_version(), Some("2025-11-25"));

    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    let inventory = gathered.inventory;
    assert_eq!(inventory.tools.entries.len(), 1);
    assert_eq!(inventory.tools.end, ListEnd::Complete);
    assert_eq!(inventory.prompts.entries.len(), 1);
    assert_eq!(inventory.resources.end, ListEnd::Complete);
    assert_eq!(
        inventory.resource_templates.end,
        ListEnd::Failed {
            reason: "error -32601: none".to_owned()
        }
    );

    let called = connection
        .request(
            "tools/call",
            Some("{\"name\":\"echo\",\n\"arguments\":{\"n\":1.50}}"),
            LONG,
        )
        .await;
    assert_eq!(
        picture(&called),
        r#"result {"content":[{"type":"text","text":"ok"}]}"#
    );
    let wire = connection.close().await;
    let results: Vec<(&str, u64)> = wire
        .results
        .iter()
        .map(|facts| (facts.method.as_str(), facts.count))
        .collect();
    assert_eq!(
        results,
        [
            ("initialize", 1),
            ("tools/list", 1),
            ("prompts/list", 1),
            ("resources/list", 1),
            ("tools/call", 1)
        ]
    );
    // `server/discover`, and a list that is not there.
    assert_eq!(wire.envelope.error_codes, [(-32601, 2)].into());
    let ending = wire.ending.expect("an end");
    assert_eq!((ending.by, ending.full_waits), (EndedBy::EndOfInput, true));
    let rest = Wire {
        results: Vec::new(),
        ending: None,
        envelope: Envelope::default(),
        ..wire
    };
    assert_eq!(rest, Wire::default());
    let log = server
        .log()
        .join("\n")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!(log, @r#"
    {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcprobe","version":"VERSION"},"io.modelcontextprotocol/clientCapabilities":{}}}}
    {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcprobe","version":"VERSION"}}}
    {"jsonrpc":"2.0","method":"notifications/initialized"}
    {"jsonrpc":"2.0","id":3,"method":"tools/list"}
    {"jsonrpc":"2.0","id":4,"method":"prompts/list"}
    {"jsonrpc":"2.0","id":5,"method":"resources/list"}
    {"jsonrpc":"2.0","id":6,"method":"resources/templates/list"}
    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo", "arguments":{"n":1.50}}}
    "#);
}

#[tokio::test]
async fn pages_are_walked_with_the_cursor_as_it_was_sent() {
    let page = |name: &str, next: &str| {
        json!([{"raw": format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"tools\":[{{\"name\":\"{name}\"}}]{next}}}}}\n"
        )}])
    };
    let server = Scripted::new(json!({"on": {"tools/list": [
        page("a", r#","nextCursor":"p 2+\u00e9é""#),
        page("b", r#","nextCursor":"""#),
        page("c", ""),
    ]}}));
    let mut connection = server.connect().await;
    let tools = connection.gather().await.inventory.tools;
    let entries: Vec<&str> = tools.entries.iter().map(|raw| raw.get()).collect();
    assert_eq!(
        entries,
        [r#"{"name":"a"}"#, r#"{"name":"b"}"#, r#"{"name":"c"}"#]
    );
    assert_eq!((tools.pages, tools.end), (3, ListEnd::Complete));
    connection.close().await;
    let log = server.log();
    let lists: Vec<&String> = log
        .iter()
        .filter(|line| line.contains("tools/list"))
        .collect();
    assert!(
        lists[1].contains(r#""params":{"cursor":"p 2+\u00e9é"}"#),
        "{lists:?}"
    );
    assert!(lists[2].contains(r#""params":{"cursor":""}"#), "{lists:?}");
}

#[tokio::test]
async fn a_cursor_that_leads_back_ends_the_walk_and_counts_once() {
    let server = Scripted::new(json!({"on": {"tools/list": [
        {"result": {"tools": [{"name": "a"}, {"name": "b"}], "nextCursor": "8"}},
    ]}}));
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    let tools = gathered.inventory.tools;
    assert_eq!(tools.entries.len(), 2);
    assert_eq!(tools.pages, 2);
    assert_eq!(
        tools.end,
        ListEnd::RepeatedCursor {
            cursor: "\"8\"".to_owned()
        }
    );
    connection.close().await;
}

#[tokio::test]
async fn pages_that_come_again_under_new_cursors_end_the_walk_and_count_once() {
    let page = |name: &str, cursor: &str| json!([{"result": {"tools": [{"name": name}], "nextCursor": cursor}}]);
    let server = Scripted::new(json!({"on": {"tools/list": [
        page("a", "1"), page("b", "2"), page("a", "3"), page("b", "4"), page("a", "5"),
    ]}}));
    let mut connection = server.connect().await;
    let tools = connection.gather().await.inventory.tools;
    assert_eq!(tools.entries.len(), 2);
    assert_eq!((tools.pages, tools.end), (4, ListEnd::RepeatedPage));
    connection.close().await;

    // One page that is like an earlier one is two tools that are declared alike.
    let server = Scripted::new(json!({"on": {"tools/list": [
        page("a", "1"), page("a", "2"), page("b", "3"),
        [{"result": {"tools": []}}],
    ]}}));
    let mut connection = server.connect().await;
    let tools = connection.gather().await.inventory.tools;
    assert_eq!((tools.entries.len(), tools.end), (3, ListEnd::Complete));
    connection.close().await;
}

#[tokio::test]
async fn a_reply_as_a_language_prints_it_is_told_from_lines_of_a_log() {
    let reply = "{'jsonrpc': '2.0', 'id': $ID, 'result': {'content': []}}\n";
    let request = "{'jsonrpc': '2.0', 'id': $ID, 'method': 'tools/call'}\n";
    let server = Scripted::new(json!({"on": {
        "tools/call:printed": [{"raw": reply}],
        "tools/call:spread": [{"raw": "{\n  jsonrpc: '2.0',\n  id: $ID,\n  result: {}\n}\n"}],
        "tools/call:both": [{"raw": reply}, {"result": {"content": []}}],
        "tools/call:logged": [{"raw": request}, {"result": {"content": []}}],
        "tools/call:stuck": [{"raw": "[INFO] starting\n"}],
    }}));
    let mut connection = server.connect().await;
    for (name, seen) in [
        ("printed", "Broken: the reply is no JSON"),
        ("both", "result {\"content\":[]}"),
        ("logged", "result {\"content\":[]}"),
    ] {
        let params = format!("{{\"name\":\"{name}\"}}");
        let exchanged = connection.request("tools/call", Some(&params), LONG).await;
        assert_eq!(picture(&exchanged), seen, "{name}");
    }
    for (name, seen) in [
        (
            "spread",
            "Broken: the reply is no JSON, and nothing came after it within 0.3 s",
        ),
        ("stuck", "timeout"),
    ] {
        let params = format!("{{\"name\":\"{name}\"}}");
        let limit = Duration::from_millis(300);
        let exchanged = connection.request("tools/call", Some(&params), limit).await;
        assert_eq!(picture(&exchanged), seen, "{name}");
    }
    let wire = connection.close().await;
    // One before its better, one request, five lines of one value, one of a log.
    assert_eq!(wire.noise_lines, 8);
    assert_eq!(wire.stray_replies, 0);
}

#[tokio::test]
async fn a_bad_later_page_keeps_the_earlier_ones() {
    let server = Scripted::new(json!({"on": {"tools/list": [
        [{"result": {"tools": [{"name": "a"}], "nextCursor": "2"}}],
        [{"result": {"tools": {"name": "b"}}}],
    ]}}));
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    assert_eq!(gathered.inventory.tools.entries.len(), 1);
    let (state, failure) = gathered.failure.expect("a failure");
    assert_eq!(state, ProbeState::NoTools);
    assert_eq!(
        failure.message,
        "the tools could not be listed: `tools` in the result is no array"
    );
    connection.close().await;
}

#[tokio::test]
async fn undeclared_and_refused_tools_are_no_failure() {
    let server = Scripted::new(json!({"on": {
        "initialize": [{"result": {"protocolVersion": "2025-11-25", "capabilities": {},
            "serverInfo": {"name": "x", "version": "1"}}}],
        "tools/list": [{"error": {"code": -32601, "message": "none"}}],
    }}));
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    assert_eq!(gathered.inventory.tools.end, ListEnd::NotAsked);
    connection.close().await;
}

#[tokio::test]
async fn noise_is_written_down_and_skipped() {
    let server = Scripted::new(json!({
        "start": [{"raw": "\u{feff}🚀 ready\r\n\n[1, 2]\n"}, {"repeat": ["log\n", 3]}],
        "on": {"tools/list": [
            {"raw": "{\"level\":\"info\"}\n"},
            {"say": {"jsonrpc": "2.0", "method": "notifications/message"}},
            {"result": {"tools": []}},
        ]},
    }));
    let mut connection = server.connect().await;
    assert!(connection.gather().await.failure.is_none());
    let wire = connection.close().await;
    assert_eq!(wire.noise_lines, 6);
    assert_eq!(wire.noise_first, ["🚀 ready", "[1, 2]", "log"]);
    assert_eq!(wire.notifications[0].method, "notifications/message");
    assert_eq!(
        wire.notes,
        [
            "standard output begins with a UTF-8 byte order mark",
            "there are blank lines between messages"
        ]
    );
}

#[tokio::test]
async fn an_exit_at_the_start_is_noticed_with_its_last_words() {
    let server = Scripted::new(json!({"start": [
        {"stderr": ["FIXTURE_TOKEN is not set\n", 1]}, {"exit": 2},
    ]}));
    let refusal = server.refusal().await;
    assert_eq!(refusal.state, ProbeState::Crash);
    assert_eq!(refusal.failure.exit, Some(ExitStatus::Code(2)));
    assert_eq!(
        refusal.failure.stderr_tail.as_deref(),
        Some("FIXTURE_TOKEN is not set")
    );
    assert!(
        refusal.failure.message.ends_with(
            "did not stay for the handshake: the process ended (exit code 2): FIXTURE_TOKEN is not set"
        ),
        "{}",
        refusal.failure.message
    );
}

#[tokio::test]
async fn silence_chatter_and_refusal_are_told_apart() {
    let hang = json!([{"hang": true}]);
    for (script, expected, says) in [
        (
            json!({"on": {"initialize": hang}}),
            ProbeState::Timeout,
            "did not answer `initialize`",
        ),
        (
            json!({"start": [{"raw": "Content-Length: 3\n"}], "on": {"initialize": hang}}),
            ProbeState::NotJson,
            "`Content-Length` headers",
        ),
        (
            json!({"on": {"initialize": [{"error": {"code": -32000, "message": "no"}}]}}),
            ProbeState::NoHandshake,
            "refused `initialize`: no (code -32000)",
        ),
        (
            json!({"on": {"initialize": [{"result": [1]}]}}),
            ProbeState::NoHandshake,
            "a result that is no object",
        ),
        (
            json!({"on": {"initialize": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":NaN}\n"}]}}),
            ProbeState::NotJson,
            "is no valid JSON",
        ),
    ] {
        let server = Scripted::new(script);
        let mut settings = server.settings();
        settings.startup_timeout = Duration::from_millis(1500);
        settings.deadline = tokio::time::Instant::now() + Duration::from_secs(2);
        let refusal = mcprobe::client::connect(settings)
            .await
            .map(|_| ())
            .expect_err("no connection");
        assert_eq!(refusal.state, expected, "{}", refusal.failure.message);
        assert!(
            refusal.failure.message.contains(says),
            "{}",
            refusal.failure.message
        );
    }
}

#[tokio::test]
async fn a_late_reply_is_not_taken_for_the_next_request() {
    let server = Scripted::new(json!({"on": {
        "tools/call:slow": [
            {"await": "method"},
            {"result": {"late": true}},
        ],
        "tools/call:quick": [{"result": {"quick": true}}],
    }}));
    let mut connection = server.connect().await;
    let slow = connection
        .request(
            "tools/call",
            Some(r#"{"name":"slow"}"#),
            Duration::from_millis(300),
        )
        .await;
    assert_eq!(picture(&slow), "timeout");
    assert!(connection.is_open());
    let quick = connection
        .request("tools/call", Some(r#"{"name":"quick"}"#), LONG)
        .await;
    assert_eq!(picture(&quick), r#"result {"quick":true}"#);
    let wire = connection.close().await;
    assert_eq!(wire.stray_replies, 1);
    assert!(
        server.log().iter().any(
            |line| line.contains("notifications/cancelled") && line.contains("\"requestId\":3")
        ),
    );
}

#[tokio::test]
async fn a_crash_is_told_once_and_a_restart_goes_on() {
    let server = Scripted::new(json!({"lives": [
        {"on": {"tools/call": [{"stderr": ["boom s3cret-value\n", 1]}, {"exit": 139}]}},
        {},
    ]}));
    let mut settings = server.settings();
    settings.redactor = Redactor::new([&Secret::new("s3cret-value")]);
    let mut connection = mcprobe::client::connect(settings)
        .await
        .expect("a connection");
    let crash = connection
        .request(
            "tools/call",
            Some(r#"{"name":"echo","arguments":{"text":"s3cret-value"}}"#),
            LONG,
        )
        .await;
    assert!(matches!(crash.reply, Reply::Closed));
    assert_eq!(crash.exchange.exit, Some(ExitStatus::Code(139)));
    assert_eq!(
        crash.exchange.stderr_tail.as_deref(),
        Some("boom [redacted]")
    );
    assert!(crash.exchange.request.contains("[redacted]"));
    assert!(!connection.is_open());

    let after = connection.request("ping", None, LONG).await;
    assert_eq!(
        picture(&after),
        "Closed: the process ended (exit code 139) before this request was sent"
    );
    connection.restart().await.expect("a fresh server");
    assert!(connection.is_open());
    let ping = connection.request("ping", None, LONG).await;
    assert_eq!(picture(&ping), "result {}");
    connection.close().await;
    assert_eq!(server.pids().len(), 2);
}

#[tokio::test]
async fn a_failed_restart_says_why() {
    let server = Scripted::new(json!({"lives": [
        {"on": {"tools/call": [{"abort": true}]}},
        {"start": [{"exit": 3}]},
    ]}));
    let mut connection = server.connect().await;
    let crash = connection.request("tools/call", Some("{}"), LONG).await;
    assert_eq!(crash.exchange.exit, Some(ExitStatus::Signal(6)));
    let failure = connection.restart().await.expect_err("no restart");
    assert_eq!(failure.state, ProbeState::Crash);
    assert_eq!(failure.failure.exit, Some(ExitStatus::Code(3)));
    connection.close().await;
}

#[tokio::test]
async fn bad_bytes_bad_numbers_and_odd_ids_do_not_cost_the_call() {
    let mut raw = br#"{"jsonrpc":"2.0","id":3,"result":""#.to_vec();
    let at = raw.len();
    raw.extend_from_slice(b"\xB0\xA1\"}\n");
    let server = Scripted::new(json!({"on": {
        "tools/call:korean": [{"bytes": raw}],
        "tools/call:half": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"x\":1e999,\"y\":\"\\ud800\"}}\n"}],
        "tools/call:nan": [{"raw": "{\"jsonrpc\": \"2.0\", \"id\": $ID, \"result\": NaN}\n"}],
        "tools/call:text-id": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{}}\n"}],
        "tools/call:no-id": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse\"}}\n"}],
        "tools/call:neither": [{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID}\n"}],
    }}));
    let mut connection = server.connect().await;
    let mut seen = Vec::new();
    for name in ["korean", "half", "nan", "text-id", "no-id", "neither"] {
        let params = format!(r#"{{"name":"{name}"}}"#);
        let exchanged = connection.request("tools/call", Some(&params), LONG).await;
        if name == "korean" {
            assert_eq!(exchanged.invalid_utf8_at, Some(at));
        }
        seen.push(format!("{name}: {}", picture(&exchanged)));
    }
    insta::assert_snapshot!(seen.join("\n"), @r#"
    korean: result "��"
    half: result {"x":1e999,"y":"\ud800"}
    nan: Broken: the reply begins as a JSON-RPC message and is no valid JSON
    text-id: result {}
    no-id: error -32700 parse
    neither: Broken: in the reply there is neither `result` nor `error`
    "#);
    let wire = connection.close().await;
    assert_eq!(wire.invalid_utf8_messages, 1);
    assert_eq!(wire.notes.len(), 1, "{:?}", wire.notes);
}

#[tokio::test]
async fn an_answer_to_a_notification_is_stray() {
    let server = Scripted::new(json!({"on": {"notifications/initialized": [
        {"say": {"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "x"}}},
        {"say": {"jsonrpc": "2.0", "error": {"code": -32600, "message": "x"}}},
    ]}}));
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    assert_eq!(connection.close().await.stray_replies, 2);
}

#[tokio::test]
async fn requests_of_the_server_are_answered_at_once() {
    let server = Scripted::new(json!({"on": {
        "initialize": [
            {"say": {"jsonrpc": "2.0", "id": 1, "method": "ping"}},
            {"await": "result"},
            {"result": {"protocolVersion": "1999-01-01", "capabilities": {}, "serverInfo": {}}},
        ],
        "tools/list": [
            {"say": {"jsonrpc": "2.0", "id": "r", "method": "roots/list"}},
            {"await": "error"},
            {"result": {"tools": []}},
        ],
    }}));
    let mut connection = server.connect().await;
    assert!(connection.gather().await.failure.is_none());
    let wire = connection.close().await;
    let asked: Vec<&str> = wire
        .server_requests
        .iter()
        .map(|seen| seen.method.as_str())
        .collect();
    assert_eq!(asked, ["ping", "roots/list"]);
    assert_eq!(
        wire.notes,
        ["the server chose the protocol revision `1999-01-01`, which was never published"]
    );
    let log = server.log();
    assert!(log.contains(&r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned()));
    assert!(
        log.iter()
            .any(|line| line.contains(r#""id":"r","error":{"code":-32601"#))
    );
}

#[tokio::test]
async fn floods_block_nobody() {
    let server = Scripted::new(json!({"on": {
        // Standard error, noise and unread input at once.
        "tools/call:loud": [
            {"stderr": ["x", 300_000]},
            {"repeat": ["noise\n", 50_000]},
            {"result": {"read": true}},
        ],
    }}));
    let mut connection = server.connect().await;
    let padding = "y".repeat(1_000_000);
    let params = format!(r#"{{"name":"loud","arguments":{{"text":"{padding}"}}}}"#);
    let loud = connection.request("tools/call", Some(&params), LONG).await;
    assert_eq!(picture(&loud), r#"result {"read":true}"#);
    assert_eq!(connection.close().await.noise_lines, 50_000);
}

#[tokio::test]
async fn a_long_reply_is_cut_where_it_is_kept_only() {
    let server = Scripted::new(json!({"on": {
        "tools/call:long": [
            {"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":\""}, {"repeat": ["é", 1_500_000]}, {"raw": "\"}\n"},
        ],
        "tools/call:longer": [
            {"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":\""}, {"repeat": ["0123456789abcdef", 1_100_000]}, {"raw": "\"}\n"},
        ],
    }}));
    let mut connection = server.connect().await;
    let long = connection
        .request("tools/call", Some(r#"{"name":"long"}"#), LONG)
        .await;
    let Reply::Result(raw) = &long.reply else {
        panic!("{:?}", long.exchange.failure);
    };
    assert_eq!(raw.get().len(), 3_000_002);
    assert!(
        long.exchange
            .reply
            .as_ref()
            .is_some_and(|kept| kept.len() <= 16 * 1024)
    );
    assert_eq!(long.exchange.reply_bytes, Some(3_000_002 + 34));
    let longer = connection
        .request("tools/call", Some(r#"{"name":"longer"}"#), LONG)
        .await;
    assert_eq!(picture(&longer), "Broken: the reply is longer than 16 MiB");
    let ping = connection.request("ping", None, LONG).await;
    assert_eq!(picture(&ping), "result {}");
    connection.close().await;
}

#[tokio::test]
async fn the_environment_of_the_server_is_clean() {
    let server = Scripted::new(json!({"on": {"tools/call": [{"env": true}]}}));
    for guarded in [false, true] {
        let mut connection = if guarded {
            server.connect_guarded().await
        } else {
            server.connect().await
        };
        let exchanged = connection.request("tools/call", Some("{}"), LONG).await;
        let Reply::Result(raw) = exchanged.reply else {
            panic!("{:?}", exchanged.exchange);
        };
        let names: Value = serde_json::from_str(raw.get()).expect("JSON");
        let unexpected: Vec<&str> = names["names"]
            .as_array()
            .expect("names")
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| {
                ![
                    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
                ]
                .contains(name)
                    && !name.starts_with("LC_")
            })
            .collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
        connection.close().await;
    }
}

#[tokio::test]
async fn a_list_that_hangs_costs_its_limit_once() {
    let server = Scripted::new(json!({"on": {
        "initialize": [{"result": {"protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": "x", "version": "1"}}}],
        "tools/list": [{"hang": true}],
    }}));
    let mut settings = server.settings();
    settings.call_timeout = Duration::from_millis(200);
    let mut connection = mcprobe::client::connect(settings)
        .await
        .expect("a connection");
    let gathered = connection.gather().await;
    let (state, failure) = gathered.failure.expect("a failure");
    assert_eq!(state, ProbeState::Timeout);
    assert!(
        failure.message.contains("no reply within 0.2 s"),
        "{}",
        failure.message
    );
    assert_eq!(
        gathered.inventory.prompts.end,
        ListEnd::Failed {
            reason: "not asked for after an earlier list got no reply".to_owned()
        }
    );
    connection.hurry();
    connection.close().await;
}

#[tokio::test]
async fn an_echoed_credential_is_kept_nowhere() {
    let server = Scripted::new(json!({
        "start": [{"raw": "using s3cret-value\n"}],
        "on": {
            "initialize": [{"result": {"protocolVersion": "2025-11-25", "capabilities": {},
                "serverInfo": {"name": "s3cret-value", "version": "1"}}}],
            "tools/list": [{"result": {"tools": [
                {"name": "a", "description": "token s3cret-value"}, {"name": "b", "x": 12_345_678},
            ]}}],
        },
    }));
    let mut settings = server.settings();
    settings.redactor = Redactor::new([&Secret::new("s3cret-value"), &Secret::new("12345678")]);
    let mut connection = mcprobe::client::connect(settings)
        .await
        .expect("a connection");
    assert_eq!(connection.server().name.as_deref(), Some("[redacted]"));
    let tools = connection.gather().await.inventory.tools;
    let entries: Vec<&str> = tools.entries.iter().map(|raw| raw.get()).collect();
    assert_eq!(
        entries,
        [
            r#"{"name":"a","description":"token [redacted]"}"#,
            "{\"name\":\"b\",\"x\":\"[redacted]\"}",
        ]
    );
    assert_eq!(connection.close().await.noise_first, ["using [redacted]"]);
}
