//! Parameters through which a reading tool may do more than read.

use serde_json::Value;

use crate::rules::verbs;

/// A parameter that takes more than data.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RiskyParameter {
    pub(super) name: String,
    /// `a command`, `code`, `SQL` or `a URL`.
    pub(super) takes: &'static str,
}

/// The first parameter, at any depth, that takes a command, code, SQL or a URL
/// by its name or its format.
pub(super) fn risky_parameter(schema: &Value) -> Option<RiskyParameter> {
    // An explicit stack, last in first out: reversed, so that the order of the
    // declaration is kept.
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        let mut below = Vec::new();
        match schema {
            Value::Object(keywords) => {
                for (keyword, value) in keywords {
                    if let ("properties", Value::Object(declared)) = (keyword.as_str(), value) {
                        for (name, property) in declared {
                            if let Some(takes) = takes(name, property) {
                                let name = name.clone();
                                return Some(RiskyParameter { name, takes });
                            }
                        }
                        below.extend(declared.values());
                    } else if !matches!(keyword.as_str(), "default" | "examples" | "enum" | "const")
                    {
                        below.push(value);
                    }
                }
            }
            Value::Array(schemas) => below.extend(schemas),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        open.extend(below.into_iter().rev());
    }
    None
}

fn takes(name: &str, property: &Value) -> Option<&'static str> {
    by_format(property).or_else(|| by_name(name, property))
}

fn by_format(property: &Value) -> Option<&'static str> {
    let own = property.get("format").and_then(Value::as_str);
    let of_items = property.pointer("/items/format").and_then(Value::as_str);
    [own, of_items]
        .into_iter()
        .flatten()
        .any(|format| {
            matches!(
                format,
                "uri" | "url" | "iri" | "uri-reference" | "iri-reference" | "uri-template"
            )
        })
        .then_some("a URL")
}

fn by_name(name: &str, property: &Value) -> Option<&'static str> {
    // A closed choice, a number or a switch carries no program.
    let harmless = property.get("enum").is_some()
        || property.get("const").is_some()
        || matches!(
            property.get("type").and_then(Value::as_str),
            Some("boolean" | "integer" | "number" | "null")
        );
    if harmless {
        return None;
    }
    let words = verbs::words(name);
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at].as_str());
        match word.as_str() {
            "command" | "commands" | "cmd" | "cmds" | "shell" | "bash" | "powershell" | "argv"
            | "exec" | "executable" => return Some("a command"),
            "code" if before.is_some_and(|before| LABELS.contains(&before)) => {}
            "code" | "script" | "scripts" | "eval" | "javascript" | "js" | "python" | "lua"
            | "snippet" | "program" => return Some("code"),
            "sql" | "cypher" | "sparql" | "gremlin" => return Some("SQL"),
            "url" | "urls" | "uri" | "uris" | "href" | "link" | "links" | "endpoint"
            | "webhook" | "callback" | "website" | "proxy" => return Some("a URL"),
            _ => {}
        }
    }
    None
}

/// Words before `code` that make it a label: a country code runs nothing.
const LABELS: [&str; 27] = [
    "account", "airport", "area", "bar", "color", "colour", "country", "currency", "error", "exit",
    "iata", "icao", "iso", "lang", "language", "locale", "post", "postal", "product", "promo",
    "qr", "region", "state", "station", "status", "stock", "zip",
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn takes_of(name: &str, property: &Value) -> Option<&'static str> {
        let schema = json!({"type": "object", "properties": {name: property}});
        risky_parameter(&schema).map(|parameter| parameter.takes)
    }

    #[test]
    fn names_and_formats_betray_what_is_taken() {
        let text = json!({"type": "string"});
        for (name, takes) in [
            ("command", Some("a command")),
            ("shellArgs", Some("a command")),
            ("code", Some("code")),
            ("country_code", None),
            ("sourceUrl", Some("a URL")),
            ("sql_query", Some("SQL")),
            ("query", None),
            ("description", None),
        ] {
            assert_eq!(takes_of(name, &text), takes, "{name}");
        }
        assert_eq!(
            takes_of("page", &json!({"type": "string", "format": "uri"})),
            Some("a URL")
        );
        assert_eq!(takes_of("include_code", &json!({"type": "boolean"})), None);
        let nested =
            json!({"type": "array", "items": {"type": "object", "properties": {"cmd": {}}}});
        assert_eq!(takes_of("steps", &nested), Some("a command"));
    }
}
