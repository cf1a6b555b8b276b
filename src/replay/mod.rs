//! One finding of a saved report, made ready to be tried again.
//!
//! A finding about a call names its row by tool and case. The call goes out with
//! the arguments of that row, after the calls that it needs: those that the same
//! process took before, the valid call that it is held against, or all calls of
//! the report where their order is the matter. Whether it shows the same is for
//! the rules to say, by what the server declares now.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod class;
mod saved;

use crate::fuzz::plan::{Plan, PlannedTool, Repeats};
use crate::model::evidence::Evidence;
use crate::model::finding::Finding;
use crate::model::fuzz::{Case, FuzzRow, Outcome};
use crate::model::inventory::Inventory;
use crate::model::tool::Tool;
use crate::rules::{self, Check};
use saved::{Saved, SavedFinding, SavedRow};

/// Rules that hold a call against the tool's valid one.
const AGAINST_VALID: [&str; 2] = ["call.near_miss_dropped", "call.stricter_than_schema"];

/// Rules about the call to no tool, which every run makes.
const ABOUT_NO_TOOL: [&str; 2] = ["call.crash", "call.unknown_tool_as_result"];

/// Rules about one call that show only after all others.
const ABOUT_ORDER: [&str; 1] = ["call.answer_depends_on_order"];

/// Rules about one call that may show only after others, which nobody knows.
const AFTER_OTHERS: [&str; 1] = ["call.listed_but_unknown"];

/// Rules about a valid call that is made twice.
const ABOUT_REPEATS: [&str; 1] = ["call.idempotent_repeat_fails"];

/// Rules that show only where folders are watched.
const ABOUT_WRITES: [&str; 1] = ["call.read_only_writes"];

/// The family of rules about calls.
const FAMILY: &str = "call.";

/// A finding and the calls that show it.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The rule.
    pub code: String,
    /// The tool's label; `None` for a finding about the call to no tool.
    pub tool: Option<String>,
    /// The case's label.
    pub case: Option<String>,
    /// How the call was taken then.
    pub outcome: Option<Outcome>,
    /// The calls in their order.
    calls: Calls,
    /// What is made again of them.
    repeats: Repeats,
}

/// What a replay came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether the same rule fires at the same place.
    pub reproduced: bool,
    /// How the call was taken now; `None` where it has no row.
    pub outcome: Option<Outcome>,
}

/// Finds a finding of a JSON report. The error is a sentence.
pub fn read(report: &str, fingerprint: &str) -> Result<Replay, String> {
    let saved = Saved::read(report)?;
    let finding = saved
        .findings
        .iter()
        .find(|finding| finding.fingerprint == fingerprint)
        .ok_or_else(|| format!("it has no finding with the fingerprint {fingerprint:?}"))?;
    let code = finding.code.as_str();
    let rule = rules::rule(code)
        .ok_or_else(|| format!("this version has no rule {code:?}, so nothing could show it"))?;
    if !matches!(rule.check, Check::Calls(_)) {
        return Err(about_no_call(finding));
    }
    let (calls, outcome) = calls(&saved, finding)?;
    let repeats = match code {
        _ if ABOUT_ORDER.contains(&code) => Repeats::AsSafe,
        _ if ABOUT_REPEATS.contains(&code) => Repeats::ByLevel,
        _ => Repeats::None,
    };
    Ok(Replay {
        code: code.to_owned(),
        tool: finding.location.tool.clone(),
        case: finding.case.clone(),
        outcome,
        calls,
        repeats,
    })
}

type Calls = Vec<(String, Case)>;

/// The calls that show a finding, the one that it names last where it names one;
/// and how that one was taken.
fn calls(saved: &Saved, finding: &SavedFinding) -> Result<(Calls, Option<Outcome>), String> {
    let code = finding.code.as_str();
    let (tool, case) = match (&finding.location.tool, &finding.case) {
        (Some(tool), Some(case)) => (tool, case),
        (None, _) if ABOUT_NO_TOOL.contains(&code) => return Ok((Vec::new(), None)),
        (tool, _) => {
            let is_of_tool = |row: &&SavedRow| tool.as_ref().is_none_or(|tool| row.name == *tool);
            let rows: Vec<&SavedRow> = saved.fuzz.iter().filter(is_of_tool).collect();
            if !code.starts_with(FAMILY) || rows.is_empty() {
                return Err(about_no_call(finding));
            }
            return Ok((all_of(rows)?, None));
        }
    };
    let row = saved.row(tool, case)?;
    if ABOUT_ORDER.contains(&code) || AFTER_OTHERS.contains(&code) {
        return Ok((all_of(&saved.fuzz)?, Some(row.outcome)));
    }
    let mut calls = Vec::new();
    if AGAINST_VALID.contains(&code)
        && let Some(valid) = saved
            .fuzz
            .iter()
            .find(|row| row.name == *tool && row.class.is_valid())
    {
        calls.push(valid.call()?);
    }
    for earlier in &row.after {
        calls.push(saved.row(&earlier.tool, &earlier.case)?.call()?);
    }
    calls.push(row.call()?);
    Ok((calls, Some(row.outcome)))
}

fn about_no_call(finding: &SavedFinding) -> String {
    format!(
        "the finding {} ({}) is not about calls; run the audit again instead",
        finding.fingerprint, finding.code
    )
}

fn all_of<'a>(rows: impl IntoIterator<Item = &'a SavedRow>) -> Result<Calls, String> {
    rows.into_iter().map(SavedRow::call).collect()
}

impl Replay {
    /// The calls as a plan. The error names a tool that is no longer listed.
    pub fn plan(&self, inventory: &Inventory) -> Result<Plan, String> {
        let mut plan = Plan::default();
        plan.repeats = self.repeats;
        for turn in self.calls.chunk_by(|one, next| one.0 == next.0) {
            let Some((label, _)) = turn.first() else {
                continue;
            };
            let tool = inventory
                .tools
                .entries
                .iter()
                .enumerate()
                .map(|(index, raw)| Tool::read(index, raw.get()))
                .find(|tool| tool.label() == *label)
                .ok_or_else(|| format!("the server lists no tool {label:?}"))?;
            let now = class::Now::of(&tool);
            plan.calls.push(PlannedTool {
                tool: label.clone(),
                name: tool.name.clone().unwrap_or_default(),
                tool_index: tool.index,
                cases: turn.iter().map(|(_, case)| now.case(case)).collect(),
                output_schema: tool
                    .output_schema()
                    .filter(|schema| !schema.is_null())
                    .cloned(),
                notes: Vec::new(),
            });
        }
        Ok(plan)
    }

    /// Whether calls of the report are made again: a call to no tool stands in none.
    pub fn makes_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether it can only show where a folder is watched.
    pub fn needs_watching(&self) -> bool {
        ABOUT_WRITES.contains(&self.code.as_str())
    }

    /// What the calls showed.
    pub fn judge(&self, evidence: &Evidence) -> Shown {
        let rows = evidence.fuzz.as_ref().map_or(&[][..], |run| &run.rows);
        let own = |row: &&FuzzRow| {
            Some(&row.tool) == self.tool.as_ref() && Some(&row.case.label) == self.case.as_ref()
        };
        let is_same = |finding: &Finding| {
            finding.code == self.code
                && finding.location.tool == self.tool
                && finding.case == self.case
        };
        Shown {
            reproduced: rules::lint(evidence).iter().any(is_same),
            outcome: rows.iter().rfind(own).map(|row| row.outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn report() -> Value {
        let row = |case: &str, class: &str| json!({"name": "t", "case": case, "class": class, "outcome": "ok", "arguments": {"a": 1}});
        let mut crash = row("edge_long:a", "edge");
        crash["outcome"] = "protocolCrash".into();
        crash["after"] = json!([{"tool": "t", "case": "valid"}, {"tool": "t", "case": "valid"}]);
        let mut odd = row("edge_number:a", "edge");
        odd["arguments"].take();
        odd["argumentsText"] = "{\"a\": 1e400}".into();
        let mut other = row("valid", "generated");
        other["name"] = "other".into();
        let finding = |fingerprint: &str, code: &str, location: Value, case: Option<&str>| json!({"code": code, "location": location, "case": case, "fingerprint": fingerprint});
        json!({
            "schemaVersion": 1,
            "findings": [
                finding("1", "call.crash", json!({"tool": "t"}), Some("edge_long:a")),
                finding("2", "call.near_miss_dropped", json!({"tool": "t"}), Some("near_miss:b->a")),
                finding("3", "tool.thin_description", json!({"tool": "t"}), None),
                finding("4", "call.unknown_tool_as_result", json!({}), None),
                finding("5", "call.timeout", json!({"tool": "t"}), Some("edge_number:a")),
                finding("6", "call.timeout", json!({"tool": "t"}), Some("gone")),
                finding("7", "call.answer_depends_on_order", json!({"tool": "t"}), Some("valid")),
                finding("8", "call.slow", json!({"tool": "other"}), None),
                finding("10", "call.tools_changed", json!({}), None),
                finding("11", "call.slow", json!({"tool": "nowhere"}), None),
                finding("12", "tool.no_annotations", json!({"tool": "t"}), Some("valid")),
                finding("14", "call.listed_but_unknown", json!({"tool": "t"}), Some("valid")),
                finding("13", "call.of_tomorrow", json!({"tool": "t"}), Some("valid")),
            ],
            "fuzz": [row("valid", "generated"), row("near_miss:b->a", "extraKey"), crash, odd, other],
        })
    }

    fn calls(fingerprint: &str) -> Result<Vec<String>, String> {
        read(&report().to_string(), fingerprint).map(|replay| {
            replay
                .calls
                .iter()
                .map(|(tool, case)| format!("{tool} {} {}", case.label, case.arguments))
                .collect()
        })
    }

    #[test]
    fn a_finding_brings_the_calls_that_show_it() {
        assert_eq!(
            calls("1").expect("a call"),
            [
                "t valid {\"a\":1}",
                "t valid {\"a\":1}",
                "t edge_long:a {\"a\":1}"
            ]
        );
        assert_eq!(
            calls("2").expect("a call"),
            ["t valid {\"a\":1}", "t near_miss:b->a {\"a\":1}"]
        );
        assert_eq!(calls("4").expect("none"), [""; 0]);
        assert_eq!(
            calls("5").expect("a call"),
            ["t edge_number:a {\"a\": 1e400}"]
        );
        assert_eq!(calls("8").expect("a call"), ["other valid {\"a\":1}"]);
    }

    #[test]
    fn where_order_matters_all_calls_are_made_again() {
        let order = read(&report().to_string(), "7").expect("a replay");
        assert_eq!(order.repeats, Repeats::AsSafe);
        let cases: Vec<(&str, &str)> = order
            .calls
            .iter()
            .map(|(tool, case)| (tool.as_str(), case.label.as_str()))
            .collect();
        let all = [
            ("t", "valid"),
            ("t", "near_miss:b->a"),
            ("t", "edge_long:a"),
            ("t", "edge_number:a"),
            ("other", "valid"),
        ];
        assert_eq!(cases, all);
        assert_eq!(calls("10").expect("calls").len(), all.len());
        let unknown = read(&report().to_string(), "14").expect("a replay");
        assert_eq!(
            (unknown.calls.len(), unknown.repeats),
            (all.len(), Repeats::None)
        );
        let crash = read(&report().to_string(), "1").expect("a replay");
        assert_eq!(crash.repeats, Repeats::None);
    }

    #[test]
    fn what_cannot_be_replayed_says_why() {
        let error = |fingerprint| calls(fingerprint).expect_err("no replay");
        assert!(error("3").contains("is not about calls"));
        assert!(error("11").contains("is not about calls"));
        assert!(error("6").contains("no call of \"t\" with the case \"gone\""));
        assert!(error("9").contains("no finding with the fingerprint \"9\""));
        assert!(error("12").contains("is not about calls"));
        assert!(error("13").contains("this version has no rule \"call.of_tomorrow\""));
        let error = |text: &str| read(text, "1").expect_err("no report");
        for other in ["[]", "{}", "null", r#"{"schemaVersion": 1, "findings": 5}"#] {
            assert_eq!(
                error(other),
                "it is no JSON report of mcprobe, as `mcprobe audit --fuzz --json` writes it"
            );
        }
        assert_eq!(error("{"), "it is not JSON: it ends too early");
        assert_eq!(
            error("{\n  x"),
            "it is not JSON: something else begins at line 2, column 3"
        );
        assert!(error(r#"{"schemaVersion": 2}"#).starts_with("its schemaVersion is 2"));
    }
}
