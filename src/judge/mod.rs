//! The pure second half of a run: evidence and settings in, report out.
//!
//! Total and synchronous: the same evidence gives the same report, byte for
//! byte, and evidence of a failed probe gives a whole report as well.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod completeness;
mod coverage;
mod suppress;
mod turned_away;
mod untested;

use std::collections::{BTreeMap, BTreeSet};

pub use turned_away::every_call_wants_credentials;

use crate::fuzz::{helpful, latency};
use crate::gate::{GateInput, judge_gate};
use crate::model::checked::ProtocolSection;
use crate::model::contact::Contact;
use crate::model::evidence::{Evidence, ProbeState, Producer};
use crate::model::finding::{Family, Finding, RuleChoice};
use crate::model::fuzz::FuzzRun;
use crate::model::inventory::{ListEnd, Listing};
use crate::model::report::{
    Counts, FuzzSection, OtherSide, Reached, Report, ScoreModel, Thresholds,
};
use crate::model::suppression::Suppressions;
use crate::rules::requirements;
use crate::score::{self, Reach};
use suppress::{Held, Split};

/// What the user decides about the judgement.
#[derive(Debug, Clone, Default)]
pub struct JudgeSettings {
    /// The model whose number gates and stands as the overall.
    pub score_model: ScoreModel,
    /// What the gate asks for.
    pub thresholds: Thresholds,
    /// Choices by rule code. They change what is shown and gated, never a score.
    pub rules: BTreeMap<String, RuleChoice>,
    /// Findings to live with. They are not shown and not gated, and cost no score.
    pub suppressions: Suppressions,
    /// The families to show and gate by; `None` means all.
    pub families: Option<BTreeSet<Family>>,
    /// Whether calls were asked for. Evidence that has calls counts as asked.
    pub fuzz_asked: bool,
    /// The user's own name for the target, before the one in the evidence.
    pub label: Option<String>,
}

/// Judges evidence by all rules.
pub fn judge(evidence: &Evidence, settings: &JudgeSettings) -> Report {
    let raw = crate::rules::lint(evidence);
    judge_findings(evidence, raw, settings)
}

/// Judges evidence by findings that are already there: the raw ones of all
/// rules.
pub fn judge_findings(
    evidence: &Evidence,
    mut raw: Vec<Finding>,
    settings: &JudgeSettings,
) -> Report {
    let held = Held::of(&settings.suppressions);
    let split = held.split(&raw);
    let scores = score::score(evidence, &split.kept);
    let protocol = protocol(evidence, &raw, &split, settings);
    let suppressions = held.section(evidence, &raw, &split);
    drop(split);
    if let Some(section) = &suppressions {
        raw.extend(crate::rules::lint_suppressions(&section.entries));
    }
    let findings = chosen(raw, settings, &held);
    let fuzz_asked = settings.fuzz_asked || evidence.fuzz_asked || evidence.fuzz.is_some();
    let completeness = completeness::of(evidence, &scores, settings.score_model, fuzz_asked);
    let verdict = judge_gate(&GateInput {
        probe_state: evidence.probe_state,
        failure: failure(evidence).as_ref(),
        reach: Reach::of(evidence),
        cut_short: evidence.cut_short,
        score: scores.of(settings.score_model),
        completeness: &completeness,
        fuzz_asked,
        findings: &findings,
        thresholds: &settings.thresholds,
    });
    let coverage = coverage::of(evidence);
    let mut target = evidence.target.clone();
    if settings.label.is_some() {
        target.name.clone_from(&settings.label);
    }
    Report {
        producer: Producer::default(),
        target,
        server: evidence.inventory.server.clone(),
        protocol_version: evidence.inventory.protocol_version.clone(),
        reached: reached(&evidence.contact),
        probe_state: evidence.probe_state,
        failure: failure(evidence),
        cut_short: evidence.cut_short,
        counts: counts(evidence),
        score_model: settings.score_model,
        completeness,
        untested: untested::of(evidence, &scores, &coverage, fuzz_asked),
        scores,
        findings,
        suppressions,
        protocol,
        fuzz: evidence
            .fuzz
            .as_ref()
            .map(|run| fuzz_section(run, evidence)),
        coverage,
        notes: notes(evidence),
        verdict,
        run: evidence.run.clone(),
    }
}

fn reached(contact: &Contact) -> Reached {
    Reached {
        era: contact.era,
        carrier: contact.carrier,
        attempts: contact.attempts.clone(),
        other: contact.other_era.as_ref().map(|other| OtherSide {
            era: other.era,
            protocol_version: other.inventory.protocol_version.clone(),
            tools: (other.inventory.tools.pages > 0).then_some(other.inventory.tools.entries.len()),
            failure: other.failure.clone(),
        }),
    }
}

/// What is said of the protocol's requirements does not depend on what is shown, but
/// on what was judged by.
fn protocol(
    evidence: &Evidence,
    raw: &[Finding],
    split: &Split<'_>,
    settings: &JudgeSettings,
) -> Option<ProtocolSection> {
    let picked = |families: &BTreeSet<Family>| families.contains(&Family::Protocol);
    if !settings.families.as_ref().is_none_or(picked) {
        return None;
    }
    let is_off = |code: &str| settings.rules.get(code) == Some(&RuleChoice::Off);
    let check = |findings: &[Finding]| requirements::check(evidence, findings, is_off);
    Some(suppress::marked(raw, split, check))
}

/// What else was seen, each once: on the wire, then during the calls.
fn notes(evidence: &Evidence) -> Vec<String> {
    let calls = evidence.fuzz.iter().flat_map(|run| &run.follow_up.notes);
    let mut notes: Vec<String> = Vec::new();
    for note in evidence.wire.notes.iter().chain(calls) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

fn fuzz_section(run: &FuzzRun, evidence: &Evidence) -> FuzzSection {
    let points = helpful::of_run(run, &evidence.inventory);
    FuzzSection {
        level: run.level,
        seed: run.seed,
        rows: run.rows.clone(),
        abandoned: run.abandoned.clone(),
        helpfulness: helpful::by_tool(run, &points),
        latencies: latency::by_tool(&run.rows),
        points: points
            .iter()
            .map(|points| points.map(helpful::Points::sum))
            .collect(),
    }
}

/// The findings to show. Families are picked before a stronger finding may hide
/// a weaker one, and rules are switched off after: a smell that was allowed does
/// not come back under a milder name. For the same reason suppressed findings are
/// left out after.
fn chosen(mut raw: Vec<Finding>, settings: &JudgeSettings, held: &Held<'_>) -> Vec<Finding> {
    if let Some(picked) = &settings.families {
        raw.retain(|finding| picked.contains(&finding.family));
    }
    let mut findings = crate::rules::unsubsumed(raw);
    findings.retain(|finding| !held.holds(finding));
    findings.retain_mut(|finding| match settings.rules.get(finding.code.as_ref()) {
        None => true,
        Some(RuleChoice::Off) => false,
        Some(RuleChoice::Severity(severity)) => {
            finding.severity = *severity;
            true
        }
    });
    // Last, because a choice may change a severity.
    crate::rules::sort(&mut findings);
    findings
}

/// What ended the probe, also where only the list itself says so.
fn failure(evidence: &Evidence) -> Option<crate::model::evidence::Failure> {
    if evidence.failure.is_some() {
        return evidence.failure.clone();
    }
    let ListEnd::Failed { reason } = &evidence.inventory.tools.end else {
        return None;
    };
    Some(crate::model::evidence::Failure {
        message: reason.clone(),
        exit: None,
        stderr_tail: None,
        exchange: None,
    })
}

fn counts(evidence: &Evidence) -> Counts {
    let inventory = &evidence.inventory;
    let tools = match (&inventory.tools.end, evidence.probe_state) {
        (ListEnd::NotAsked, ProbeState::Ok) => Some(0),
        _ => listed(&inventory.tools),
    };
    Counts {
        tools,
        prompts: listed(&inventory.prompts),
        resources: listed(&inventory.resources),
        resource_templates: listed(&inventory.resource_templates),
    }
}

fn listed(listing: &Listing) -> Option<usize> {
    match listing.end {
        ListEnd::NotAsked => None,
        ListEnd::Failed { .. } if listing.entries.is_empty() => None,
        ListEnd::Bounded { .. } if listing.pages == 0 => None,
        ListEnd::Failed { .. }
        | ListEnd::Complete
        | ListEnd::RepeatedCursor { .. }
        | ListEnd::RepeatedPage
        | ListEnd::Bounded { .. } => Some(listing.entries.len()),
    }
}
