//! A client for the official conformance suite's client scenarios, on mcprobe's own
//! client library.
//!
//! The suite gives the scenario and the revision in the environment
//! (`MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION`,
//! `MCP_CONFORMANCE_CONTEXT`) and the server's address as the last argument. Exit
//! code 0 says that the client came to the end of the scenario.

use std::process::ExitCode;
use std::time::Duration;

use mcprobe::client::{Approach, ConnectSettings, Connection, Reply, connect};
use mcprobe::model::contact::{Answer, Reach};
use mcprobe::model::inventory::Inventory;
use mcprobe::model::secret::Redactor;
use mcprobe::model::target::Target;
use mcprobe::model::tool::Tool;
use mcprobe::protocol::param_headers;
use mcprobe::protocol::revision::Revision;
use mcprobe::transport::Spawner;
use serde_json::{Value, json};
use url::Url;

const LIMIT: Duration = Duration::from_secs(20);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say(&why);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "a program of its own, not the library")]
fn say(text: &str) {
    eprintln!("conformance_client: {text}");
}

async fn run() -> Result<(), String> {
    let scenario = variable("MCP_CONFORMANCE_SCENARIO");
    let address = std::env::args().next_back().unwrap_or_default();
    let address = Url::parse(&address).map_err(|error| format!("`{address}`: {error}"))?;
    let mut connection = connect(settings(&scenario, address))
        .await
        .map_err(|failure| failure.failure.message)?;
    let inventory = connection.gather().await.inventory;
    for (name, arguments) in calls(&scenario, &inventory) {
        call(&mut connection, &name, &arguments).await?;
    }
    if scenario == "http-standard-headers" {
        read_and_get(&mut connection, &inventory).await?;
    }
    connection.close().await;
    Ok(())
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// The revision is forced where the suite names a published one.
fn settings(scenario: &str, address: Url) -> ConnectSettings {
    let revision = Revision::read(&variable("MCP_CONFORMANCE_PROTOCOL_VERSION"));
    let asks = scenario.starts_with("elicitation") || scenario.starts_with("sep-2322");
    ConnectSettings {
        target: Target::Url(address),
        headers: Vec::new(),
        startup_timeout: LIMIT,
        call_timeout: LIMIT,
        deadline: tokio::time::Instant::now() + Duration::from_mins(1),
        redactor: Redactor::default(),
        spawner: Spawner::Direct,
        approach: Approach {
            reach: Reach {
                revision: Some(revision).filter(Revision::is_published),
                answer: asks.then_some(Answer::Accept),
                ..Reach::default()
            },
            ..Approach::default()
        },
    }
}

/// The calls of a scenario: those that the suite names, or one of each tool that a
/// client may call.
fn calls(scenario: &str, inventory: &Inventory) -> Vec<(String, Value)> {
    let context: Value =
        serde_json::from_str(&variable("MCP_CONFORMANCE_CONTEXT")).unwrap_or_default();
    if let Some(named) = context["toolCalls"].as_array() {
        return named
            .iter()
            .map(|call| {
                let name = call["name"].as_str().unwrap_or_default();
                (name.to_owned(), call["arguments"].clone())
            })
            .collect();
    }
    // These only look at lists, or at the first messages.
    if matches!(scenario, "initialize" | "json-schema-ref-no-deref") {
        return Vec::new();
    }
    if scenario == "json-schema-2020-12-preservation" {
        return vec![("json_schema_echo".to_owned(), echo(inventory))];
    }
    let tools = inventory.tools.entries.iter().enumerate();
    tools
        .filter_map(|(index, raw)| {
            let tool = Tool::read(index, raw.get());
            let schema = tool.input_schema()?.to_string();
            param_headers::read(&schema).ok()?;
            Some((tool.name?, arguments(scenario, &schema)))
        })
        .collect()
}

/// The schema of the first tool, as it came.
fn echo(inventory: &Inventory) -> Value {
    let first = inventory.tools.entries.first();
    let tool: Value = first
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    json!({"schema": tool["inputSchema"]})
}

/// A value for each property.
fn arguments(scenario: &str, schema: &str) -> Value {
    if scenario == "tools_call" {
        return json!({"a": 5, "b": 3});
    }
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let properties = schema["properties"].as_object().cloned();
    let filled = properties
        .unwrap_or_default()
        .into_iter()
        .map(|(name, property)| {
            let value = match property["type"].as_str() {
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(true),
                _ => json!("value"),
            };
            (name, value)
        });
    Value::Object(filled.collect())
}

async fn call(connection: &mut Connection, name: &str, arguments: &Value) -> Result<(), String> {
    let params = json!({"name": name, "arguments": arguments}).to_string();
    request(connection, "tools/call", &params).await
}

/// One resource and one prompt of each list.
async fn read_and_get(connection: &mut Connection, inventory: &Inventory) -> Result<(), String> {
    for (list, method, key) in [
        (&inventory.resources, "resources/read", "uri"),
        (&inventory.prompts, "prompts/get", "name"),
    ] {
        for entry in &list.entries {
            let entry: Value = serde_json::from_str(entry.get()).unwrap_or_default();
            let params = json!({key: entry[key]}).to_string();
            request(connection, method, &params).await?;
        }
    }
    Ok(())
}

async fn request(connection: &mut Connection, method: &str, params: &str) -> Result<(), String> {
    let exchanged = connection.request(method, Some(params), LIMIT).await;
    match exchanged.reply {
        Reply::Result(_) | Reply::Error { .. } => Ok(()),
        reply => Err(format!(
            "`{method}` with {params}: {reply:?}: {}",
            exchanged.exchange.failure.unwrap_or_default()
        )),
    }
}
