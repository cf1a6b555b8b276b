//! The schemas that a tool declares.

pub(super) mod invalid;
pub(super) mod no_required;
pub(super) mod root_not_object;
