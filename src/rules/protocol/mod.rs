//! What the protocol forbids.

pub(super) mod bad_tool_entry;
pub(super) mod list_failed;
pub(super) mod repeated_cursor;
