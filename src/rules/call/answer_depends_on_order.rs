//! An answer that depends on what was called before.

use super::super::quote::visible;
use super::super::{Check, Reporter, Rule};
use crate::model::answer::{Repeat, Taken};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRun, Outcome};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.answer_depends_on_order",
    family: Family::Call,
    severity: Severity::Warning,
    summary: "an answer that depends on earlier calls to other tools",
    spec: None,
    why: "The same question has two answers, and nothing in the arguments says which one comes.",
    hint: "Take what the answer depends on as an argument, or say in the description which call comes first.",
    docs: include_str!("answer_depends_on_order.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for repeat in &run.follow_up.repeats {
        let Some(how) = how_it_depends(run, repeat) else {
            continue;
        };
        let finding = reporter.report_tool(
            &repeat.tool,
            repeat.tool_index,
            "",
            format!("case `{}` {how}", visible(&repeat.case, 60)),
        );
        finding.case = Some(repeat.case.clone());
    }
}

/// How the answer depends on earlier calls. Numbers, dates and ids in it do not count.
fn how_it_depends(run: &FuzzRun, repeat: &Repeat) -> Option<String> {
    let row = run
        .rows
        .iter()
        .find(|row| row.tool_index == repeat.tool_index && row.case.label == repeat.case);
    let shape = &row?.answer.as_ref()?.shape;
    let is_first = |taken: &Taken| taken.outcome == Outcome::Ok && taken.shape == *shape;
    if !is_first(&repeat.again) {
        return None;
    }
    // Steady before the calls, steady and another one after them, and the first one
    // again without them.
    if let [one, two] = repeat.later.as_slice()
        && let Some(how) = otherwise(one, &[two])
        && !is_first(one)
        && repeat.fresh.as_ref().is_some_and(is_first)
    {
        return Some(format!(
            "{how} after calls to other tools than before them, twice each time; on a fresh connection the answer is the first one again"
        ));
    }
    // Steady after the calls of the tools before it, and steady and another one
    // without them.
    if let [one, alone @ ..] = repeat.reversed.as_slice()
        && let Some(how) = otherwise(one, &alone.iter().collect::<Vec<_>>())
        && !alone.is_empty()
        && !is_first(one)
        && repeat.later.iter().all(is_first)
    {
        return Some(format!(
            "{how} on a fresh connection, unlike after calls to other tools, each time it was made"
        ));
    }
    None
}

/// In words how a call is taken, where it is answered and always taken alike.
fn otherwise(one: &Taken, more: &[&Taken]) -> Option<&'static str> {
    let is_alike = |other: &&Taken| other.outcome == one.outcome && other.shape == one.shape;
    if !more.iter().all(is_alike) {
        return None;
    }
    match one.outcome {
        Outcome::Ok => Some("has another answer"),
        Outcome::ToolError | Outcome::RpcError => Some("is refused"),
        Outcome::InputRequired | Outcome::Timeout | Outcome::ProtocolCrash => None,
    }
}
