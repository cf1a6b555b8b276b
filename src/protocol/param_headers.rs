//! Parameters of a tool that a modern client repeats as HTTP headers: what
//! `x-mcp-header` in an `inputSchema` asks for, and whether it may.
//!
//! Source: MCP 2026-07-28, "Tools: x-mcp-header" (SEP-2243). A client over HTTP must
//! not call a tool that breaks these rules.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};

use super::json;
use super::message::string;
use super::modern::header_value;

/// The keyword.
pub const KEYWORD: &str = "x-mcp-header";

/// What stands before the name in a header.
const PREFIX: &str = "Mcp-Param-";

/// How many headers one tool may ask for.
const MAX_HEADERS: usize = 64;

/// The longest value that is sent as a header, in bytes.
const MAX_VALUE: usize = 8 * 1024;

/// Keywords whose value is a schema, or an array or object of schemas, besides
/// `properties`.
const NESTS: [&str; 19] = [
    "$defs",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "definitions",
    "dependentSchemas",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// One parameter that is repeated as a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamHeader {
    /// The name that the schema gives, without `Mcp-Param-`.
    pub name: String,
    /// The names of the properties that lead to it, outermost first.
    pub path: Vec<String>,
}

/// How a schema breaks the rules of `x-mcp-header`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderFault {
    /// It is no string.
    NotText,
    /// It is empty.
    Empty,
    /// It has a character that no header's name may have.
    BadCharacter(String),
    /// Two are the same but for upper and lower case.
    Twice(String),
    /// It stands at a parameter that is no integer, string or boolean.
    NotPrimitive(String),
    /// It stands where `properties` alone do not lead.
    OutOfReach,
    /// There are more than 64.
    TooMany,
}

impl fmt::Display for HeaderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText => f.write_str("`x-mcp-header` is no string"),
            Self::Empty => f.write_str("`x-mcp-header` is empty"),
            Self::BadCharacter(name) => write!(
                f,
                "`x-mcp-header` is {name:?}, which has a character that no header's name may have"
            ),
            Self::Twice(name) => write!(f, "`x-mcp-header` {name:?} stands at two parameters"),
            Self::NotPrimitive(name) => write!(
                f,
                "`x-mcp-header` {name:?} stands at a parameter that is no integer, string or boolean"
            ),
            Self::OutOfReach => f.write_str(
                "`x-mcp-header` stands where `properties` alone do not lead (in items, alternatives or definitions)",
            ),
            Self::TooMany => write!(f, "`x-mcp-header` stands at more than {MAX_HEADERS} parameters"),
        }
    }
}

/// The headers that a schema asks for, in the order of its properties; `schema` is
/// its JSON text. Empty for one that asks for none.
///
/// # Errors
/// The first rule that it breaks.
pub fn read(schema: &str) -> Result<Vec<ParamHeader>, HeaderFault> {
    if !schema.contains("mcp-header") {
        return Ok(Vec::new());
    }
    let mut walk = Walk::default();
    walk.schema(&json::read(schema).value, &mut Vec::new(), Reach::Direct)?;
    Ok(walk.found)
}

/// The headers of a call: `arguments` is their JSON text. What is absent, null, no
/// primitive or longer than 8 KiB is left out.
pub fn of_call(wanted: &[ParamHeader], arguments: &str) -> Vec<(String, String)> {
    wanted
        .iter()
        .filter_map(|header| {
            let text = value_at(arguments, &header.path)?;
            let value = if text.starts_with('"') {
                header_value(&string(&text)?)
            } else {
                text
            };
            (value.len() <= MAX_VALUE).then(|| (format!("{PREFIX}{}", header.name), value))
        })
        .collect()
}

/// The raw text of a string, number or boolean.
fn value_at(arguments: &str, path: &[String]) -> Option<String> {
    let mut at = arguments.to_owned();
    for name in path {
        let [value] = json::pick(&at, [name.as_str()])?;
        value?.get().clone_into(&mut at);
    }
    let is_primitive = !at.starts_with(['{', '[']) && at != "null";
    is_primitive.then_some(at)
}

/// How a place in a schema is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Through `properties` alone.
    Direct,
    Other,
}

#[derive(Default)]
struct Walk {
    found: Vec<ParamHeader>,
    names: BTreeSet<String>,
}

impl Walk {
    /// A tree from [`json::read`] is at most 100 levels deep.
    fn schema(
        &mut self,
        schema: &Value,
        path: &mut Vec<String>,
        reach: Reach,
    ) -> Result<(), HeaderFault> {
        let Value::Object(members) = schema else {
            return Ok(());
        };
        if let Some(name) = members.get(KEYWORD) {
            self.take(name, members, path, reach)?;
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            for (name, property) in properties {
                path.push(name.clone());
                self.schema(property, path, reach)?;
                path.pop();
            }
        }
        for keyword in NESTS {
            match members.get(keyword) {
                Some(Value::Array(schemas)) => {
                    for schema in schemas {
                        self.schema(schema, path, Reach::Other)?;
                    }
                }
                Some(Value::Object(schemas)) if holds_schemas(keyword) => {
                    for schema in schemas.values() {
                        self.schema(schema, path, Reach::Other)?;
                    }
                }
                Some(schema) => self.schema(schema, path, Reach::Other)?,
                None => {}
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        name: &Value,
        schema: &Map<String, Value>,
        path: &[String],
        reach: Reach,
    ) -> Result<(), HeaderFault> {
        let Value::String(name) = name else {
            return Err(HeaderFault::NotText);
        };
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() {
            return Err(HeaderFault::Empty);
        }
        if !name.bytes().all(is_token) {
            return Err(HeaderFault::BadCharacter(name.clone()));
        }
        if reach == Reach::Other || path.is_empty() {
            return Err(HeaderFault::OutOfReach);
        }
        let kind = schema.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("integer" | "string" | "boolean")) {
            return Err(HeaderFault::NotPrimitive(name.clone()));
        }
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(HeaderFault::Twice(name.clone()));
        }
        if self.found.len() == MAX_HEADERS {
            return Err(HeaderFault::TooMany);
        }
        self.found.push(ParamHeader {
            name: name.clone(),
            path: path.to_vec(),
        });
        Ok(())
    }
}

/// Whether the keyword's object maps names to schemas and is none itself.
fn holds_schemas(keyword: &str) -> bool {
    matches!(
        keyword,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(properties: &Value) -> Result<Vec<ParamHeader>, HeaderFault> {
        read(&json!({"type": "object", "properties": properties}).to_string())
    }

    #[test]
    fn headers_are_found_through_properties_and_filled() {
        let found = of(&json!({
            "region": {"type": "string", "x-mcp-header": "Region"},
            "x-mcp-header": {"type": "string"},
            "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
            "none": {"type": "string", "x-mcp-header": "None"},
            "plain": {"type": "number"},
        }))
        .expect("legal");
        let arguments = r#"{"region":" é","deep":{"n":12345678901234567890123},"flag":false,"none":null,"plain":1}"#;
        assert_eq!(
            of_call(&found, arguments),
            [
                ("Mcp-Param-Region".to_owned(), "=?base64?IMOp?=".to_owned()),
                (
                    "Mcp-Param-N".to_owned(),
                    "12345678901234567890123".to_owned()
                ),
                ("Mcp-Param-Flag".to_owned(), "false".to_owned()),
            ]
        );
        assert!(of_call(&found, "[]").is_empty());
        assert!(of_call(&found, r#"{"region":{},"deep":7}"#).is_empty());
        let long = format!(r#"{{"region":"{}"}}"#, "x".repeat(9000));
        assert!(of_call(&found, &long).is_empty());
    }

    #[test]
    fn every_rule_can_be_broken() {
        let text = |name: &str| json!({"type": "string", "x-mcp-header": name});
        for (properties, expected) in [
            (
                json!({"a": {"type": "string", "x-mcp-header": 7}}),
                HeaderFault::NotText,
            ),
            (json!({"a": text("")}), HeaderFault::Empty),
            (
                json!({"a": text("My Region")}),
                HeaderFault::BadCharacter("My Region".to_owned()),
            ),
            (
                json!({"a": text("Région")}),
                HeaderFault::BadCharacter("Région".to_owned()),
            ),
            (
                json!({"a": text("X"), "b": text("x")}),
                HeaderFault::Twice("x".to_owned()),
            ),
            (
                json!({"a": {"type": "number", "x-mcp-header": "A"}}),
                HeaderFault::NotPrimitive("A".to_owned()),
            ),
            (
                json!({"a": {"x-mcp-header": "A"}}),
                HeaderFault::NotPrimitive("A".to_owned()),
            ),
            (
                json!({"a": {"type": "array", "items": text("A")}}),
                HeaderFault::OutOfReach,
            ),
            (
                json!({"a": {"anyOf": [text("A")]}}),
                HeaderFault::OutOfReach,
            ),
        ] {
            assert_eq!(of(&properties), Err(expected), "{properties}");
        }
        let defs = json!({"$defs": {"d": {"properties": {"a": text("A")}}}});
        assert_eq!(read(&defs.to_string()), Err(HeaderFault::OutOfReach));
        let root = json!({"type": "string", "x-mcp-header": "A"});
        assert_eq!(read(&root.to_string()), Err(HeaderFault::OutOfReach));
        let many: Map<String, Value> = (0..65)
            .map(|n| (format!("p{n}"), text(&format!("H{n}"))))
            .collect();
        assert_eq!(of(&Value::Object(many)), Err(HeaderFault::TooMany));
    }
}
