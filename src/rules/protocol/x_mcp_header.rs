//! Parameters that cannot become headers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::quote::{quote, visible};
use super::super::{Check, Held, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;
use crate::schema::pointer;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.x_mcp_header",
    family: Family::Protocol,
    severity: Severity::Error,
    summary: "a parameter that cannot become a header",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header",
        keyword: Some("MUST"),
    }),
    why: "Clients that speak HTTP must leave such a tool out of the list.",
    hint: "Give each such parameter a name of letters, digits and hyphens of its own, a type of string, integer or boolean, and a place below `properties` alone.",
    docs: include_str!("x_mcp_header.md"),
    subsumes: &[],
    check: Check::Held(check),
};

const KEYWORD: &str = "x-mcp-header";

/// Places that are looked at.
const MAX_PLACES: usize = 200;

fn check(tool: &Tool, _: &Held<'_>, reporter: &mut Reporter<'_>) {
    let Some(schema) = tool.input_schema() else {
        return;
    };
    let mut places = Vec::new();
    collect(schema, &mut String::new(), true, &mut places);
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for place in &places {
        if let Some(name) = place.value.as_str() {
            *names.entry(name.to_ascii_lowercase()).or_default() += 1;
        }
    }
    for place in &places {
        let shared = place
            .value
            .as_str()
            .is_some_and(|name| names.get(&name.to_ascii_lowercase()) > Some(&1));
        let (severity, what) = match place.fault() {
            Some(fault) => (Severity::Error, fault),
            None if shared => (
                Severity::Error,
                format!(
                    "the name {} stands twice",
                    quote(place.value.as_str().unwrap_or_default())
                ),
            ),
            None if place.is_sensitive() => (
                Severity::Warning,
                "a secret would stand in a header, where every proxy reads it".to_owned(),
            ),
            None => continue,
        };
        let finding = reporter.report_matter(
            &place.pointer,
            format!("`{KEYWORD}` at {}: {what}", visible(&place.pointer, 120)),
        );
        finding.severity = severity;
        finding.location.pointer = Some(tool.pointer(&format!("/inputSchema{}", place.pointer)));
    }
}

/// A schema that carries the keyword.
struct Place<'a> {
    /// From the root of the input schema.
    pointer: String,
    value: &'a Value,
    schema: &'a Value,
    /// Whether only `properties` lead to it.
    reachable: bool,
}

impl Place<'_> {
    fn fault(&self) -> Option<String> {
        let Some(name) = self.value.as_str() else {
            return Some("the value is no string".to_owned());
        };
        if name.is_empty() {
            return Some("the name is empty".to_owned());
        }
        if !name.bytes().all(is_token_byte) {
            return Some(format!("{} is no name of a header", quote(name)));
        }
        if !self.reachable {
            return Some("it is reached by more than `properties`".to_owned());
        }
        match self.schema.get("type").and_then(Value::as_str) {
            Some("string" | "integer" | "boolean") => None,
            Some(other) => Some(format!(
                "a parameter of type {} cannot be a header",
                quote(other)
            )),
            None => Some("the parameter has no type of string, integer or boolean".to_owned()),
        }
    }

    fn is_sensitive(&self) -> bool {
        let name = self.pointer.rsplit('/').next().unwrap_or_default();
        let named = [name, self.value.as_str().unwrap_or_default()];
        named.into_iter().any(|name| {
            let name = name.to_ascii_lowercase().replace(['-', '_'], "");
            [
                "password",
                "passwd",
                "secret",
                "token",
                "apikey",
                "credential",
            ]
            .into_iter()
            .any(|word| name.contains(word))
        })
    }
}

/// `tchar` of RFC 9110, section 5.6.2.
const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

/// Every schema with the keyword. The depth of the tree is bounded by its reader.
fn collect<'a>(schema: &'a Value, at: &mut String, reachable: bool, places: &mut Vec<Place<'a>>) {
    if places.len() >= MAX_PLACES {
        return;
    }
    let Value::Object(keywords) = schema else {
        if let Value::Array(items) = schema {
            for (index, item) in items.iter().enumerate() {
                let length = at.len();
                pointer::push_index(at, index);
                collect(item, at, false, places);
                at.truncate(length);
            }
        }
        return;
    };
    if let Some(value) = keywords.get(KEYWORD) {
        places.push(Place {
            pointer: at.clone(),
            value,
            schema,
            // The root is no parameter.
            reachable: reachable && !at.is_empty(),
        });
    }
    for (keyword, inner) in keywords {
        // What these hold is data.
        if matches!(
            keyword.as_str(),
            KEYWORD | "default" | "const" | "enum" | "examples"
        ) {
            continue;
        }
        let length = at.len();
        pointer::push(at, keyword);
        match inner {
            Value::Object(named) if keyword == "properties" => {
                for (name, property) in named {
                    let length = at.len();
                    pointer::push(at, name);
                    collect(property, at, reachable, places);
                    at.truncate(length);
                }
            }
            Value::Object(_) | Value::Array(_) => collect(inner, at, false, places),
            _ => {}
        }
        at.truncate(length);
    }
}
