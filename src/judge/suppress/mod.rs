//! Suppressions: which findings they hold back, and what the score would be without
//! them.
//!
//! They are matched against raw findings, so that one of a finding that a stronger one
//! hides is not stale. Each finding is looked up by its rule, its tool and the pointers
//! above its own, whatever the number of suppressions.

mod tested;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::checked::{CheckState, ProtocolSection};
use crate::model::evidence::Evidence;
use crate::model::finding::Finding;
use crate::model::suppression::{Suppressed, SuppressionSection, SuppressionState, Suppressions};
use crate::score;
use tested::Tested;

/// A tool and a pointer; absent where a suppression names none.
type Place<'a> = (Option<&'a str>, Option<&'a str>);

/// The suppressions that hold on their day, found by rule and place.
pub(super) struct Held<'a> {
    all: &'a Suppressions,
    by_rule: BTreeMap<&'a str, BTreeMap<Place<'a>, Vec<usize>>>,
}

/// Raw findings, told apart by suppressions.
pub(super) struct Split<'a> {
    /// Those that none holds back.
    pub(super) kept: Cow<'a, [Finding]>,
    /// For each suppression the number of findings that it holds back.
    counts: Vec<usize>,
    /// How many are held back, each counted once.
    held: usize,
}

impl<'a> Held<'a> {
    pub(super) fn of(all: &'a Suppressions) -> Self {
        let mut by_rule: BTreeMap<&str, BTreeMap<Place<'_>, Vec<usize>>> = BTreeMap::new();
        for (at, entry) in all.entries.iter().enumerate() {
            if entry.expires.is_some_and(|last| last < all.today) {
                continue;
            }
            let place = (entry.tool.as_deref(), entry.pointer.as_deref());
            let places = by_rule.entry(&entry.code).or_default();
            places.entry(place).or_default().push(at);
        }
        Self { all, by_rule }
    }

    /// Whether a suppression holds a finding back.
    pub(super) fn holds(&self, finding: &Finding) -> bool {
        !self.holding(finding).is_empty()
    }

    /// The suppressions that hold a finding back.
    fn holding(&self, finding: &Finding) -> BTreeSet<usize> {
        let mut holding = BTreeSet::new();
        let Some(places) = self.by_rule.get(finding.code.as_ref()) else {
            return holding;
        };
        let location = &finding.location;
        let whole = location.pointer.as_deref().unwrap_or_default();
        let inside = inside_tool(whole, location.tool_index);
        for tool in [None, location.tool.as_deref()] {
            let pointers = above(whole).chain(above(inside)).map(Some);
            for pointer in pointers.chain([None]) {
                holding.extend(places.get(&(tool, pointer)).into_iter().flatten());
            }
        }
        holding
    }

    pub(super) fn split<'f>(&self, raw: &'f [Finding]) -> Split<'f> {
        let mut counts = vec![0; self.all.entries.len()];
        let is_held: Vec<bool> = raw
            .iter()
            .map(|finding| {
                let holding = self.holding(finding);
                for &at in &holding {
                    counts[at] += 1;
                }
                !holding.is_empty()
            })
            .collect();
        let held = is_held.iter().filter(|held| **held).count();
        let kept = if held == 0 {
            Cow::Borrowed(raw)
        } else {
            let pairs = raw.iter().zip(is_held);
            pairs
                .filter(|(_, is_held)| !is_held)
                .map(|(finding, _)| finding.clone())
                .collect()
        };
        Split { kept, counts, held }
    }

    /// What came of every suppression; `None` where there is none.
    pub(super) fn section(
        &self,
        evidence: &Evidence,
        raw: &[Finding],
        split: &Split<'_>,
    ) -> Option<SuppressionSection> {
        if self.all.entries.is_empty() {
            return None;
        }
        let mut tested = Tested::of(evidence);
        let entries = self.all.entries.iter().zip(&split.counts);
        let entries = entries.map(|(suppression, &findings)| Suppressed {
            suppression: suppression.clone(),
            state: if suppression
                .expires
                .is_some_and(|last| last < self.all.today)
            {
                SuppressionState::Expired
            } else if findings > 0 {
                SuppressionState::InUse { findings }
            } else {
                match tested.why_not(suppression) {
                    Some(because) => SuppressionState::NotTested { because },
                    None => SuppressionState::Stale,
                }
            },
        });
        Some(SuppressionSection {
            entries: entries.collect(),
            findings: split.held,
            without: score::score(evidence, raw),
        })
    }
}

/// A pointer and all above it but the empty one, the longest first.
fn above(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| {
        pointer.rfind('/').map(|at| &pointer[..at])
    })
    .filter(|pointer| !pointer.is_empty())
}

/// A pointer into the result of the list as one into the tool's own entry; empty where
/// it is none. The position of a tool changes with every new one before it.
fn inside_tool(pointer: &str, tool_index: Option<usize>) -> &str {
    let rest = || {
        let rest = pointer.strip_prefix("/tools/")?;
        let (index, _) = rest.split_once('/')?;
        (index.parse().ok() == Some(tool_index?)).then(|| &rest[index.len()..])
    };
    rest().unwrap_or_default()
}

/// The protocol's requirements as raw findings break them. One that is broken by
/// suppressed findings alone stays broken, and is marked.
pub(super) fn marked(
    raw: &[Finding],
    split: &Split<'_>,
    check: impl Fn(&[Finding]) -> ProtocolSection,
) -> ProtocolSection {
    let mut section = check(raw);
    if split.held == 0 {
        return section;
    }
    let without = check(&split.kept);
    for (row, other) in section.checks.iter_mut().zip(without.checks) {
        if row.state == CheckState::Failed && other.state != CheckState::Failed {
            row.state = CheckState::Suppressed;
        }
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_above_end_before_the_root() {
        let all: Vec<&str> = above("/tools/1/a~1b").collect();
        assert_eq!(all, ["/tools/1/a~1b", "/tools/1", "/tools"]);
        assert_eq!(above("").count(), 0);
        assert_eq!(above("nonsense").collect::<Vec<_>>(), ["nonsense"]);
    }

    #[test]
    fn a_place_inside_a_tool_knows_no_position() {
        assert_eq!(inside_tool("/tools/12/name", Some(12)), "/name");
        assert_eq!(inside_tool("/tools/12/name", Some(1)), "");
        assert_eq!(inside_tool("/tools/12/name", None), "");
        assert_eq!(inside_tool("/tools/12", Some(12)), "");
        assert_eq!(inside_tool("/content/0", Some(0)), "");
    }
}
