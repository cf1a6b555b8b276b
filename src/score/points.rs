//! Points of a dimension: 0 to 10, exact to the hundredth.
//!
//! Scores decide over builds, so their arithmetic is done in whole numbers:
//! the same evidence gives the same score on every machine, and a half is
//! always rounded up.

use std::fmt;

/// Hundredths of a point, 0 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Points(u32);

impl Points {
    /// Ten points.
    pub(super) const FULL: Self = Self(1000);

    /// `10 × part ÷ whole`, rounded half up; all of nothing is ten.
    pub(super) fn share(part: usize, whole: usize) -> Self {
        if whole == 0 {
            return Self::FULL;
        }
        Self::rounded(1000 * part as i128, whole as i128)
    }

    /// `hundredths ÷ divisor`, rounded half up and kept between 0 and ten
    /// points. A divisor under one counts as one.
    pub(super) fn rounded(hundredths: i128, divisor: i128) -> Self {
        let divisor = divisor.max(1);
        let hundredths = hundredths.max(0);
        let half_up = (2 * hundredths + divisor) / (2 * divisor);
        Self(u32::try_from(half_up.min(1000)).unwrap_or(1000))
    }

    /// What is left after a deduction in hundredths.
    pub(super) const fn less(self, hundredths: u32) -> Self {
        Self(self.0.saturating_sub(hundredths))
    }

    /// The number in hundredths.
    pub(super) const fn hundredths(self) -> u32 {
        self.0
    }

    /// The number as it stands in a report.
    pub(super) fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal(self.0.into()))
    }
}

/// Hundredths as a decimal number without trailing zeros: 650 is "6.5".
pub(super) fn decimal(hundredths: u64) -> String {
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    match (rest, rest % 10) {
        (0, _) => format!("{whole}"),
        (_, 0) => format!("{whole}.{}", rest / 10),
        _ => format!("{whole}.{rest:02}"),
    }
}

/// `10 × mean`, rounded half up; `None` for no points at all.
pub(super) fn overall(measured: &[Points]) -> Option<u32> {
    let number = u32::try_from(measured.len()).ok().filter(|&n| n > 0)?;
    let sum: u32 = measured.iter().map(|points| points.hundredths()).sum();
    // 10 × (sum ÷ 100) ÷ number, times two for the half.
    Some((2 * sum + 10 * number) / (20 * number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up() {
        assert_eq!(Points::rounded(3125, 10).to_string(), "3.13");
        assert_eq!(Points::share(22, 31).to_string(), "7.1");
        assert_eq!(Points::share(0, 0), Points::FULL);
        assert_eq!(Points::share(1, 2).to_string(), "5");
        assert_eq!(
            overall(&[Points(755), Points(755)]),
            Some(76),
            "75.5 is rounded up"
        );
        assert_eq!(overall(&[]), None);
    }

    #[test]
    fn no_deduction_goes_below_nothing() {
        assert_eq!(Points::rounded(-5, 1), Points(0));
        assert_eq!(Points::FULL.less(4000), Points(0));
        assert_eq!(Points::rounded(i128::from(u64::MAX), 1), Points::FULL);
    }
}
