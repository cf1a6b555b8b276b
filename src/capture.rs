//! Evidence from a file: saved by an earlier run, or a captured `tools/list`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::value::RawValue;

use crate::model::contact::Contact;
use crate::model::evidence::{EVIDENCE_VERSION, Evidence, ProbeState, Producer, RunFacts, Wire};
use crate::model::inventory::{Inventory, ListEnd, Listing};
use crate::model::target::{TargetLabel, TransportKind};
use crate::protocol::json;

/// Reads saved evidence, a full JSON-RPC response to `tools/list`, its result,
/// or a bare array of tools. `display` names the file in the report.
///
/// # Errors
/// One line on what the text is instead.
pub fn read(display: &str, bytes: &[u8]) -> Result<Evidence, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err("it is empty; it should hold saved evidence or a tools/list".to_owned());
    }
    if let Some(members) = json::members(text) {
        return from_object(display, text, &members);
    }
    match json::elements(text) {
        Some(entries) if looks_like_tools(&entries) => Ok(captured(display, entries, None)),
        Some(_) => Err("it is a JSON array, but not of tools; tools are objects with a `name`".to_owned()),
        None => match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => Err("it is JSON, but no tool list; give a tools/list response, an object with `tools`, or an array of tools".to_owned()),
            Err(error) => Err(format!("it is not JSON ({error})")),
        },
    }
}

fn from_object(
    display: &str,
    text: &str,
    members: &[(String, Box<RawValue>)],
) -> Result<Evidence, String> {
    let member = |key: &str| {
        members
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, raw)| raw.get())
    };
    if let Some(version) = member("evidenceVersion") {
        return evidence(text, version);
    }
    if let Some(result) = member("result") {
        let members = json::members(result)
            .ok_or("its `result` is no object; a tools/list response has `result.tools`")?;
        return from_result(display, &members);
    }
    if let Some(error) = member("error") {
        let cut: String = error.chars().take(200).collect();
        return Err(format!(
            "it is a JSON-RPC error response, not a tool list: {cut}"
        ));
    }
    from_result(display, members)
}

fn from_result(display: &str, members: &[(String, Box<RawValue>)]) -> Result<Evidence, String> {
    let member = |key: &str| {
        members
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, raw)| raw.get())
    };
    let Some(tools) = member("tools") else {
        let keys: Vec<&str> = members
            .iter()
            .map(|(key, _)| key.as_str())
            .take(5)
            .collect();
        return Err(format!(
            "it is a JSON object without `tools` (its keys: {}); give a tools/list response or saved evidence",
            if keys.is_empty() {
                "none".to_owned()
            } else {
                keys.join(", ")
            }
        ));
    };
    let entries = json::elements(tools)
        .ok_or("its `tools` is not an array; a tool list is an array of objects")?;
    Ok(captured(
        display,
        entries,
        member("nextCursor").filter(|cursor| *cursor != "null"),
    ))
}

fn looks_like_tools(entries: &[Box<RawValue>]) -> bool {
    entries.is_empty()
        || entries.iter().any(|entry| {
            json::members(entry.get()).is_some_and(|members| {
                members
                    .iter()
                    .any(|(key, _)| matches!(key.as_str(), "name" | "inputSchema" | "description"))
            })
        })
}

fn evidence(text: &str, version: &str) -> Result<Evidence, String> {
    let version: u32 = version.parse().map_err(|_| {
        "its `evidenceVersion` is no number; save it again with --evidence".to_owned()
    })?;
    if version > EVIDENCE_VERSION {
        return Err(format!(
            "it was saved by a newer mcprobe (evidence version {version}, this one reads {EVIDENCE_VERSION}); use that version"
        ));
    }
    serde_json::from_str(text).map_err(|error| {
        format!("it is no complete evidence ({error}); save it again with --evidence")
    })
}

/// Evidence that holds a tool list and nothing else.
fn captured(display: &str, entries: Vec<Box<RawValue>>, cursor: Option<&str>) -> Evidence {
    let end = match cursor {
        None => ListEnd::Complete,
        Some(_) => ListEnd::Bounded {
            reason: "the capture is one page; its nextCursor names another".to_owned(),
        },
    };
    Evidence {
        evidence_version: EVIDENCE_VERSION,
        producer: Producer::default(),
        target: TargetLabel {
            transport: TransportKind::Capture,
            display: display.to_owned(),
            name: None,
        },
        probe_state: ProbeState::Ok,
        failure: None,
        inventory: Inventory {
            capabilities: serde_json::json!({ "tools": {} }),
            tools: Listing {
                entries,
                pages: 1,
                end,
            },
            ..Inventory::default()
        },
        contact: Contact::default(),
        wire: Wire::default(),
        probes: None,
        fuzz_asked: false,
        fuzz: None,
        cut_short: None,
        run: RunFacts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(text: &str) -> Vec<String> {
        let evidence = read("x.json", text.as_bytes()).expect("a tool list");
        evidence
            .inventory
            .tools
            .entries
            .iter()
            .map(|entry| entry.get().to_owned())
            .collect()
    }

    #[test]
    fn three_shapes_of_a_tool_list() {
        let one = [r#"{"name":"a\ud800"}"#];
        assert_eq!(
            tools(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a\ud800"}]}}"#),
            one
        );
        assert_eq!(tools("\u{feff}{\"tools\":[{\"name\":\"a\\ud800\"}]}"), one);
        assert_eq!(tools(r#" [{"name":"a\ud800"}] "#), one);
        assert!(tools("[]").is_empty());
    }

    #[test]
    fn everything_else_is_refused_in_one_line() {
        for bad in [
            "",
            "{",
            "7",
            "[1]",
            "{}",
            r#"{"tools":7}"#,
            r#"{"result":7}"#,
            r#"{"error":{"code":1}}"#,
            r#"{"evidenceVersion":99}"#,
            r#"{"evidenceVersion":1}"#,
        ] {
            let message = read("x.json", bad.as_bytes()).expect_err(bad);
            assert!(
                !message.contains('\n') && message.starts_with("it"),
                "{bad}: {message}"
            );
        }
    }
}
