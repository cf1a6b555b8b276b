//! The parts of a JSON report that a replay reads.

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::model::fuzz::{Case, CaseClass, Outcome};
use crate::render::json::v1::SCHEMA_VERSION;

const NO_REPORT: &str =
    "it is no JSON report of mcprobe, as `mcprobe audit --fuzz --json` writes it";

fn of_another_version(version: u32) -> String {
    format!("its schemaVersion is {version}, and this version reads {SCHEMA_VERSION}")
}

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

/// The part that tells which shape the rest has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    schema_version: u32,
}

impl Saved {
    /// Reads the text of a report. The error is a sentence.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let error = match serde_json::from_str::<Self>(text) {
            Ok(saved) if saved.schema_version == SCHEMA_VERSION => return Ok(saved),
            Ok(saved) => return Err(of_another_version(saved.schema_version)),
            Err(error) => error,
        };
        Err(match error.classify() {
            Category::Eof => "it is not JSON: it ends too early".to_owned(),
            Category::Syntax | Category::Io => format!(
                "it is not JSON: something else begins at line {}, column {}",
                error.line(),
                error.column()
            ),
            // A newer report may have another shape as well.
            Category::Data => match serde_json::from_str::<Version>(text) {
                Ok(Version { schema_version }) if schema_version != SCHEMA_VERSION => {
                    of_another_version(schema_version)
                }
                Ok(_) | Err(_) => NO_REPORT.to_owned(),
            },
        })
    }

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
