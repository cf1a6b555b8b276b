//! The parts of a JSON report that a replay reads.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::fuzz::{Case, CaseClass, Outcome};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Saved {
    pub(super) schema_version: u32,
    pub(super) findings: Vec<SavedFinding>,
    pub(super) fuzz: Vec<SavedRow>,
}

#[derive(Deserialize)]
pub(super) struct SavedFinding {
    pub(super) code: String,
    pub(super) location: SavedLocation,
    #[serde(default)]
    pub(super) case: Option<String>,
    pub(super) fingerprint: String,
}

#[derive(Deserialize)]
pub(super) struct SavedLocation {
    #[serde(default)]
    pub(super) tool: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedRow {
    pub(super) name: String,
    pub(super) case: String,
    pub(super) class: CaseClass,
    pub(super) outcome: Outcome,
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
    #[serde(default)]
    arguments_text: Option<String>,
    #[serde(default)]
    pub(super) after: Vec<SavedCall>,
}

#[derive(Deserialize)]
pub(super) struct SavedCall {
    pub(super) tool: String,
    pub(super) case: String,
}

impl Saved {
    pub(super) fn row(&self, tool: &str, case: &str) -> Result<&SavedRow, String> {
        self.fuzz
            .iter()
            .find(|row| row.name == tool && row.case == case)
            .ok_or_else(|| format!("it has no call of {tool:?} with the case {case:?}"))
    }
}

impl SavedRow {
    pub(super) fn call(&self) -> Result<(String, Case), String> {
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
