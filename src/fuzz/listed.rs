//! What a server listed before any call, as far as calls are held against it.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use crate::fuzz::answer;
use crate::model::answer::ListedTool;
use crate::model::inventory::{Inventory, ListEnd, Listing};
use crate::model::tool::{Hints, Tool};
use crate::protocol::json;

/// The longest list that is read again after calls.
const MAX_TOOLS: usize = 2_000;

/// What was listed before any call.
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// Hints by position in the list.
    hints: BTreeMap<usize, Hints>,
    /// Each tool by name and content, sorted; `None` where the list is not to be
    /// read again.
    tools: Option<Vec<ListedTool>>,
    /// The names of all tools.
    names: Vec<String>,
}

impl Listed {
    /// Reads an inventory.
    pub fn of(inventory: &Inventory) -> Self {
        let mut listed = Self::default();
        for (index, raw) in inventory.tools.entries.iter().enumerate() {
            let tool = Tool::read(index, raw.get());
            if tool.hints != Hints::default() {
                listed.hints.insert(index, tool.hints);
            }
            listed.names.extend(tool.name);
        }
        listed.tools = listing(&inventory.tools);
        listed
    }

    /// Each tool by name and content, sorted; `None` where the list was not read
    /// whole or is too long to be read again.
    pub fn tools(&self) -> Option<&[ListedTool]> {
        self.tools.as_deref()
    }

    /// The names of all tools.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the tool at this position says `idempotentHint: true`.
    pub fn is_idempotent(&self, index: usize) -> bool {
        self.hints
            .get(&index)
            .is_some_and(|hints| hints.idempotent == Some(true))
    }

    /// Whether the tool at this position says `readOnlyHint: true`.
    pub fn is_read_only(&self, index: usize) -> bool {
        self.hints
            .get(&index)
            .is_some_and(|hints| hints.read_only == Some(true))
    }
}

/// The tools of a whole list, sorted; `None` where it is not whole or too long.
pub fn listing(list: &Listing) -> Option<Vec<ListedTool>> {
    if !matches!(list.end, ListEnd::Complete) || list.entries.len() > MAX_TOOLS {
        return None;
    }
    let mut tools: Vec<ListedTool> = list
        .entries
        .iter()
        .enumerate()
        .map(|(index, raw)| {
            let reading = json::read(raw.get());
            let digest = if reading.value.is_null() {
                answer::digest(&serde_json::Value::from(raw.get()))
            } else {
                answer::digest(&reading.value)
            };
            ListedTool {
                name: Tool::read(index, raw.get()).label(),
                digest,
            }
        })
        .collect();
    tools.sort();
    Some(tools)
}
