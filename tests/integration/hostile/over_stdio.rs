//! Hostile servers as child processes.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::{Limits, audit};
use crate::common::stdio::{Scripted, scripted_server, until_gone};

/// Peers that are audited at the same time.
const AT_ONCE: usize = 4;

/// A peer: its name, what it does, and the probe state that it ends in.
type Peer = (&'static str, Value, &'static str);

/// Most of a row's time is waiting: several wait at the same time.
fn survive(limits: Limits, peers: Vec<Peer>) {
    let rows = Mutex::new(peers.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let row = rows.lock().expect("no panic").next();
                    let Some(row) = row else { return };
                    survive_one(limits, row);
                }
            });
        }
    });
}

fn survive_one(limits: Limits, (name, script, state): Peer) {
    let server = Scripted::new(script);
    let program = scripted_server();
    let (program, script) = (program.to_str(), server.file("script.json"));
    let target = [
        "--",
        program.expect("a path"),
        script.to_str().expect("a path"),
    ];
    let survived = audit(&target, limits);
    survived.assert(name, state);
    for pid in server.pids() {
        until_gone(pid);
    }
}

fn at(method: &str, steps: &Value) -> Value {
    json!({ "on": { method: steps } })
}

#[test]
fn silence_in_every_form() {
    let hang = json!([{ "hang": null }]);
    let half = json!([{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"resu"}, {"hang": null}]);
    let drip = json!([{"drip": ["{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}", 300]}]);
    let mute = json!({"start": hang, "ignoreEof": true, "ignoreTerm": true});
    survive(
        Limits::Small,
        vec![
            ("never answers and cannot be stopped", mute, "timeout"),
            (
                "half a message",
                json!({"on": {"server/discover": half, "initialize": half}}),
                "timeout",
            ),
            ("half a list", at("tools/list", &half), "timeout"),
            (
                "a slow drip",
                json!({"on": {"server/discover": drip, "initialize": drip}}),
                "timeout",
            ),
            ("a slow list", at("tools/list", &drip), "timeout"),
            (
                "silence at every probe",
                json!({"on": {
                    "ping": hang, "mcprobe/does-not-exist": hang, "tools/call": hang,
                }}),
                "ok",
            ),
        ],
    );
}

#[test]
fn floods_of_either_pipe() {
    let noise = json!([{ "flood": "all work and no play\n" }]);
    let news = json!([{"flood": "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n"}]);
    let asks = json!([{"flood": "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n"}]);
    let endless = json!([{ "flood": "x" }]);
    survive(
        Limits::Small,
        vec![
            (
                "noise from the start",
                json!({ "start": noise }),
                "not-json",
            ),
            (
                "a line without an end",
                json!({ "start": endless }),
                "timeout",
            ),
            (
                "noise in place of a list",
                at("tools/list", &noise),
                "timeout",
            ),
            (
                "news in place of a list",
                at("tools/list", &news),
                "timeout",
            ),
            (
                "questions in place of a list",
                at("tools/list", &asks),
                "timeout",
            ),
            ("noise in place of a pong", at("ping", &noise), "ok"),
            (
                "standard error",
                json!({"start": [{"floodStderr": "wolf\n"}]}),
                "ok",
            ),
            (
                "standard error while it hangs",
                json!({"start": [{"floodStderr": "wolf\n"}, {"hang": null}]}),
                "timeout",
            ),
        ],
    );
}

#[test]
fn messages_beyond_all_bounds() {
    let huge = |before: &str, after: &str| json!([{"raw": before}, {"repeat": ["x", 100_000_000]}, {"raw": after}]);
    let huge_result = huge("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":\"", "\"}\n");
    let huge_error = huge(
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,\"message\":\"",
        "\"}}\n",
    );
    let endless_pages = json!([{"raw":
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"t$ID\"}],\"nextCursor\":\"$ID\"}}\n"}]);
    let deep = json!([
        {"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"deep\",\"inputSchema\":"},
        {"repeat": ["{\"items\":", 500_000]}, {"raw": "1"}, {"repeat": ["}", 500_000]},
        {"raw": "}]}}\n"},
    ]);
    let deep_reply = json!([
        {"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":"},
        {"repeat": ["[", 1_000_000]}, {"repeat": ["]", 1_000_000]}, {"raw": "}\n"},
    ]);
    survive(
        Limits::Ample,
        vec![
            (
                "a list of 100 MB",
                at("tools/list", &huge_result),
                "no-tools",
            ),
            (
                "a handshake of 100 MB",
                at("initialize", &huge_result),
                "not-json",
            ),
            (
                "refusals of 100 MB",
                at("mcprobe/does-not-exist", &huge_error),
                "ok",
            ),
            ("a pong of 100 MB", at("ping", &huge_result), "ok"),
            (
                "pages without an end",
                at("tools/list", &endless_pages),
                "ok",
            ),
            ("a deep schema", at("tools/list", &deep), "ok"),
            ("a deep pong", at("ping", &deep_reply), "ok"),
        ],
    );
}

#[test]
fn death_at_every_point() {
    let dies = json!([{ "exit": 7 }]);
    let half = json!([{"raw": "{\"jsonrpc\":\"2.0\",\"id\":$ID,"}, {"exit": 7}]);
    let aborts = json!([{ "abort": null }]);
    let page = json!([
        [{"result": {"tools": [{"name": "a"}], "nextCursor": "2"}}],
        [{"exit": 7}],
    ]);
    let leaves = json!([{"linger": "@pid"}, {"exit": 7}]);
    survive(
        Limits::Ample,
        vec![
            ("at the start", json!({ "start": dies }), "crash"),
            (
                "at the start, with a stray",
                json!({ "start": leaves }),
                "crash",
            ),
            ("at `server/discover`", at("server/discover", &dies), "ok"),
            ("at `initialize`", at("initialize", &dies), "crash"),
            (
                "in the reply to `initialize`",
                at("initialize", &half),
                "crash",
            ),
            (
                "at `notifications/initialized`",
                at("notifications/initialized", &dies),
                "crash",
            ),
            ("at `tools/list`", at("tools/list", &aborts), "crash"),
            ("in the list", at("tools/list", &half), "crash"),
            ("at the second page", at("tools/list", &page), "crash"),
            ("at `ping`", at("ping", &dies), "ok"),
            (
                "at an unknown method",
                at("mcprobe/does-not-exist", &half),
                "ok",
            ),
            (
                "at an unknown notification",
                at("notifications/mcprobe/does-not-exist", &dies),
                "ok",
            ),
            ("at a call", at("tools/call", &aborts), "ok"),
            ("in a call, with a stray", at("tools/call", &leaves), "ok"),
            (
                "and never again",
                json!({"lives": [at("tools/call", &dies), {"start": dies}]}),
                "ok",
            ),
        ],
    );
}
