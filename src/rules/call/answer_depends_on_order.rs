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
    severity: Severity::Info,
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
        if !depends(run, repeat) {
            continue;
        }
        let later = match repeat.later.first() {
            Some(later) if later.outcome.is_refusal() => "is refused",
            _ => "has another answer",
        };
        let finding = reporter.report_tool(
            &repeat.tool,
            repeat.tool_index,
            "",
            format!(
                "case `{}` {later} after calls to other tools than before them, twice each time; on a fresh connection the answer is the first one again",
                visible(&repeat.case, 60)
            ),
        );
        finding.case = Some(repeat.case.clone());
    }
}

/// Whether the answer was steady before the calls, steady and another one after
/// them, and the first one again without them. Numbers, dates and ids do not
/// count.
fn depends(run: &FuzzRun, repeat: &Repeat) -> bool {
    let row = run
        .rows
        .iter()
        .find(|row| row.tool_index == repeat.tool_index && row.case.label == repeat.case);
    let Some(answer) = row.and_then(|row| row.answer.as_ref()) else {
        return false;
    };
    let is_first = |taken: &Taken| taken.outcome == Outcome::Ok && taken.shape == answer.shape;
    let [one, two] = repeat.later.as_slice() else {
        return false;
    };
    let answered = |taken: &Taken| taken.outcome == Outcome::Ok || taken.outcome.is_refusal();
    is_first(&repeat.again)
        && !is_first(one)
        && answered(one)
        && one.outcome == two.outcome
        && one.shape == two.shape
        && repeat.fresh.as_ref().is_some_and(is_first)
}
