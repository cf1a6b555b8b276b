//! The probe script: what it sends, how it copes with servers that die, and what it
//! never does.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::response::Response;
use mcprobe::client::probe::{NAMES, ProbeSettings, probe};
use mcprobe::client::{Connection, connect};
use mcprobe::model::fuzz::ExitStatus;
use mcprobe::model::probe::{Probe, Probes, Taken};
use serde_json::{Value, json};

use crate::common::http::{Heard, HttpServer, proper, reply, result};
use crate::common::stdio::Scripted;

fn settings() -> ProbeSettings {
    ProbeSettings::new(0, Duration::ZERO)
}

/// Limits for servers that say nothing.
fn short() -> ProbeSettings {
    ProbeSettings {
        limit: Duration::from_millis(200),
        whole: Duration::from_secs(4),
        ..settings()
    }
}

async fn probed(connection: &mut Connection, settings: ProbeSettings) -> Probes {
    let inventory = connection.gather().await.inventory;
    let mut probes = Probes::default();
    probe(connection, &inventory, settings, &mut probes).await;
    probes
}

async fn of_script(script: Value, settings: ProbeSettings) -> (Probes, Scripted) {
    let server = Scripted::new(script);
    let mut connection = server.connect().await;
    let probes = probed(&mut connection, settings).await;
    connection.close().await;
    (probes, server)
}

fn made<'p>(probes: &'p Probes, name: &str) -> &'p Probe {
    probes
        .get(name)
        .unwrap_or_else(|| panic!("{name} was not made: {:?}", why(probes, name)))
}

fn why<'p>(probes: &'p Probes, name: &str) -> Option<&'p str> {
    let left = probes.left_out.iter().find(|left| left.name == name)?;
    Some(&left.because)
}

/// Each probe is accounted for, once.
fn assert_complete(probes: &Probes) {
    let made = probes.made.iter().map(|probe| probe.name.as_str());
    let left = probes.left_out.iter().map(|left| left.name.as_str());
    let mut all: Vec<&str> = made.chain(left).collect();
    let mut names = NAMES.to_vec();
    all.sort_unstable();
    names.sort_unstable();
    assert_eq!(all, names);
}

/// A server that refuses tools that it does not have.
fn refusing(mut on: Value) -> Value {
    let refusal = json!({"code": -32602, "message": "Unknown tool"});
    if on["tools/call"].is_null() {
        on["tools/call"] = json!([{ "error": refusal }]);
    }
    json!({ "on": on })
}

#[tokio::test]
async fn a_sound_server_takes_the_whole_script_and_gives_the_same_evidence_twice() {
    let (first, server) = of_script(refusing(json!({})), settings()).await;
    assert_complete(&first);
    for probe in &first.made {
        assert_ne!(probe.alive, Some(false), "{}", probe.name);
    }
    assert_eq!(made(&first, "ping").taken, Taken::Result);
    assert_eq!(made(&first, "id-string").taken, Taken::Result);
    assert_eq!(made(&first, "unknown-method").taken, Taken::Error(-32601));
    assert_eq!(made(&first, "call-args-null").taken, Taken::Error(-32602));
    assert_eq!(made(&first, "unknown-version").taken, Taken::Result);
    // It reads `"id": null` as a notification, and says nothing to broken JSON.
    assert_eq!(made(&first, "parse-error").taken, Taken::Silence);
    assert_eq!(made(&first, "parse-error").alive, Some(true));
    let second_list = made(&first, "second-list:tools/list");
    let comparison = second_list.comparison.as_ref().expect("a comparison");
    assert!(comparison.same_entries() && !comparison.reordered);
    assert_eq!(why(&first, "batch"), Some("the revision has no batches"));
    // No listed tool was named, and one more process was started.
    assert!(!server.log().iter().any(|line| line.contains("\"echo\"")));
    assert_eq!(server.pids().len(), 2);

    let (second, _) = of_script(refusing(json!({})), settings()).await;
    assert_eq!(second, first);
}

#[tokio::test]
async fn a_probe_that_kills_the_server_is_the_finding_and_the_script_goes_on() {
    let dies = json!([{"stderr": ["panic at the disco\n", 1]}, {"exit": 3}]);
    let (probes, server) = of_script(refusing(json!({"tools/call": dies})), settings()).await;
    assert_complete(&probes);
    let killer = made(&probes, "unknown-tool");
    assert_eq!((killer.taken, killer.alive), (Taken::Closed, Some(false)));
    assert_eq!(killer.exchange.exit, Some(ExitStatus::Code(3)));
    assert_eq!(
        killer.exchange.stderr_tail.as_deref(),
        Some("panic at the disco")
    );
    assert_eq!(made(&probes, "call-args-null").taken, Taken::Closed);
    assert_eq!(made(&probes, "params-array").alive, Some(true));
    // The first, one for each of seven deaths, and the second connection.
    assert_eq!(server.pids().len(), 9);
}

#[tokio::test]
async fn what_a_request_did_is_not_laid_to_the_next_one() {
    // The request breaks the server, which shows only at the next one.
    let breaks = json!({"mcprobe/does-not-exist": [{"await": "method"}, {"exit": 1}]});
    let (probes, server) = of_script(refusing(breaks), short()).await;
    assert_complete(&probes);
    let method = made(&probes, "unknown-method");
    assert_eq!((method.taken, method.alive), (Taken::Silence, Some(false)));
    assert_eq!(method.exchange.exit, Some(ExitStatus::Code(1)));
    let tool = made(&probes, "unknown-tool");
    assert_eq!((tool.taken, tool.alive), (Taken::Error(-32602), Some(true)));
    // The first, the one after the death, and the second connection.
    assert_eq!(server.pids().len(), 3);
}

#[tokio::test]
async fn a_server_that_does_not_come_back_ends_the_script_with_the_reason() {
    let script = json!({"lives": [
        refusing(json!({"tools/call": [{"exit": 3}]})),
        {"start": [{"exit": 1}]},
    ]});
    let (probes, _) = of_script(script, settings()).await;
    assert_complete(&probes);
    assert_eq!(
        why(&probes, "call-no-params"),
        Some("the server was gone after `unknown-tool` and did not start again")
    );
    assert!(probes.get("unknown-method").is_some());
    assert!(probes.get("parse-error").is_none());
}

#[tokio::test]
async fn silence_costs_its_limit_a_few_times_and_not_thirty() {
    let silent = json!([{"stderr": ["", 1]}]);
    let mut on = json!({});
    for method in [
        "ping",
        "mcprobe/does-not-exist",
        "prompts/list",
        "resources/list",
    ] {
        on[method] = silent.clone();
    }
    let began = Instant::now();
    let (probes, server) = of_script(refusing(on), short()).await;
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_complete(&probes);
    let ping = made(&probes, "ping");
    assert_eq!((ping.taken, ping.alive), (Taken::Silence, None));
    let id_string = made(&probes, "id-string");
    assert_eq!(
        (id_string.taken, id_string.alive),
        (Taken::Silence, Some(false))
    );
    assert!(server.pids().len() > 2);
    assert!(!probes.left_out.is_empty());
}

#[tokio::test]
async fn what_runs_under_any_name_is_not_called_again() {
    let runs = json!({"on": {"tools/call": [{"result": {"content": []}}]}});
    let (probes, server) = of_script(runs, settings()).await;
    assert_eq!(made(&probes, "unknown-tool").taken, Taken::Result);
    assert_eq!(
        why(&probes, "call-no-name"),
        Some("the server ran something under a name that no tool has")
    );
    let calls = server
        .log()
        .iter()
        .filter(|line| line.contains("tools/call"))
        .count();
    assert_eq!(calls, 1);
}

#[tokio::test]
async fn a_late_reply_to_a_broken_envelope_is_its_reply() {
    // The fourth `ping` is the one that says "1.0"; half a second is over before its
    // reply.
    let late = json!([
        [{"result": {}}], [{"result": {}}], [{"result": {}}],
        [{"delayMs": 800}, {"error": {"code": -32600, "message": "late"}}],
        [{"result": {}}]
    ]);
    let on = json!({"ping": late, "tools/call": [{"exit": 1}]});
    let script = json!({ "lives": [{"on": on}] });
    let server = Scripted::new(script);
    let mut connection = server.connect().await;
    let mut inventory = connection.gather().await.inventory;
    inventory.tools = mcprobe::model::inventory::Listing::default();
    let mut probes = Probes::default();
    probe(&mut connection, &inventory, settings(), &mut probes).await;
    let late = made(&probes, "jsonrpc-version");
    assert_eq!(late.taken, Taken::Error(-32600), "{probes:#?}");
    assert_eq!(late.alive, Some(true));
    connection.close().await;
}

#[tokio::test]
async fn messages_before_initialized_and_after_a_notification_are_kept() {
    let on = json!({
        "initialize": [
            {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "early", "version": "1"}}},
            {"say": {"jsonrpc": "2.0", "id": "e", "method": "roots/list"}},
        ],
        "notifications/mcprobe/does-not-exist": [{"raw":
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n"}],
    });
    let (probes, _) = of_script(refusing(on), settings()).await;
    let early = made(&probes, "before-initialized");
    assert_eq!(early.between.len(), 1);
    assert!(early.between[0].contains("roots/list"));
    let notification = made(&probes, "notification");
    assert_eq!(notification.taken, Taken::Result);
    assert!(
        notification.between[0].contains("-32601"),
        "{notification:?}"
    );
}

#[tokio::test]
async fn features_are_asked_for_what_is_not_there() {
    let on = json!({
        "initialize": [{"result": {
            "protocolVersion": "2025-03-26",
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}, "completions": {}, "logging": {}},
            "serverInfo": {"name": "rich", "version": "1"}}}],
        "prompts/list": [{"result": {"prompts": [
            {"name": "plain"},
            {"name": "greet", "arguments": [{"name": "who", "required": true}]},
        ]}}],
        "resources/list": [{"result": {"resources": [{"uri": "a://b", "name": "b"}]}}],
        "resources/templates/list": [{"result": {"resourceTemplates": []}}],
    });
    let (probes, server) = of_script(refusing(on), settings()).await;
    assert_complete(&probes);
    let sent = |name: &str| made(&probes, name).exchange.request.clone();
    assert!(sent("prompt-no-arguments").contains(r#""name":"greet","arguments":{}"#));
    assert!(sent("completion-known").contains(r#"{"name":"who","value":""}"#));
    assert!(sent("resource-unknown").contains("mcprobe://absent/"));
    assert!(sent("log-level-invalid").contains("loud"));
    assert!(sent("batch").starts_with("[{"));
    assert!(probes.get("undeclared:prompts/list").is_none());
    let log = server.log().join("\n");
    assert!(!log.contains("a://b") && !log.contains("subscribe"));
}

/// A server of the modern era, as far as the script goes.
fn modern(heard: &Heard) -> Option<Response> {
    let meta = &heard.body["params"]["_meta"];
    let version = meta["io.modelcontextprotocol/protocolVersion"].as_str();
    let done = |mut value: Value| {
        value["resultType"] = "complete".into();
        Some(result(heard, &value))
    };
    let error = |status, code: i64| {
        let body = json!({"jsonrpc": "2.0", "id": heard.body["id"],
            "error": {"code": code, "message": "no", "data": {"supported": ["2026-07-28"]}}});
        Some(reply(status, "application/json", body.to_string()))
    };
    match heard.word() {
        "DELETE" if heard.header("mcp-session-id").is_some() => Some(reply(200, "", "")),
        "GET" | "DELETE" => Some(reply(405, "", "")),
        "initialize" if heard.header("mcp-protocol-version").is_none() => {
            let mut given = result(
                heard,
                &json!({"protocolVersion": "2025-11-25",
                "capabilities": {}, "serverInfo": {"name": "both", "version": "1"}}),
            );
            let id = "session-of-the-older-era".parse().expect("a header");
            given.headers_mut().insert("mcp-session-id", id);
            Some(given)
        }
        _ if version.is_none() => error(400, -32602),
        _ if heard.header("mcp-protocol-version") != version => error(400, -32020),
        _ if version == Some("1900-01-01") => error(400, -32022),
        _ if heard.header("mcp-method") != Some(heard.word()) => error(400, -32020),
        "server/discover" => done(json!({"supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}}})),
        "tools/list" => {
            done(json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}))
        }
        "subscriptions/listen" => Some(reply(
            200,
            "text/event-stream",
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n",
        )),
        "tools/call" => error(400, -32602),
        _ => error(404, -32601),
    }
}

#[tokio::test]
async fn a_modern_server_is_asked_what_only_modern_servers_do() {
    let server = HttpServer::start(modern).await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    let probes = probed(&mut connection, settings()).await;
    assert_complete(&probes);
    let at = |name: &str| {
        let probe = made(&probes, name);
        (probe.taken, probe.exchange.http_status)
    };
    assert_eq!(at("no-meta"), (Taken::Error(-32602), Some(400)));
    assert_eq!(at("no-meta:clientInfo"), (Taken::Result, Some(200)));
    assert_eq!(at("unknown-version"), (Taken::Error(-32022), Some(400)));
    assert_eq!(at("unknown-method"), (Taken::Error(-32601), Some(404)));
    assert_eq!(at("removed:ping"), (Taken::Error(-32601), Some(404)));
    assert_eq!(at("http-header-method"), (Taken::Error(-32020), Some(400)));
    assert_eq!(at("http-header-version"), (Taken::Error(-32020), Some(400)));
    assert_eq!(
        at("http-no-version-header"),
        (Taken::Error(-32020), Some(400))
    );
    assert_eq!(at("http-version-header"), (Taken::Error(-32022), Some(400)));
    assert_eq!(at("http-get"), (Taken::HttpOnly, Some(405)));
    assert_eq!(at("http-delete"), (Taken::HttpOnly, Some(405)));
    // A legacy client says it without the headers of this era.
    assert_eq!(at("removed:initialize"), (Taken::Result, Some(200)));
    let subscription = made(&probes, "subscriptions-listen");
    assert!(
        subscription.between[0].contains("acknowledged"),
        "{subscription:?}"
    );
    let fresh = made(&probes, "new-connection-list:tools/list");
    assert!(
        fresh
            .comparison
            .as_ref()
            .expect("a comparison")
            .same_entries()
    );
    assert_eq!(
        why(&probes, "ping"),
        Some("not of this server's era or transport")
    );
    let heard = server.heard();
    let header = |name: &str, value: Option<&str>| {
        heard
            .iter()
            .any(|heard| heard.method == "POST" && heard.header(name) == value)
    };
    assert!(header("mcp-name", None) && header("mcp-method", None));
    assert!(header("mcp-protocol-version", Some("2025-11-25")));
    let ended = heard.iter().any(|heard| {
        heard.word() == "DELETE"
            && heard.header("mcp-session-id") == Some("session-of-the-older-era")
    });
    assert!(ended, "the session of the older era was left open");
    connection.close().await;
}

/// The same without tools: it does not know `tools/list`, whatever else is wrong with
/// the request.
fn without_tools(heard: &Heard) -> Option<Response> {
    match heard.word() {
        "tools/list" => Some(reply(404, "application/json", unknown(heard))),
        "server/discover" => {
            let mut reply = modern(heard);
            if heard.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
                == "2026-07-28"
            {
                let none = json!({"supportedVersions": ["2026-07-28"], "capabilities": {},
                    "resultType": "complete"});
                reply = Some(result(heard, &none));
            }
            reply
        }
        _ => modern(heard),
    }
}

fn unknown(heard: &Heard) -> String {
    json!({"jsonrpc": "2.0", "id": heard.body["id"],
        "error": {"code": -32601, "message": "no"}})
    .to_string()
}

#[tokio::test]
async fn a_modern_server_without_tools_is_asked_for_what_it_has() {
    let server = HttpServer::start(without_tools).await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    let probes = probed(&mut connection, settings()).await;
    assert_complete(&probes);
    for (name, expected) in [
        ("no-meta", Taken::Error(-32602)),
        ("no-meta:clientInfo", Taken::Result),
        ("unknown-version", Taken::Error(-32022)),
    ] {
        assert_eq!(made(&probes, name).taken, expected, "{name}");
    }
    connection.close().await;
}

/// A server with sessions that looks at `Host` and `Origin`.
fn careful(heard: &Heard, token: Option<&str>) -> Option<Response> {
    let evil = |name: &str| {
        heard
            .header(name)
            .is_some_and(|value| value.contains("evil"))
    };
    if evil("host") || evil("origin") {
        return Some(reply(403, "", ""));
    }
    if token.is_some() && heard.header("authorization") != token {
        let mut refusal = reply(401, "", "");
        let challenge = "Bearer realm=\"mcp\"".parse().expect("a header");
        refusal.headers_mut().insert("www-authenticate", challenge);
        return Some(refusal);
    }
    match (heard.word(), heard.header("mcp-session-id")) {
        ("initialize", None) => {
            let mut opened = proper(heard);
            let number = if heard.body["id"] == 2 { "one" } else { "two" };
            let id = format!("session-of-many-letters-{number}");
            let id = id.parse().expect("a header");
            opened.headers_mut().insert("mcp-session-id", id);
            Some(opened)
        }
        (_, None) => Some(reply(400, "", "")),
        (_, Some(id)) if id.starts_with("mcprobe") => Some(reply(404, "", "")),
        ("DELETE", _) => Some(reply(200, "", "")),
        ("ping", _) if heard.header("mcp-protocol-version") == Some("1900-01-01") => {
            Some(reply(400, "", ""))
        }
        ("ping", _) => Some(result(heard, &json!({}))),
        ("tools/call", _) => {
            let body = json!({"jsonrpc": "2.0", "id": heard.body["id"],
                "error": {"code": -32602, "message": "Unknown tool"}});
            Some(reply(200, "application/json", body.to_string()))
        }
        _ => None,
    }
}

#[tokio::test]
async fn sessions_origins_and_methods_are_probed_beside_the_conversation() {
    let server = HttpServer::start(|heard| careful(heard, None)).await;
    let mut connection = connect(server.settings()).await.expect("a connection");
    let probes = probed(&mut connection, settings()).await;
    assert_complete(&probes);
    let status = |name: &str| made(&probes, name).exchange.http_status;
    for (name, expected) in [
        ("http-get", 405),
        ("http-notification", 202),
        ("http-version-header", 400),
        ("session-missing", 400),
        ("session-unknown", 404),
        ("session-open", 200),
        ("session-delete", 200),
        ("session-terminated", 200),
        ("origin-local", 200),
        ("origin-evil", 403),
        ("host-evil", 403),
        ("unknown-version", 200),
    ] {
        assert_eq!(status(name), Some(expected), "{name}");
    }
    let form = made(&probes, "session-open").session.expect("a form");
    assert!(form.visible_ascii && !form.repeated);
    assert_eq!(form.bytes, 27);
    assert_eq!(
        made(&probes, "session-open").headers["mcp-session-id"],
        "(given)"
    );
    assert!(why(&probes, "bogus-token").is_some());
    // The audit's own session was never ended by a probe.
    let ended: BTreeSet<String> = server
        .heard()
        .iter()
        .filter(|heard| heard.word() == "DELETE")
        .filter_map(|heard| heard.header("mcp-session-id").map(str::to_owned))
        .collect();
    assert!(!ended.contains("session-of-many-letters-one"), "{ended:?}");
    assert!(connection.is_open());
    connection.close().await;
}

#[tokio::test]
async fn a_token_that_is_none_is_tried_where_one_is_wanted() {
    let server = HttpServer::start(|heard| careful(heard, Some("Bearer right"))).await;
    let mut settings = server.settings();
    settings.headers = vec![(
        "Authorization".to_owned(),
        mcprobe::model::secret::Secret::new("Bearer right"),
    )];
    let mut connection = connect(settings).await.expect("a connection");
    let probes = probed(&mut connection, self::settings()).await;
    for name in ["no-token", "bogus-token"] {
        let probe = made(&probes, name);
        assert_eq!(probe.exchange.http_status, Some(401), "{name}");
        assert_eq!(probe.headers["www-authenticate"], "Bearer realm=\"mcp\"");
    }
    connection.close().await;
}
