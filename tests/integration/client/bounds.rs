//! How much of what a server says is kept.

use mcprobe::model::inventory::ListEnd;
use serde_json::{Value, json};

use crate::common::stdio::Scripted;

/// A page of one million entries that are nothing.
fn swarm(key: &str) -> Value {
    json!([
        {"raw": format!("{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"{key}\":[")},
        {"repeat": ["0,", 1_000_000]},
        {"raw": "0]}}\n"},
    ])
}

#[tokio::test]
async fn a_swarm_of_entries_is_kept_in_part() {
    let server = Scripted::new(json!({"on": {"tools/list": swarm("tools")}}));
    let mut connection = server.connect().await;
    let gathered = connection.gather().await;
    assert!(gathered.failure.is_none());
    let tools = gathered.inventory.tools;
    assert_eq!(tools.entries.len(), 50_000);
    assert_eq!(
        tools.end,
        ListEnd::Bounded {
            reason: "more than 50000 entries".to_owned()
        }
    );
    connection.close().await;
}

#[tokio::test]
async fn entries_beside_the_list_are_read_over() {
    let server = Scripted::new(json!({"on": {"tools/list": [
        {"raw": "{\"jsonrpc\":\"2.0\","},
        {"repeat": ["\"\":0,", 500_000]},
        {"raw": "\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n"},
    ]}}));
    let mut connection = server.connect().await;
    let tools = connection.gather().await.inventory.tools;
    assert_eq!((tools.entries.len(), tools.end), (1, ListEnd::Complete));
    connection.close().await;
}

#[tokio::test]
async fn what_a_server_says_of_itself_is_kept_in_part() {
    let server = Scripted::new(json!({"on": {"initialize": [{"result": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "experimental": {"x": "y".repeat(256 * 1024)}},
        "serverInfo": {"name": "é".repeat(40_000), "version": 7},
        "instructions": "i".repeat(100_000),
    }}]}}));
    let mut connection = server.connect().await;
    assert_eq!(connection.capabilities(), &Value::Null);
    let named = connection.server().clone();
    assert_eq!(named.name.expect("a name").len(), 64 * 1024);
    assert_eq!(named.version, None);
    assert_eq!(named.instructions.expect("some").len(), 64 * 1024);
    // The tools are asked for all the same.
    assert_eq!(connection.gather().await.inventory.tools.entries.len(), 1);
    assert_eq!(
        connection.close().await.notes,
        ["`capabilities` are longer than 256 KiB and were not kept"]
    );
}
