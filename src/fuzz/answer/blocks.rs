//! The parts of a result's content, held against the protocol's schema.
//!
//! Source: `CallToolResult` and `ContentBlock` in the schema of each revision;
//! `audio` came with 2025-03-26, `resource_link` with 2025-06-18.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

use crate::model::answer::ContentFault;
use crate::protocol::revision::Revision;

/// Parts that are looked at.
const MAX_PARTS: usize = 1_000;

/// Standard base64; servers differ in whether they pad.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The texts of a result, those of embedded resources included.
pub(super) fn texts(result: &Value) -> Vec<&str> {
    parts(result)
        .filter_map(|part| match kind(part) {
            Some("text") => part.get("text")?.as_str(),
            Some("resource") => part.pointer("/resource/text")?.as_str(),
            _ => None,
        })
        .collect()
}

/// The first part that the schema does not allow. What could not be read is none.
pub(super) fn fault(result: &Value, revision: &Revision) -> Option<ContentFault> {
    let of = |member: &str, what: String| {
        Some(ContentFault {
            pointer: format!("/{member}"),
            what,
        })
    };
    match result.as_object()?.get("content") {
        Some(Value::Array(_)) => {}
        None => return of("content", "the result has no `content`".to_owned()),
        Some(content) => {
            let what = format!("`content` is {}, and must be an array", noun(content));
            return of("content", what);
        }
    }
    if let Some(flag) = result.get("isError").filter(|flag| !flag.is_boolean()) {
        let what = format!("`isError` is {}, and must be a boolean", noun(flag));
        return of("isError", what);
    }
    parts(result).enumerate().find_map(|(at, part)| {
        let (below, what) = fault_of_part(part, revision)?;
        Some(ContentFault {
            pointer: format!("/content/{at}{below}"),
            what,
        })
    })
}

fn parts(result: &Value) -> impl Iterator<Item = &Value> {
    let content = result.get("content").and_then(Value::as_array);
    content.into_iter().flatten().take(MAX_PARTS)
}

fn kind(part: &Value) -> Option<&str> {
    part.get("type")?.as_str()
}

fn fault_of_part(part: &Value, revision: &Revision) -> Option<(&'static str, String)> {
    if !part.is_object() {
        return Some((
            "",
            format!("the part is {}, and must be an object", noun(part)),
        ));
    }
    let Some(kind) = kind(part) else {
        return Some(("", "the part has no `type`".to_owned()));
    };
    match kind {
        "text" => lacks(part, &["text"]),
        "image" => media(part),
        "audio" if since(revision, &Revision::V2025_03_26) => media(part),
        "resource_link" if since(revision, &Revision::V2025_06_18) => lacks(part, &["uri", "name"]),
        "resource" => resource(part),
        "audio" | "resource_link" => Some((
            "/type",
            format!("`{kind}` is no kind of content in revision {revision}"),
        )),
        other => {
            let short: String = other.chars().take(60).collect();
            Some(("/type", format!("`{short}` is no kind of content")))
        }
    }
}

/// Whether the revision has what came with `first`.
fn since(revision: &Revision, first: &Revision) -> bool {
    !revision.is_published() || revision >= first
}

fn media(part: &Value) -> Option<(&'static str, String)> {
    lacks(part, &["data", "mimeType"]).or_else(|| no_base64(part, "data", "/data"))
}

fn resource(part: &Value) -> Option<(&'static str, String)> {
    let Some(resource) = part.get("resource").filter(|resource| resource.is_object()) else {
        return Some(("", "`resource` is missing or no object".to_owned()));
    };
    if let Some((_, what)) = lacks(resource, &["uri"]) {
        return Some(("/resource", what));
    }
    let is_text = |key: &str| resource.get(key).is_some_and(Value::is_string);
    if is_text("text") {
        return None;
    }
    if is_text("blob") {
        return no_base64(resource, "blob", "/resource/blob");
    }
    Some((
        "/resource",
        "there is neither `text` nor `blob`, and one of them must be a string".to_owned(),
    ))
}

/// The first of these members that is no string.
fn lacks(part: &Value, members: &[&str]) -> Option<(&'static str, String)> {
    let missing = members
        .iter()
        .find(|member| !part.get(**member).is_some_and(Value::is_string))?;
    Some((
        "",
        match part.get(*missing) {
            None => format!("`{missing}` is missing"),
            Some(value) => format!("`{missing}` is {}, and must be a string", noun(value)),
        },
    ))
}

fn no_base64(part: &Value, member: &str, pointer: &'static str) -> Option<(&'static str, String)> {
    let data = part.get(member)?.as_str()?;
    if BASE64.decode(data).is_ok() {
        return None;
    }
    // Some encoders break lines; every decoder in use takes that.
    let joined: String = data
        .chars()
        .filter(|char| !char.is_ascii_whitespace())
        .collect();
    if joined.len() < data.len() && BASE64.decode(&joined).is_ok() {
        return None;
    }
    let why = if data.starts_with("data:") {
        "; it is a data URL"
    } else {
        ""
    };
    Some((pointer, format!("`{member}` is no base64{why}")))
}

const fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(content: &Value, revision: &Revision) -> Option<String> {
        fault(&json!({ "content": content }), revision)
            .map(|fault| format!("{} {}", fault.pointer, fault.what))
    }

    #[test]
    fn parts_are_held_against_their_schema() {
        for (content, expected) in [
            (
                json!("x"),
                "/content `content` is a string, and must be an array",
            ),
            (
                json!([{"type": "text", "text": "x"}, "y"]),
                "/content/1 the part is a string, and must be an object",
            ),
            (json!([{"text": "x"}]), "/content/0 the part has no `type`"),
            (json!([{"type": "text"}]), "/content/0 `text` is missing"),
            (
                json!([{"type": "text", "text": {}}]),
                "/content/0 `text` is an object, and must be a string",
            ),
            (
                json!([{"type": "json", "json": {}}]),
                "/content/0/type `json` is no kind of content",
            ),
            (
                json!([{"type": "image", "data": "AAAA"}]),
                "/content/0 `mimeType` is missing",
            ),
            (
                json!([{"type": "image", "data": "a_b-", "mimeType": "image/png"}]),
                "/content/0/data `data` is no base64",
            ),
            (
                json!([{"type": "audio", "data": "data:audio/wav;base64,AAAA", "mimeType": "audio/wav"}]),
                "/content/0/data `data` is no base64; it is a data URL",
            ),
            (
                json!([{"type": "resource", "uri": "a:b"}]),
                "/content/0 `resource` is missing or no object",
            ),
            (
                json!([{"type": "resource", "resource": {"uri": "a:b"}}]),
                "/content/0/resource there is neither `text` nor `blob`, and one of them must be a string",
            ),
            (
                json!([{"type": "resource", "resource": {"uri": "a:b", "blob": "!"}}]),
                "/content/0/resource/blob `blob` is no base64",
            ),
            (
                json!([{"type": "resource_link", "uri": "a:b"}]),
                "/content/0 `name` is missing",
            ),
        ] {
            assert_eq!(
                told(&content, &Revision::V2025_11_25).as_deref(),
                Some(expected)
            );
        }
    }

    #[test]
    fn the_members_of_a_result_are_held_against_their_schema() {
        for (result, expected) in [
            (
                json!({"text": "x"}),
                Some("/content the result has no `content`"),
            ),
            (
                json!({"structuredContent": {}}),
                Some("/content the result has no `content`"),
            ),
            (
                json!({"content": null}),
                Some("/content `content` is null, and must be an array"),
            ),
            (
                json!({"content": [], "isError": "false"}),
                Some("/isError `isError` is a string, and must be a boolean"),
            ),
            (json!({"content": [], "isError": false}), None),
            // Nests too deep to be read.
            (json!(null), None),
        ] {
            let told = fault(&result, &Revision::V2025_11_25)
                .map(|fault| format!("{} {}", fault.pointer, fault.what));
            assert_eq!(told.as_deref(), expected, "{result}");
        }
    }

    #[test]
    fn good_parts_of_every_kind_are_none() {
        let all = json!([
            {"type": "text", "text": ""},
            {"type": "image", "data": "", "mimeType": "image/png"},
            {"type": "image", "data": "AAA", "mimeType": "image/png"},
            {"type": "audio", "data": "AA\nAA", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "a:b", "text": "x"}},
            {"type": "resource", "resource": {"uri": "a:b", "blob": "AAAA"}},
            {"type": "resource_link", "uri": "a:b", "name": "b"},
        ]);
        assert_eq!(told(&all, &Revision::V2025_06_18), None);
        assert_eq!(told(&all, &Revision::Unknown(String::new())), None);
        assert_eq!(
            told(&all, &Revision::V2024_11_05).as_deref(),
            Some("/content/3/type `audio` is no kind of content in revision 2024-11-05")
        );
        assert_eq!(
            told(&all, &Revision::V2025_03_26).as_deref(),
            Some("/content/6/type `resource_link` is no kind of content in revision 2025-03-26")
        );
    }
}
