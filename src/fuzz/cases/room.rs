//! How many cases a tool gets, and which ones when there are more.
//!
//! Kinds take turns, so that a wide schema has some of every kind rather than
//! all of the first.

use std::collections::BTreeSet;

use super::CaseSet;
use crate::model::fuzz::Case;
use crate::wording::count;

/// Breaking cases of one tool that the usual measure aims at.
const USUAL_MALFORMED: usize = 25;
/// Cases of one tool by the usual measure; only wide schemas come near it.
const USUAL: usize = 60;

/// Cases of one kind, in the order of the fields.
pub(super) struct Candidates {
    pub(super) kind: &'static str,
    pub(super) cases: Vec<Case>,
}

/// Breaking cases that there is still room for. A user who names a number gets
/// all of them up to that number.
pub(super) fn for_malformed(most: Option<usize>, made: usize) -> usize {
    match most {
        Some(most) => most,
        None => USUAL_MALFORMED.saturating_sub(made),
    }
}

/// The first of each kind, and then further ones in turns up to the room; in
/// the order of the kinds. What was left out is said.
pub(super) fn choose(kinds: Vec<Candidates>, room: usize) -> (Vec<Case>, Option<String>) {
    let sizes: Vec<usize> = kinds.iter().map(|kind| kind.cases.len()).collect();
    let at_least_one_each = sizes.iter().filter(|size| **size > 0).count();
    let shares = shares(&sizes, room.max(at_least_one_each));
    let left: Vec<String> = kinds
        .iter()
        .zip(&shares)
        .filter(|(kind, share)| kind.cases.len() > **share)
        .map(|(kind, share)| format!("{} of `{}`", kind.cases.len() - share, kind.kind))
        .collect();
    let note = (!left.is_empty()).then(|| {
        format!(
            "further breaking cases were left out: {}; --cases with a number makes room",
            left.join(", ")
        )
    });
    let chosen = kinds
        .into_iter()
        .zip(shares)
        .flat_map(|(kind, share)| kind.cases.into_iter().take(share))
        .collect();
    (chosen, note)
}

/// Keeps as many cases as the tool may have; the valid ones always.
pub(super) fn keep(set: &mut CaseSet, most: Option<usize>) {
    let most = most.unwrap_or(USUAL);
    if set.cases.len() <= most {
        return;
    }
    // The valid call is the measure of all others, so it stands alone in front.
    let kind = |case: &Case| {
        let label = case.label.as_str();
        label
            .split_once(':')
            .map_or(label, |(kind, _)| kind)
            .to_owned()
    };
    let mut order: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, case) in set.cases.iter().enumerate() {
        let kind = kind(case);
        match order.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, places)) => places.push(at),
            None => order.push((kind, vec![at])),
        }
    }
    let sizes: Vec<usize> = order.iter().map(|(_, places)| places.len()).collect();
    let kept: BTreeSet<usize> = order
        .iter()
        .zip(shares(&sizes, most.max(1)))
        .flat_map(|((_, places), share)| places.iter().copied().take(share))
        .collect();
    let left = set.cases.len() - kept.len();
    let mut at = 0;
    set.cases.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    set.notes.push(format!(
        "{} left out: a tool gets {most} at most; --cases changes that",
        match left {
            1 => "1 case was".to_owned(),
            more => format!("{} were", count(more, "case")),
        }
    ));
}

/// How many each of several groups gets when they take turns.
fn shares(sizes: &[usize], room: usize) -> Vec<usize> {
    let mut shares = vec![0; sizes.len()];
    let mut left = room.min(sizes.iter().sum());
    while left > 0 {
        for (share, size) in shares.iter_mut().zip(sizes) {
            if *share < *size && left > 0 {
                *share += 1;
                left -= 1;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_take_turns() {
        assert_eq!(shares(&[5, 1, 3], 6), [3, 1, 2]);
        assert_eq!(shares(&[1, 0, 1], 9), [1, 0, 1]);
        assert_eq!(shares(&[], 3), [0; 0]);
        assert_eq!(shares(&[4, 4], 1), [1, 0]);
    }
}
