//! What the protocol forbids.

pub(super) mod bad_tool_entry;
pub(super) mod endless_list;
pub(super) mod input_schema_missing;
pub(super) mod input_schema_root;
pub(super) mod list_failed;
pub(super) mod repeated_cursor;
