//! What a server declares about itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Identity, capabilities and the four lists.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Inventory {
    /// `serverInfo` and `instructions`.
    pub server: ServerInfo,
    /// The negotiated revision, as the server wrote it.
    pub protocol_version: Option<String>,
    /// The `capabilities` object; `null` when there was none.
    pub capabilities: Value,
    /// `tools/list`.
    pub tools: Listing,
    /// `prompts/list`.
    pub prompts: Listing,
    /// `resources/list`.
    pub resources: Listing,
    /// `resources/templates/list`.
    pub resource_templates: Listing,
}

impl Inventory {
    /// The four lists, each with the method that reads it.
    pub const fn lists(&self) -> [(&'static str, &Listing); 4] {
        [
            ("tools/list", &self.tools),
            ("prompts/list", &self.prompts),
            ("resources/list", &self.resources),
            ("resources/templates/list", &self.resource_templates),
        ]
    }

    /// Whether a capability is declared (present and not `null` or `false`).
    pub fn declares(&self, capability: &str) -> bool {
        !matches!(
            self.capabilities.get(capability),
            None | Some(Value::Null | Value::Bool(false))
        )
    }
}

/// Who the server says it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerInfo {
    /// `serverInfo.name`, where it is a string.
    pub name: Option<String>,
    /// `serverInfo.version`, where it is a string.
    pub version: Option<String>,
    /// `serverInfo.title`, where it is a string.
    pub title: Option<String>,
    /// `instructions`, where it is a string.
    pub instructions: Option<String>,
}

/// The entries of one list over all its pages, each exactly as sent.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Listing {
    /// The entries in the order of the server, raw.
    pub entries: Vec<Box<RawValue>>,
    /// How many pages were read.
    pub pages: u32,
    /// How the walk ended.
    pub end: ListEnd,
}

impl Listing {
    /// Whether the list was read to its end.
    pub fn is_complete(&self) -> bool {
        matches!(self.end, ListEnd::Complete)
    }
}

/// How the walk over a list's pages ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum ListEnd {
    /// Not asked for: the capability is not declared.
    #[default]
    NotAsked,
    /// The last page had no cursor.
    Complete,
    /// The server refused or broke the request; entries of earlier pages stay.
    Failed {
        /// What came instead of a page, in a sentence.
        reason: String,
    },
    /// A cursor came a second time.
    RepeatedCursor {
        /// The cursor, shortened.
        cursor: String,
    },
    /// Pages came again under new cursors; their entries count once.
    RepeatedPage,
    /// One of our own bounds ended the walk.
    Bounded {
        /// Which bound.
        reason: String,
    },
}
