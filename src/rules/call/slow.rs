//! A slow tool.

use super::super::{Check, Reporter, Rule};
use crate::fuzz::latency;
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::FuzzRun;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.slow",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a tool that is slow to answer",
    spec: None,
    why: "Each call keeps the agent and its user waiting.",
    hint: "Return what is there at once and the rest on request, or cache what is slow to fetch.",
    docs: include_str!("slow.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

/// Classes of time, in whole seconds: two runs of one server tell the same.
const CLASSES: [u64; 6] = [2, 5, 10, 20, 30, 60];

/// The least classes that are told, for the median and for the slow end.
const MEDIAN_S: u64 = 2;
const SLOW_END_S: u64 = 5;

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    for tool in latency::by_tool(&run.rows) {
        // Refusals are quick, and most of our calls are there to be refused.
        let answers = latency::median_of_answers(&run.rows, tool.tool_index);
        let all = over(tool.p50_us, MEDIAN_S);
        let told = [
            all.map(|s| format!("half of its calls take more than {s} s")),
            over(answers, MEDIAN_S)
                .filter(|s| all.is_none_or(|all| all < *s))
                .map(|s| format!("half of its good answers take more than {s} s")),
            over(tool.p95_us, SLOW_END_S)
                .map(|s| format!("the slowest in twenty take more than {s} s")),
        ];
        let told: Vec<String> = told.into_iter().flatten().collect();
        if !told.is_empty() {
            reporter.report_tool(&tool.tool, tool.tool_index, "", told.join(", "));
        }
    }
}

/// The largest class that a time is over, from `least` on.
fn over(us: u64, least: u64) -> Option<u64> {
    CLASSES
        .into_iter()
        .rev()
        .find(|class| *class >= least && us > class * 1_000_000)
}
