//! One finding of a saved report, made ready to be tried again.
//!
//! A finding about a call names its row by tool and case. The call goes out with
//! the arguments of that row, after the calls that it needs. Whether it shows the
//! same is for the rules to say.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::fuzz::plan::{Plan, PlannedTool};
use crate::model::evidence::Evidence;
use crate::model::finding::Finding;
use crate::model::fuzz::{Case, CaseClass, FuzzRow, Outcome};
use crate::model::inventory::Inventory;
use crate::model::tool::Tool;
use crate::render::json::v1::SCHEMA_VERSION;
use crate::rules;

/// Rules that hold a call against the tool's valid one.
const AGAINST_VALID: [&str; 2] = ["call.near_miss_dropped", "call.stricter_than_schema"];

/// Rules about the call to no tool, which every run makes.
const ABOUT_NO_TOOL: [&str; 2] = ["call.crash", "call.unknown_tool_as_result"];

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
    /// The calls in their order, the one that shows it last.
    calls: Vec<(String, Case)>,
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
    let saved: Saved = serde_json::from_str(report)
        .map_err(|error| format!("it is no JSON report of mcprobe: {error}"))?;
    if saved.schema_version != SCHEMA_VERSION {
        return Err(format!(
            "its schemaVersion is {}, and this version reads {SCHEMA_VERSION}",
            saved.schema_version
        ));
    }
    let finding = saved
        .findings
        .iter()
        .find(|finding| finding.fingerprint == fingerprint)
        .ok_or_else(|| format!("it has no finding with the fingerprint {fingerprint:?}"))?;
    let code = finding.code.clone();
    let (Some(tool), Some(case)) = (&finding.location.tool, &finding.case) else {
        if finding.location.tool.is_none() && ABOUT_NO_TOOL.contains(&code.as_str()) {
            return Ok(Replay {
                code,
                tool: None,
                case: None,
                outcome: None,
                calls: Vec::new(),
            });
        }
        return Err(format!(
            "the finding {fingerprint} ({code}) is not about one call; run the audit again instead"
        ));
    };
    let row = saved.row(tool, case)?;
    let mut calls = Vec::new();
    if AGAINST_VALID.contains(&code.as_str())
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
    Ok(Replay {
        code,
        tool: Some(tool.clone()),
        case: Some(case.clone()),
        outcome: Some(row.outcome),
        calls,
    })
}

impl Replay {
    /// The calls as a plan. The error names a tool that is no longer listed.
    pub fn plan(&self, inventory: &Inventory) -> Result<Plan, String> {
        let mut plan = Plan::default();
        for (label, case) in &self.calls {
            if let Some(last) = plan.calls.last_mut()
                && last.tool == *label
            {
                last.cases.push(case.clone());
                continue;
            }
            let tool = inventory
                .tools
                .entries
                .iter()
                .enumerate()
                .map(|(index, raw)| Tool::read(index, raw.get()))
                .find(|tool| tool.label() == *label)
                .ok_or_else(|| format!("the server lists no tool {label:?}"))?;
            plan.calls.push(PlannedTool {
                tool: label.clone(),
                name: tool.name.clone().unwrap_or_default(),
                tool_index: tool.index,
                cases: vec![case.clone()],
                output_schema: tool
                    .output_schema()
                    .filter(|schema| !schema.is_null())
                    .cloned(),
                notes: Vec::new(),
            });
        }
        Ok(plan)
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

/// The parts of a report that are read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Saved {
    schema_version: u32,
    findings: Vec<SavedFinding>,
    fuzz: Vec<SavedRow>,
}

#[derive(Deserialize)]
struct SavedFinding {
    code: String,
    location: SavedLocation,
    #[serde(default)]
    case: Option<String>,
    fingerprint: String,
}

#[derive(Deserialize)]
struct SavedLocation {
    #[serde(default)]
    tool: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SavedRow {
    name: String,
    case: String,
    class: CaseClass,
    outcome: Outcome,
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
    #[serde(default)]
    arguments_text: Option<String>,
    #[serde(default)]
    after: Vec<SavedCall>,
}

#[derive(Deserialize)]
struct SavedCall {
    tool: String,
    case: String,
}

impl Saved {
    fn row(&self, tool: &str, case: &str) -> Result<&SavedRow, String> {
        self.fuzz
            .iter()
            .find(|row| row.name == tool && row.case == case)
            .ok_or_else(|| format!("it has no call of {tool:?} with the case {case:?}"))
    }
}

impl SavedRow {
    fn call(&self) -> Result<(String, Case), String> {
        let arguments = match (&self.arguments, &self.arguments_text) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(text)) => RawValue::from_string(text.clone()).map_err(|error| {
                format!("the arguments of {:?} are no JSON: {error}", self.case)
            })?,
            (None, None) => return Err(format!("the call {:?} has no arguments", self.case)),
        };
        let case = Case {
            label: self.case.clone(),
            class: self.class,
            arguments,
        };
        Ok((self.name.clone(), case))
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
            ],
            "fuzz": [row("valid", "generated"), row("near_miss:b->a", "extraKey"), crash, odd],
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
    }

    #[test]
    fn what_cannot_be_replayed_says_why() {
        let error = |fingerprint| calls(fingerprint).expect_err("no replay");
        assert!(error("3").contains("is not about one call"));
        assert!(error("6").contains("no call of \"t\" with the case \"gone\""));
        assert!(error("9").contains("no finding with the fingerprint \"9\""));
        assert!(read("[]", "1").is_err());
        let newer = report()
            .to_string()
            .replace("\"schemaVersion\":1", "\"schemaVersion\":2");
        assert!(read(&newer, "1").is_err());
    }
}
