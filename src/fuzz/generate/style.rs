//! How the rounds of one answer differ: each tries another style.

/// How a round goes about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Whether `examples` and `default` are taken up.
    pub(super) literals: Literals,
    /// Which properties are filled.
    pub(super) fill: Fill,
    /// How long arrays are.
    pub(super) arrays: Arrays,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Literals {
    Used,
    Ignored,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    Required,
    Everything,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrays {
    /// One element where the schema says what elements are.
    Telling,
    /// As few as allowed.
    Shortest,
}

pub(super) const ROUNDS: [Style; 6] = {
    let usual = Style {
        literals: Literals::Used,
        fill: Fill::Required,
        arrays: Arrays::Telling,
    };
    let bare = Style {
        literals: Literals::Ignored,
        ..usual
    };
    let full = Style {
        fill: Fill::Everything,
        ..usual
    };
    let short = Style {
        arrays: Arrays::Shortest,
        ..bare
    };
    [
        usual,
        bare,
        short,
        full,
        Style {
            literals: Literals::Ignored,
            ..full
        },
        bare,
    ]
};
