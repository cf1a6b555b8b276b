//! Which findings are shown, and in which order.

use std::collections::BTreeSet;

use super::rule;
use crate::model::finding::Finding;

/// The findings worth reading, in their order.
pub fn shown(raw: Vec<Finding>) -> Vec<Finding> {
    let mut shown = unsubsumed(raw);
    sort(&mut shown);
    shown
}

/// The findings without those that a stronger one at the same place includes.
pub fn unsubsumed(mut raw: Vec<Finding>) -> Vec<Finding> {
    let subsumed: BTreeSet<(&str, Place<'_>)> = raw
        .iter()
        .filter_map(|finding| Some((rule(&finding.code)?, place(finding))))
        .flat_map(|(rule, place)| rule.subsumes.iter().map(move |code| (*code, place)))
        .collect();
    let is_kept: Vec<bool> = raw
        .iter()
        .map(|finding| !subsumed.contains(&(finding.code.as_ref(), place(finding))))
        .collect();
    let mut is_kept = is_kept.into_iter();
    raw.retain(|_| is_kept.next().unwrap_or(true));
    raw
}

/// By severity, code, tool, pointer, and what is said.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
}

fn order(finding: &Finding) -> impl Ord + '_ {
    (
        finding.severity,
        finding.code.as_ref(),
        finding.location.tool_index,
        finding.location.pointer.as_deref(),
        finding.message.as_str(),
    )
}

type Place<'a> = (Option<usize>, Option<&'a str>);

fn place(finding: &Finding) -> Place<'_> {
    let location = &finding.location;
    (location.tool_index, location.pointer.as_deref())
}
