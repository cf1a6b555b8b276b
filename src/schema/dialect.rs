//! The dialect that a schema says it is written in.

use serde_json::Value;

/// A draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Draft-04.
    Draft4,
    /// Draft-06.
    Draft6,
    /// Draft-07.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12, the default of the protocol.
    Draft202012,
}

/// What `$schema` at the root says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    /// Nothing, or no string.
    Nothing,
    /// A draft that we know.
    Known(Dialect),
    /// Something else; judged as the default.
    Unknown,
}

impl Declared {
    /// Reads `$schema` of a schema's root.
    pub fn of(schema: &Value) -> Self {
        match schema.get("$schema").and_then(Value::as_str) {
            None => Self::Nothing,
            Some(uri) => Dialect::from_uri(uri).map_or(Self::Unknown, Self::Known),
        }
    }

    /// The dialect to judge by: 2020-12 unless a known one is declared
    /// (MCP 2025-11-25, "JSON Schema usage").
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Known(dialect) => dialect,
            Self::Nothing | Self::Unknown => Dialect::Draft202012,
        }
    }
}

impl Dialect {
    /// The draft that a meta-schema URI names, with or without its empty
    /// fragment, in either scheme.
    pub fn from_uri(uri: &str) -> Option<Self> {
        let rest = uri.strip_suffix('#').unwrap_or(uri);
        let rest = rest
            .strip_prefix("https://")
            .or_else(|| rest.strip_prefix("http://"))?;
        match rest {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// The URI of its meta-schema.
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema#",
            Self::Draft6 => "http://json-schema.org/draft-06/schema#",
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Whether keywords beside `$ref` mean nothing (up to draft-07).
    pub const fn ref_hides_siblings(self) -> bool {
        matches!(self, Self::Draft4 | Self::Draft6 | Self::Draft7)
    }

    /// The keyword that names a resource.
    pub const fn id_keyword(self) -> &'static str {
        match self {
            Self::Draft4 => "id",
            _ => "$id",
        }
    }

    pub(super) const fn draft(self) -> jsonschema::Draft {
        match self {
            Self::Draft4 => jsonschema::Draft::Draft4,
            Self::Draft6 => jsonschema::Draft::Draft6,
            Self::Draft7 => jsonschema::Draft::Draft7,
            Self::Draft201909 => jsonschema::Draft::Draft201909,
            Self::Draft202012 => jsonschema::Draft::Draft202012,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_dialect_is_known_by_its_uri() {
        for dialect in [
            Dialect::Draft4,
            Dialect::Draft6,
            Dialect::Draft7,
            Dialect::Draft201909,
            Dialect::Draft202012,
        ] {
            assert_eq!(
                Declared::of(&json!({"$schema": dialect.uri()})),
                Declared::Known(dialect)
            );
        }
        for unknown in [
            "",
            "http://json-schema.org/draft-03/schema#",
            "x",
            "https://",
        ] {
            let declared = Declared::of(&json!({"$schema": unknown}));
            assert_eq!(declared, Declared::Unknown);
            assert_eq!(declared.dialect(), Dialect::Draft202012);
        }
        assert_eq!(Declared::of(&json!({"$schema": 5})), Declared::Nothing);
    }
}
