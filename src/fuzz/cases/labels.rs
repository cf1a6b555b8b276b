//! How the labels of those cases begin that rules hold against others.

/// An argument under a name that is nearly right: `near_miss:GIVEN->DECLARED`.
pub const NEAR_MISS: &str = "near_miss:";

/// One argument more, which the valid call leaves out: `edge_given:NAME`.
pub const GIVEN: &str = "edge_given:";

/// Every argument that may be left out.
pub const ALL_OPTIONAL: &str = "edge_all_optional";

/// A number at its least: `edge_at_minimum:FIELD`.
pub const AT_MINIMUM: &str = "edge_at_minimum:";

/// A number at its greatest.
pub const AT_MAXIMUM: &str = "edge_at_maximum:";

/// A text at its shortest.
pub const SHORTEST: &str = "edge_shortest:";

/// A text at its longest.
pub const LONGEST: &str = "edge_longest:";

/// A list at its shortest.
pub const FEWEST: &str = "edge_fewest:";

/// A list at its longest.
pub const MOST: &str = "edge_most:";

/// Whether an edge case holds what a model may well send: an argument that may be left
/// out, or a value at a declared bound. Others are odd, and a server may take them or not.
pub fn is_plain_edge(label: &str) -> bool {
    let kinds = [
        GIVEN, AT_MINIMUM, AT_MAXIMUM, SHORTEST, LONGEST, FEWEST, MOST,
    ];
    label == ALL_OPTIONAL || kinds.iter().any(|kind| label.starts_with(kind))
}
