//! Task support that cannot be used.

use serde_json::Value;

use super::super::{Check, Held, Reporter, Rule, Section};
use super::reply::shown;
use crate::model::finding::{Family, Severity};
use crate::model::tool::Tool;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.task_support",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "task support that cannot be used",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks",
        keyword: Some("MUST"),
    }),
    why: "Clients do not know whether the tool may, or must, be called as a task.",
    hint: "Use `forbidden`, `optional` or `required`, and declare `tasks.requests.tools.call` where tasks are possible.",
    docs: include_str!("task_support.md"),
    subsumes: &[],
    check: Check::Held(check),
};

fn check(tool: &Tool, held: &Held<'_>, reporter: &mut Reporter<'_>) {
    let Some(execution) = tool.entry.get("execution") else {
        return;
    };
    let Value::Object(members) = execution else {
        let message = format!("`execution` is {}, and must be an object", shown(execution));
        reporter.report(message).location.pointer = Some(tool.pointer("/execution"));
        return;
    };
    let Some(support) = members.get("taskSupport") else {
        return;
    };
    let capabilities = &held.inventory.capabilities;
    // A saved list comes without: nothing is known of them then.
    let declared = capabilities.is_null()
        || capabilities
            .pointer("/tasks/requests/tools/call")
            .is_some_and(|call| !call.is_null() && *call != Value::Bool(false));
    let (severity, message) = match support.as_str() {
        Some("required") if !declared => (
            Severity::Error,
            "the tool can only be called as a task, and the server does not declare `tasks.requests.tools.call`".to_owned(),
        ),
        Some("optional") if !declared => (
            Severity::Info,
            "the tool may be called as a task, and the server does not declare `tasks.requests.tools.call`, so no client will".to_owned(),
        ),
        Some("required" | "optional" | "forbidden") => return,
        _ => (
            Severity::Warning,
            format!("`execution.taskSupport` is {}, and must be `forbidden`, `optional` or `required`", shown(support)),
        ),
    };
    let finding = reporter.report(message);
    finding.severity = severity;
    finding.location.pointer = Some(tool.pointer("/execution/taskSupport"));
}
