//! The body of an upload.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::model::report::Report;
use crate::model::target::TransportKind;
use crate::render::json::v1;

/// The value of `schemaVersion`.
pub const SCHEMA_VERSION: u32 = 1;

/// The CI run that a report comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunContext {
    /// The CI system: `github`, `gitlab` or `jenkins`.
    pub provider: String,
    /// Owner and name of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The commit that was audited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The branch, tag or pull request.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The page of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_url: Option<String>,
}

impl RunContext {
    /// Reads the variables that GitHub, GitLab and Jenkins set; `None` elsewhere.
    pub fn of(variables: &BTreeMap<String, String>) -> Option<Self> {
        let text = |name: &str| {
            let value = variables.get(name).map(|value| value.trim());
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        if text("GITHUB_ACTIONS").as_deref() == Some("true") {
            let run_url = || {
                let (server, repository) = (text("GITHUB_SERVER_URL")?, text("GITHUB_REPOSITORY")?);
                let run = text("GITHUB_RUN_ID")?;
                Some(format!("{server}/{repository}/actions/runs/{run}"))
            };
            return Some(Self {
                provider: "github".to_owned(),
                repository: text("GITHUB_REPOSITORY"),
                commit: text("GITHUB_SHA"),
                reference: text("GITHUB_REF"),
                run_url: run_url(),
            });
        }
        if text("GITLAB_CI").as_deref() == Some("true") {
            return Some(Self {
                provider: "gitlab".to_owned(),
                repository: text("CI_PROJECT_PATH"),
                commit: text("CI_COMMIT_SHA"),
                reference: text("CI_COMMIT_REF_NAME"),
                run_url: text("CI_JOB_URL").or_else(|| text("CI_PIPELINE_URL")),
            });
        }
        text("JENKINS_URL").map(|_| Self {
            provider: "jenkins".to_owned(),
            // Jenkins knows a clone's address, which may hold a password.
            repository: None,
            commit: text("GIT_COMMIT"),
            reference: text("GIT_BRANCH"),
            run_url: text("BUILD_URL"),
        })
    }
}

/// The body: what MCProbe's ingest takes (`report`, `target`, `transport`,
/// `fuzzed`), the version of this shape, and the CI run.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "The body of an upload")]
struct Body<'a> {
    /// Version of this shape.
    schema_version: u32,
    /// The report; see `report.v1.json`.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    report: &'a RawValue,
    /// The target, with credentials taken out: an address, or `stdio: ` and the command.
    target: String,
    /// How it was reached: `stdio` or `http`.
    transport: &'static str,
    /// Whether tools were called.
    fuzzed: bool,
    /// The CI run, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a RunContext>,
}

/// Writes the body of a report as JSON.
pub fn body(report: &Report, run: Option<&RunContext>) -> String {
    let document = v1::render(report);
    // What `render` writes is JSON by construction; `null` would be refused.
    let report_text = serde_json::from_str::<&RawValue>(&document).unwrap_or(RawValue::NULL);
    let (target, transport) = match report.target.transport {
        TransportKind::Stdio => (format!("stdio: {}", report.target.display), "stdio"),
        _ => (report.target.display.clone(), "http"),
    };
    let body = Body {
        schema_version: SCHEMA_VERSION,
        report: report_text,
        target,
        transport,
        fuzzed: report.fuzz.is_some(),
        run,
    };
    // Every key is a string, so that writing cannot fail.
    serde_json::to_string(&body).unwrap_or_default()
}

/// The JSON Schema (2020-12) of what [`body`] gives, as a document.
pub fn schema() -> String {
    let mut schema = schemars::schema_for!(Body<'static>);
    // `uint32` and the like are no formats of JSON Schema, and no other is used.
    RecursiveTransform(|schema: &mut Schema| {
        schema.remove("format");
    })
    .transform(&mut schema);
    // Every key is a string, so that writing cannot fail.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
