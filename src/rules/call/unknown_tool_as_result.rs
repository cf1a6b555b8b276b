//! A call to no tool that is answered by a result.

use super::super::quote::{quote, visible};
use super::super::{Check, Reporter, Rule, Section};
use crate::model::evidence::Evidence;
use crate::model::finding::{Family, Severity};
use crate::model::fuzz::{FuzzRun, Outcome};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "call.unknown_tool_as_result",
    family: Family::Call,
    severity: Severity::Info,
    summary: "a call to a tool that does not exist is answered by a result",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
        keyword: None,
    }),
    why: "A client that tells missing tools by the protocol error does not notice that its list is old.",
    hint: "Answer calls to unknown names with the JSON-RPC error -32602.",
    docs: include_str!("unknown_tool_as_result.md"),
    subsumes: &[],
    check: Check::Calls(check),
};

fn check(_: &Evidence, run: &FuzzRun, reporter: &mut Reporter<'_>) {
    let Some(probe) = &run.follow_up.unknown_tool else {
        return;
    };
    let name = visible(&probe.name, 60);
    match probe.outcome {
        Outcome::ToolError => {
            let text = probe.error_text.as_deref().unwrap_or_default();
            reporter.report(format!(
                "a call to `{name}`, which does not exist, is answered by a result with `isError`, where the specification names the protocol error -32602: {}",
                quote(text)
            ));
        }
        Outcome::Ok => {
            let finding = reporter.report(format!(
                "a call to `{name}`, which does not exist, is answered with success"
            ));
            finding.severity = Severity::Error;
            finding.why = "A model that mistypes a name believes that the work was done.".into();
        }
        Outcome::RpcError | Outcome::InputRequired | Outcome::Timeout | Outcome::ProtocolCrash => {}
    }
}
