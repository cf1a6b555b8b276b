//! How the labels of those cases begin that rules hold against others.

/// An argument under a name that is nearly right: `near_miss:GIVEN->DECLARED`.
pub const NEAR_MISS: &str = "near_miss:";

/// One argument more, which the valid call leaves out: `edge_given:NAME`.
pub const GIVEN: &str = "edge_given:";

/// Every argument that may be left out.
pub const ALL_OPTIONAL: &str = "edge_all_optional";

/// A number at its greatest: `edge_at_maximum:FIELD`.
pub const AT_MAXIMUM: &str = "edge_at_maximum:";
