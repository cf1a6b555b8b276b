//! Findings that the user decided to live with, and what came of that.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::Scores;

/// A day of the calendar, UTC, from 0001-01-01 to 9999-12-31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

/// Seconds of a day.
const DAY_SECONDS: u64 = 86_400;

/// Days from 0000-03-01 to 1970-01-01, and in 400 years.
const DAYS_BEFORE_UNIX: u64 = 719_468;
const DAYS_OF_ERA: u64 = 146_097;

impl Day {
    /// A day by its numbers; `None` where the calendar has no such day.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if year == 0 || year > 9999 || day == 0 || day > days_of(year, month) {
            return None;
        }
        Some(Self {
            year,
            month,
            of_month: day,
        })
    }

    /// The day of a moment, in seconds since 1970-01-01 UTC; the last day where there is
    /// none so late.
    pub fn of_unix(seconds: u64) -> Self {
        // Years begin in March here, so that the leap day is the last one of its year.
        let days = seconds / DAY_SECONDS + DAYS_BEFORE_UNIX;
        let (era, of_era) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
        let year_of_era =
            (of_era - of_era / 1460 + of_era / 36_524 - of_era / (DAYS_OF_ERA - 1)) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        let found = || {
            let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
            Self::new(u16::try_from(year).ok()?, month, day)
        };
        found().unwrap_or(Self {
            year: 9999,
            month: 12,
            of_month: 31,
        })
    }
}

/// How many days a month has; none where there is no such month.
const fn days_of(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            year,
            month,
            of_month,
        } = self;
        write!(f, "{year:04}-{month:02}-{of_month:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    /// Takes `YYYY-MM-DD` and nothing else.
    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = text.as_bytes();
        let is_shaped = bytes.len() == 10
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_shaped {
            return Err("write it as YYYY-MM-DD".to_owned());
        }
        let number = |from: usize, to: usize| text[from..to].parse::<u16>().unwrap_or(0);
        let small = |from: usize| u8::try_from(number(from, from + 2)).unwrap_or(0);
        Self::new(number(0, 4), small(5), small(8))
            .ok_or_else(|| "the calendar has no such day".to_owned())
    }
}

/// A finding, or all below a place, that the user decided to live with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The rule's code.
    pub code: String,
    /// The tool's label; absent means every place.
    pub tool: Option<String>,
    /// JSON pointer: the finding's own, or one above it; from the result of the list or
    /// from the tool's own entry.
    pub pointer: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it holds; absent means for good.
    pub expires: Option<Day>,
}

/// All suppressions of a settings file, and the day on which they are applied.
#[derive(Debug, Clone)]
pub struct Suppressions {
    /// In the order of the file; no two concern the same rule, tool and pointer.
    pub entries: Vec<Suppression>,
    /// The day by which they expire.
    pub today: Day,
}

impl Default for Suppressions {
    /// None at all; then the day does not matter.
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            today: Day::of_unix(0),
        }
    }
}

/// What came of the suppressions of a run.
#[derive(Debug, Clone)]
pub struct SuppressionSection {
    /// Every one of them, in the order of the file.
    pub entries: Vec<Suppressed>,
    /// Findings that they hold back, each counted once.
    pub findings: usize,
    /// Both scores as they would be without them.
    pub without: Scores,
}

impl SuppressionSection {
    /// How many hold back something.
    pub fn in_use(&self) -> usize {
        let entries = self.entries.iter();
        entries.filter(|entry| entry.state.is_in_use()).count()
    }
}

/// One suppression, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppressed {
    /// What the user wrote.
    pub suppression: Suppression,
    /// What came of it.
    pub state: SuppressionState,
}

/// What came of a suppression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuppressionState {
    /// It holds back this many findings; two may hold back the same one.
    InUse {
        /// At least one.
        findings: usize,
    },
    /// It matches nothing, in a run that could have shown it.
    Stale,
    /// Its day is over; it holds back nothing.
    Expired,
    /// It matches nothing, and this run could not have shown it.
    NotTested {
        /// Why, in a few words.
        because: String,
    },
}

impl SuppressionState {
    /// Whether something is held back.
    pub const fn is_in_use(&self) -> bool {
        matches!(self, Self::InUse { .. })
    }

    /// The word for it in output.
    pub const fn word(&self) -> SuppressionWord {
        match self {
            Self::InUse { .. } => SuppressionWord::InUse,
            Self::Stale => SuppressionWord::Stale,
            Self::Expired => SuppressionWord::Expired,
            Self::NotTested { .. } => SuppressionWord::NotTested,
        }
    }
}

/// What came of a suppression, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SuppressionWord {
    /// It holds back findings.
    InUse,
    /// It matches nothing, in a run that could have shown it.
    Stale,
    /// Its day is over.
    Expired,
    /// It matches nothing, and this run could not have shown it.
    NotTested,
}

impl SuppressionWord {
    /// For people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::InUse => "in use",
            Self::Stale => "stale",
            Self::Expired => "expired",
            Self::NotTested => "not tested",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for good in [
            "2024-02-29",
            "2000-02-29",
            "0001-01-01",
            "9999-12-31",
            "2026-06-30",
        ] {
            assert_eq!(day(good).to_string(), good);
        }
        for bad in [
            "2026-02-29",
            "1900-02-29",
            "2100-02-29",
            "2026-02-30",
            "2026-06-31",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-01-32",
            "0000-01-01",
        ] {
            let refused = bad.parse::<Day>().expect_err(bad);
            assert_eq!(refused, "the calendar has no such day", "{bad}");
        }
        for bad in [
            "",
            "2026-1-01",
            "26-01-01",
            "2026/01/01",
            "2026-01-01T00:00:00Z",
            " 2026-01-01",
            "2026-01-0x",
            "+026-01-01",
            "२०२६-०१-०१",
            "2026-01-01 ",
        ] {
            let refused = bad.parse::<Day>().expect_err(bad);
            assert_eq!(refused, "write it as YYYY-MM-DD", "{bad}");
        }
        assert!(day("2026-12-31") < day("2027-01-01"));
        assert!(day("2026-02-28") < day("2026-03-01"));
    }

    #[test]
    fn moments_fall_on_their_day() {
        let at = |seconds| Day::of_unix(seconds).to_string();
        assert_eq!(at(0), "1970-01-01");
        assert_eq!(at(86_399), "1970-01-01");
        assert_eq!(at(86_400), "1970-01-02");
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(1_709_164_800), "2024-02-29");
        assert_eq!(at(1_709_251_200), "2024-03-01");
        assert_eq!(at(253_402_300_799), "9999-12-31");
        assert_eq!(at(u64::MAX), "9999-12-31");
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut last = Day::of_unix(0);
        for number in 1..=DAYS_OF_ERA {
            let next = Day::of_unix(number * DAY_SECONDS);
            assert!(last < next, "{last} {next}");
            assert_eq!(day(&next.to_string()), next);
            last = next;
        }
        assert_eq!(last.to_string(), "2370-01-01");
    }
}
