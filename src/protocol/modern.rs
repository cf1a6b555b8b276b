//! What a client of the modern era (2026-07-28) adds to each request: `_meta` in its
//! parameters, and headers that say over HTTP what is in the body.
//!
//! Source: MCP 2026-07-28, "Overview: _meta" and "Streamable HTTP: Request headers"
//! (SEP-2243).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;

use super::json;
use super::jsonrpc::quote;
use super::message::string;

/// The error codes that only a modern server sends, and no others (MCP 2026-07-28,
/// "Overview: Error codes").
pub const HEADER_MISMATCH: i64 = -32020;
/// A capability of the client is missing.
pub const MISSING_CAPABILITY: i64 = -32021;
/// The revision of the request is not spoken.
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// The keys of `_meta` that each request has.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Who the client is.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// What the client can do.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the server is; in the `_meta` of a result.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// Whether an error can come of a modern server alone.
pub const fn is_modern_error(code: i64) -> bool {
    matches!(
        code,
        HEADER_MISMATCH | MISSING_CAPABILITY | UNSUPPORTED_VERSION
    )
}

/// The parameters with these members in their `_meta`, each a key and raw JSON. What
/// is there already stays and wins; parameters that are no object stay as they are.
pub fn with_meta(params: Option<&str>, members: &[(&str, &str)]) -> String {
    let params = params.unwrap_or("{}");
    let Some([meta]) = json::pick(params, ["_meta"]) else {
        return params.to_owned();
    };
    let Some(start) = params.find('{') else {
        return params.to_owned();
    };
    match meta {
        None => {
            let meta = format!("\"_meta\":{{{}}}", joined(members.iter()));
            first_member(params, start, &meta)
        }
        Some(meta) => {
            let Some(known) = json::members(meta.get()) else {
                return params.to_owned();
            };
            let new = members
                .iter()
                .filter(|(key, _)| !known.iter().any(|(name, _)| name == key));
            let new = joined(new);
            if new.is_empty() {
                return params.to_owned();
            }
            let meta = first_member(meta.get(), 0, &new);
            let all = json::members(params).unwrap_or_default();
            let last = all.iter().rposition(|(key, _)| key == "_meta");
            let all = all.iter().enumerate().map(|(at, (key, value))| {
                let value = if Some(at) == last {
                    meta.as_str()
                } else {
                    value.get()
                };
                format!("{}:{value}", quote(key))
            });
            format!("{{{}}}", all.collect::<Vec<_>>().join(","))
        }
    }
}

/// An object with these members in front, `"a":1,"b":2` as text; `None` for what is
/// no object.
pub fn with_members(object: &str, members: &str) -> Option<String> {
    json::pick(object, [""])?;
    Some(first_member(object, object.find('{')?, members))
}

fn joined<'a>(members: impl Iterator<Item = &'a (&'a str, &'a str)>) -> String {
    let members: Vec<String> = members
        .map(|(key, value)| format!("{}:{value}", quote(key)))
        .collect();
    members.join(",")
}

/// The object whose brace stands at `start`, with one more member in front.
fn first_member(text: &str, start: usize, member: &str) -> String {
    let (head, rest) = text.split_at(start + 1);
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    format!("{head}{member}{comma}{rest}")
}

/// The headers that say what a request asks for: `Mcp-Method`, `MCP-Protocol-Version`
/// where its `_meta` names one, and `Mcp-Name` where its method names something. Empty
/// for what is no request.
pub fn request_headers(text: &str) -> Vec<(String, String)> {
    let [method, params] = json::pick(text, ["method", "params"]).unwrap_or_default();
    let Some(method) = method.and_then(|raw| string(raw.get())) else {
        return Vec::new();
    };
    let mut headers = vec![("Mcp-Method".to_owned(), header_value(&method))];
    let version = params
        .as_ref()
        .and_then(|params| meta_version(params.get()));
    headers.extend(version.map(|version| ("MCP-Protocol-Version".to_owned(), version)));
    let key = match method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return headers,
    };
    let name = params
        .and_then(|params| json::pick(params.get(), [key]))
        .and_then(|[name]| name)
        .and_then(|raw| string(raw.get()));
    headers.extend(name.map(|name| ("Mcp-Name".to_owned(), header_value(&name))));
    headers
}

/// The revision that parameters name.
fn meta_version(params: &str) -> Option<String> {
    let [meta] = json::pick(params, ["_meta"])?;
    let [version] = json::pick(meta?.get(), [META_VERSION])?;
    string(version?.get())
}

/// A text as a header's value: as it is where that is safe, else in base64 between
/// `=?base64?` and `?=`.
pub fn header_value(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

/// The versions that a server names in the `data` of an error: its `supported`
/// array, where it has one.
pub fn supported(data: Option<&RawValue>) -> Vec<String> {
    let listed = data
        .and_then(|data| json::pick(data.get(), ["supported"]))
        .and_then(|[listed]| listed);
    listed.as_deref().map(strings).unwrap_or_default()
}

/// The strings of an array, 100 at most; what is none is passed over.
pub fn strings(raw: &RawValue) -> Vec<String> {
    let (entries, _) = json::first_elements(raw.get(), 100).unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| string(entry.get()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    const MEMBERS: [(&str, &str); 2] = [("v", "\"1\""), ("c", "{}")];

    #[test]
    fn meta_is_put_before_whatever_is_there() {
        for (params, expected) in [
            (None, r#"{"_meta":{"v":"1","c":{}}}"#),
            (Some("{ }"), r#"{"_meta":{"v":"1","c":{}} }"#),
            (
                Some(r#" {"name":"a","arguments":{"n":1e400}}"#),
                r#" {"_meta":{"v":"1","c":{}},"name":"a","arguments":{"n":1e400}}"#,
            ),
            (
                Some(r#"{"_meta":{"v":"2"},"x":1}"#),
                r#"{"_meta":{"c":{},"v":"2"},"x":1}"#,
            ),
            (
                Some(r#"{"x":1,"_meta":{}}"#),
                r#"{"x":1,"_meta":{"v":"1","c":{}}}"#,
            ),
            (
                Some(r#"{"_meta":{"v":1,"c":2}}"#),
                r#"{"_meta":{"v":1,"c":2}}"#,
            ),
            (
                Some(r#"{"arguments":{},"_meta":{}}"#),
                r#"{"arguments":{},"_meta":{"v":"1","c":{}}}"#,
            ),
            (Some(r#"{"_meta":7}"#), r#"{"_meta":7}"#),
            (Some("[1]"), "[1]"),
            (Some("\"x\""), "\"x\""),
        ] {
            assert_eq!(with_meta(params, &MEMBERS), expected, "{params:?}");
        }
    }

    #[test]
    fn a_request_says_what_it_asks_for() {
        let say = |text: &str| {
            request_headers(text)
                .iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect::<Vec<_>>()
                .join("; ")
        };
        for (text, expected) in [
            (
                r#"{"method":"tools/call","params":{"name":"a b","uri":"x"}}"#,
                "Mcp-Method: tools/call; Mcp-Name: a b",
            ),
            (
                r#"{"method":"resources/read","params":{"uri":"file:///é"}}"#,
                "Mcp-Method: resources/read; Mcp-Name: =?base64?ZmlsZTovLy/DqQ==?=",
            ),
            (
                r#"{"method":"tools/call","params":{"name":7}}"#,
                "Mcp-Method: tools/call",
            ),
            (
                r#"{"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}"#,
                "Mcp-Method: x; MCP-Protocol-Version: 1900-01-01",
            ),
            (
                r#"{"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}}"#,
                "Mcp-Method: x",
            ),
            (r#"{"method":"x","params":[]}"#, "Mcp-Method: x"),
            (r#"{"method":"x","params":{"_meta":7}}"#, "Mcp-Method: x"),
            (r#"{"id":1,"result":{}}"#, ""),
            ("{oops", ""),
        ] {
            assert_eq!(say(text), expected, "{text}");
        }
    }

    #[test]
    fn values_that_no_header_can_hold_are_wrapped() {
        for (text, expected) in [
            ("us-west1", "us-west1"),
            ("", ""),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            (
                "=?base64?SGVsbG8=?=",
                "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?=",
            ),
        ] {
            assert_eq!(header_value(text), expected, "{text}");
        }
    }

    #[test]
    fn versions_are_read_from_data() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
        let data = raw(r#"{"supported":["2026-07-28",7,"x"],"requested":"y"}"#);
        assert_eq!(supported(Some(&data)), ["2026-07-28", "x"]);
        assert!(supported(Some(&raw("[]"))).is_empty());
        assert!(supported(None).is_empty());
    }

    proptest! {
        #[test]
        fn what_was_an_object_stays_one(
            keys in proptest::collection::vec("[a-z_]{0,5}|_meta", 0..4),
            value in prop_oneof![Just("{}"), Just("{\"v\":0}"), Just("[{}]"), Just("1e999"), Just("\"_meta\"")],
        ) {
            let members: Vec<String> = keys.iter().map(|key| format!("{}:{value}", quote(key))).collect();
            let text = format!("{{{}}}", members.join(","));
            let found = with_meta(Some(&text), &MEMBERS);
            prop_assert!(json::members(&found).is_some(), "{}", found);
            let value: Option<Value> = serde_json::from_str(&found).ok();
            if let Some(meta) = value.as_ref().and_then(|value| value.get("_meta")).and_then(Value::as_object) {
                prop_assert!(meta.contains_key("v") && meta.contains_key("c"), "{}", found);
            }
        }
    }
}
