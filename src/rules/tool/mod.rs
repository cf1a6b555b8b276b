//! One tool, apart from its schemas.

pub(super) mod duplicate_name;
pub(super) mod missing_description;
pub(super) mod no_annotations;
pub(super) mod no_input_schema;
pub(super) mod thin_description;
pub(super) mod unusual_name;
