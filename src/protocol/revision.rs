//! Protocol revisions: the published dates, and texts that are none of them.

use std::fmt;

/// The revision that the `initialize` handshake offers.
pub const OFFERED: Revision = Revision::V2025_11_25;

/// The revision that requests without a handshake name.
pub const MODERN: Revision = Revision::V2026_07_28;

/// A revision as a server names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// The first one.
    V2024_11_05,
    /// Streamable HTTP, tool annotations.
    V2025_03_26,
    /// Output schemas, the version header.
    V2025_06_18,
    /// The last one with an `initialize` handshake.
    V2025_11_25,
    /// Self-contained requests, no handshake.
    V2026_07_28,
    /// Not published; kept as the server wrote it.
    Unknown(String),
}

impl Revision {
    /// Every published revision, the oldest first.
    pub const PUBLISHED: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// Reads a date. Total: any other text is [`Revision::Unknown`].
    pub fn read(text: &str) -> Self {
        Self::PUBLISHED
            .into_iter()
            .find(|known| known.as_str() == text)
            .unwrap_or_else(|| Self::Unknown(text.to_owned()))
    }

    /// The date, or the unknown text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
            Self::Unknown(text) => text,
        }
    }

    /// Whether it is published and has no `initialize` handshake.
    pub fn is_modern(&self) -> bool {
        self.is_published() && *self >= MODERN
    }

    /// Whether it is published and has an `initialize` handshake.
    pub fn is_legacy(&self) -> bool {
        self.is_published() && *self < MODERN
    }

    /// The newest published revision among these for which `suits` holds.
    pub fn newest<'a>(
        names: impl IntoIterator<Item = &'a str>,
        suits: impl Fn(&Self) -> bool,
    ) -> Option<Self> {
        let known = names.into_iter().map(Self::read);
        known
            .filter(|revision| revision.is_published() && suits(revision))
            .max()
    }

    /// Whether the revision was published.
    pub const fn is_published(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_dates_are_ordered_and_read_back() {
        for known in Revision::PUBLISHED {
            assert_eq!(Revision::read(known.as_str()), known);
            assert!(known.is_published());
        }
        assert!(Revision::PUBLISHED.is_sorted());
        let odd = Revision::read("2024-10-07");
        assert_eq!(odd.as_str(), "2024-10-07");
        assert!(!odd.is_published() && !odd.is_modern() && !odd.is_legacy());
        assert!(MODERN.is_modern() && OFFERED.is_legacy());
        let names = ["2025-06-18", "2030-01-01", "2024-11-05", "2026-07-28"];
        assert_eq!(Revision::newest(names, Revision::is_modern), Some(MODERN));
        assert_eq!(
            Revision::newest(names, Revision::is_legacy),
            Some(Revision::V2025_06_18)
        );
        assert_eq!(Revision::newest(["x"], |_| true), None);
    }
}
