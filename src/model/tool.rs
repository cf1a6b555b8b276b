//! One entry of `tools/list`, read leniently.

use serde_json::Value;

use crate::protocol::json::{self, Flaw};

/// A tool as its entry describes it. Members of a wrong type read as absent
/// here; [`Tool::entry`] still has them.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Position in the list over all pages, from 0.
    pub index: usize,
    /// `name`, where it is a string.
    pub name: Option<String>,
    /// `title`, where it is a string.
    pub title: Option<String>,
    /// `description`, where it is a string.
    pub description: Option<String>,
    /// `annotations`.
    pub hints: Hints,
    /// The whole entry; `null` when it could not be read.
    pub entry: Value,
    /// What had to be repaired to read the entry.
    pub flaws: Vec<Flaw>,
}

/// The four behaviour hints, each only where it is a boolean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// `readOnlyHint`.
    pub read_only: Option<bool>,
    /// `destructiveHint`.
    pub destructive: Option<bool>,
    /// `idempotentHint`.
    pub idempotent: Option<bool>,
    /// `openWorldHint`.
    pub open_world: Option<bool>,
}

impl Tool {
    /// Reads one raw entry. Total: any text gives a tool.
    pub fn read(index: usize, raw: &str) -> Self {
        let json::Reading {
            value: entry,
            flaws,
        } = json::read(raw);
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        let hint = |key: &str| {
            entry
                .get("annotations")
                .and_then(|all| all.get(key))
                .and_then(Value::as_bool)
        };
        Self {
            index,
            name: text("name"),
            title: text("title"),
            description: text("description"),
            hints: Hints {
                read_only: hint("readOnlyHint"),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            },
            entry,
            flaws,
        }
    }

    /// The name for messages and reports: its own, or its place in the list.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("tools[{}]", self.index),
        }
    }

    /// `inputSchema` as sent, `None` when the key is absent.
    pub fn input_schema(&self) -> Option<&Value> {
        self.entry.get("inputSchema")
    }

    /// `outputSchema` as sent, `None` when the key is absent.
    pub fn output_schema(&self) -> Option<&Value> {
        self.entry.get("outputSchema")
    }

    /// A JSON pointer into the result of `tools/list`.
    pub fn pointer(&self, below: &str) -> String {
        format!("/tools/{}{below}", self.index)
    }
}
