//! Do the schemas tell an agent what to send?

use std::collections::{BTreeMap, BTreeSet};

use crate::model::finding::{Family, Finding, Severity};
use crate::model::report::Dimension;
use crate::wording::count;

use super::Measure;
use super::points::{Points, decimal};

/// Weights are counted in quarters of a point.
const QUARTER: u64 = 25;

/// The most quarters that one tool can cost in the `contract` model.
const TOOL_LIMIT: u64 = 8;

/// How many codes a reason lists.
const LISTED_CODES: usize = 5;

const fn quarters(severity: Severity) -> u64 {
    match severity {
        Severity::Error => 4,
        Severity::Warning => 2,
        Severity::Info => 1,
    }
}

/// The bucket of a finding: its tool by position, else by label.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bucket<'a> {
    Position(usize),
    Label(&'a str),
}

/// `10 − 10 × min(1, rate ÷ 2)`, where the rate is the mean over all tools of
/// what each costs (2 at most) plus what the server as a whole costs.
pub(super) fn measure_contract(tools: usize, raw: &[Finding]) -> Measure {
    let mut per_tool: BTreeMap<Bucket<'_>, u64> = BTreeMap::new();
    let mut server_wide = 0;
    for finding in scored(raw) {
        let bucket = match (finding.location.tool_index, &finding.location.tool) {
            (Some(position), _) => Bucket::Position(position),
            (None, Some(label)) => Bucket::Label(label),
            (None, None) => {
                server_wide += quarters(finding.severity);
                continue;
            }
        };
        *per_tool.entry(bucket).or_default() += quarters(finding.severity);
    }
    let unreadable = unreadable(raw).count();
    for finding in self::unreadable(raw) {
        if let Some(position) = finding.location.tool_index {
            per_tool.insert(Bucket::Position(position), TOOL_LIMIT);
        }
    }
    let all = tools.max(per_tool.len()).max(1) as u64;
    let capped: u64 = per_tool.values().map(|&cost| cost.min(TOOL_LIMIT)).sum();
    // 10 − 5 × (capped ÷ 4 ÷ all + server_wide ÷ 4), in hundredths over `all`.
    let cost = i128::from(capped) + i128::from(server_wide) * i128::from(all);
    let points = Points::rounded(1000 * i128::from(all) - 125 * cost, all.into());

    let mut reasons = vec![counts(scored(raw), |_| 1)];
    reasons.extend(no_tools(unreadable, "the whole 2 of a tool"));
    reasons.push(format!(
        "The tools cost {} in all (2 at most each), a mean of {} over {}{}: 10 − 10 × min(1, rate ÷ 2) = {points}.",
        decimal(capped * QUARTER),
        mean(capped * QUARTER, all),
        count(usize::try_from(all).unwrap_or(tools), "tool"),
        if server_wide == 0 {
            String::new()
        } else {
            format!(", and the server as a whole {}", decimal(server_wide * QUARTER))
        },
    ));
    let over = per_tool.values().filter(|&&cost| cost > TOOL_LIMIT).count();
    if over > 0 {
        reasons.push(format!("{} reached the limit of 2.", count(over, "tool")));
    }
    reasons.extend(frequent(scored(raw), |_| 1));
    Measure {
        dimension: Dimension::SchemaQuality,
        points: Some(points),
        reasons,
    }
}

/// `10 − Σ` over the whole server: every occurrence, top-level parameters only.
pub(super) fn measure_classic(raw: &[Finding]) -> Measure {
    let counted = || scored(raw).filter(|finding| !finding.location.nested);
    let unreadable = unreadable(raw).count();
    let cost: u64 = counted()
        .map(|finding| quarters(finding.severity) * u64::from(finding.occurrences.max(1)))
        .sum::<u64>()
        + quarters(Severity::Error) * unreadable as u64;
    let points = Points::rounded(1000 - i128::from(cost * QUARTER), 1);
    let mut reasons = vec![
        counts(counted(), |finding| finding.occurrences.max(1) as usize),
        format!(
            "10 − {} = {points}, never below 0.",
            decimal(cost * QUARTER)
        ),
    ];
    reasons.extend(no_tools(unreadable, "1, as an error does"));
    reasons.extend(frequent(counted(), |finding| {
        finding.occurrences.max(1) as usize
    }));
    Measure {
        dimension: Dimension::SchemaQuality,
        points: Some(points),
        reasons,
    }
}

/// Entries of the list that are no tools: there is nothing in them to lint, and
/// that must not count as nothing wrong.
fn unreadable(raw: &[Finding]) -> impl Iterator<Item = &Finding> {
    raw.iter()
        .filter(|finding| finding.code == "protocol.bad_tool_entry")
}

fn no_tools(unreadable: usize, cost: &str) -> Option<String> {
    let noun = if unreadable == 1 { "entry" } else { "entries" };
    (unreadable > 0)
        .then(|| format!("{unreadable} {noun} of the list cannot be read as a tool: {cost} each."))
}

fn scored(raw: &[Finding]) -> impl Iterator<Item = &Finding> {
    raw.iter().filter(|finding| finding.family == Family::Lint)
}

fn mean(hundredths: u64, number: u64) -> String {
    decimal((2 * hundredths + number) / (2 * number))
}

fn counts<'a>(
    findings: impl Iterator<Item = &'a Finding>,
    times: impl Fn(&Finding) -> usize,
) -> String {
    let (mut errors, mut warnings, mut infos) = (0, 0, 0);
    for finding in findings {
        match finding.severity {
            Severity::Error => errors += times(finding),
            Severity::Warning => warnings += times(finding),
            Severity::Info => infos += times(finding),
        }
    }
    if errors + warnings + infos == 0 {
        return "No lint findings.".to_owned();
    }
    format!(
        "{} (1 each), {} (0.5 each), {} (0.25 each).",
        count(errors, "error"),
        count(warnings, "warning"),
        count(infos, "info"),
    )
}

/// The most frequent codes, as a sentence; ties keep their first-seen order.
fn frequent<'a>(
    findings: impl Iterator<Item = &'a Finding>,
    times: impl Fn(&Finding) -> usize,
) -> Option<String> {
    let mut order: Vec<(&str, usize)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        let place = *places.entry(&finding.code).or_insert_with(|| {
            order.push((&finding.code, 0));
            order.len() - 1
        });
        order[place].1 += times(finding);
    }
    // Where nothing occurs twice, there is no most frequent one.
    if order.iter().all(|&(_, number)| number < 2) {
        return None;
    }
    order.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
    let listed: Vec<String> = order
        .iter()
        .take(LISTED_CODES)
        .map(|(code, number)| format!("`{code}` × {number}"))
        .collect();
    let rest: BTreeSet<&str> = order
        .iter()
        .skip(LISTED_CODES)
        .map(|(code, _)| *code)
        .collect();
    let more = if rest.is_empty() {
        String::new()
    } else {
        format!(" and {}", count(rest.len(), "other code"))
    };
    Some(format!("Most often: {}{more}.", listed.join(", ")))
}
