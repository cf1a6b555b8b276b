//! Whether a run could have shown what a suppression is about.
//!
//! In doubt it could not: a suppression that is called stale is removed, and its finding
//! comes back in the next run that looks further.

use std::collections::BTreeMap;

use crate::model::evidence::Evidence;
use crate::model::finding::Family;
use crate::model::fuzz::FuzzRun;
use crate::model::inventory::ListEnd;
use crate::model::suppression::Suppression;
use crate::model::target::TransportKind;
use crate::model::tool::Tool;
use crate::rules::{self, Check, Rule};
use crate::score::Reach;

/// The rule that tells of tools that were left alone; it needs no call.
const NOT_CALLED: &str = "call.not_called";

/// The rule that needs watched folders.
const READ_ONLY_WRITES: &str = "call.read_only_writes";

/// What a run looked at; asked of the evidence when first needed.
pub(super) struct Tested<'a> {
    evidence: &'a Evidence,
    by_rule: BTreeMap<String, Option<&'static str>>,
    /// Each listed tool by its label, and whether every call planned for it was made.
    tools: Option<BTreeMap<String, bool>>,
}

impl<'a> Tested<'a> {
    pub(super) const fn of(evidence: &'a Evidence) -> Self {
        Self {
            evidence,
            by_rule: BTreeMap::new(),
            tools: None,
        }
    }

    /// Why the run could not have shown it, in a few words; `None` where it could.
    pub(super) fn why_not(&mut self, suppression: &Suppression) -> Option<String> {
        let Some(rule) = rules::rule(&suppression.code) else {
            return Some("this version has no such rule".to_owned());
        };
        let evidence = self.evidence;
        let of_rule = *self
            .by_rule
            .entry(suppression.code.clone())
            .or_insert_with(|| why_not_rule(rule, evidence));
        of_rule
            .or_else(|| self.why_not_place(rule, suppression.tool.as_deref()))
            .map(str::to_owned)
    }

    fn why_not_place(&mut self, rule: &Rule, tool: Option<&str>) -> Option<&'static str> {
        let evidence = self.evidence;
        let tools = self.tools.get_or_insert_with(|| tools(evidence));
        let called = match tool {
            Some(name) => match tools.get(name) {
                None => return Some("no tool of that name is listed"),
                Some(called) => *called,
            },
            None => tools.values().all(|called| *called),
        };
        let one_tool_will_do = tool.is_some() && !matches!(rule.check, Check::Names(_));
        if is_about_tools(rule) && !one_tool_will_do && !is_whole(evidence) {
            return Some("the list of tools was not read to its end");
        }
        if needs_calls(rule) && !called {
            return Some(match tool {
                Some(_) => "the tool was not called to its last case",
                None => "not every tool was called to its last case",
            });
        }
        None
    }
}

fn why_not_rule(rule: &Rule, evidence: &Evidence) -> Option<&'static str> {
    let is_capture = evidence.target.transport == TransportKind::Capture;
    if Reach::of(evidence) == Reach::NotListed {
        return Some("the tools could not be listed");
    }
    if is_about_tools(rule) && Reach::of(evidence) == Reach::Empty {
        return Some("no tools are listed");
    }
    if rule.family == Family::Process && evidence.target.transport != TransportKind::Stdio {
        return Some("no process was started");
    }
    if is_capture && matches!(rule.check, Check::Evidence(_)) && rule.family != Family::Lint {
        return Some("a saved list does not show it");
    }
    if !rules::could_speak(rule, evidence) {
        return Some("what the rule needs was not seen");
    }
    let is_of_calls = matches!(rule.check, Check::Calls(_));
    match &evidence.fuzz {
        _ if !is_of_calls => None,
        None => Some("no calls were made"),
        Some(_) if evidence.cut_short.is_some() => Some("the run was cut short"),
        Some(run) if rule.code == READ_ONLY_WRITES => why_unwatched(run),
        Some(_) => None,
    }
}

fn why_unwatched(run: &FuzzRun) -> Option<&'static str> {
    let follow_up = &run.follow_up;
    if follow_up.watched.is_empty() {
        return Some("no folder was watched");
    }
    (!follow_up.unwatched.is_empty()).then_some("not every watched file could be seen")
}

fn needs_calls(rule: &Rule) -> bool {
    matches!(rule.check, Check::Calls(_)) && rule.code != NOT_CALLED
}

/// Whether a rule looks at tools, one by one or together.
fn is_about_tools(rule: &Rule) -> bool {
    match rule.check {
        Check::Entry(_)
        | Check::Tool(_)
        | Check::Held(_)
        | Check::Schema(_)
        | Check::Param(_)
        | Check::Names(_)
        | Check::Calls(_) => true,
        Check::Evidence(_) | Check::Suppression(_) => false,
    }
}

fn is_whole(evidence: &Evidence) -> bool {
    matches!(
        evidence.inventory.tools.end,
        ListEnd::Complete | ListEnd::NotAsked
    )
}

/// Every listed tool; of two of one name both have to be called.
fn tools(evidence: &Evidence) -> BTreeMap<String, bool> {
    let entries = evidence.inventory.tools.entries.iter().enumerate();
    let mut tools: BTreeMap<String, bool> = entries
        .map(|(index, raw)| (Tool::read(index, raw.get()).label(), true))
        .collect();
    let Some(run) = &evidence.fuzz else {
        return tools;
    };
    let mut rows: Vec<usize> = run.rows.iter().map(|row| row.tool_index).collect();
    rows.dedup();
    rows.sort_unstable();
    for turn in &run.turns {
        let was_called = turn.decision.calls() && rows.binary_search(&turn.tool_index).is_ok();
        if !was_called && let Some(called) = tools.get_mut(&turn.tool) {
            *called = false;
        }
    }
    for left in &run.abandoned {
        if let Some(called) = tools.get_mut(&left.tool) {
            *called = false;
        }
    }
    tools
}
