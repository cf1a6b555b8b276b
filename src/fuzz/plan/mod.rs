//! Which tools are called, with what, and why the others are left alone.
//!
//! `safe` is an allow-list: what is not known to read is not called. The user's
//! word stands above the level, and a denial above everything.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod risk;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::cases::{self, CaseRequest};
use super::generate::{Context, Touch};
use crate::model::fuzz::{Case, Decision, FuzzLevel, ToolTurn};
use crate::model::tool::{Hints, Tool};
use crate::rules::verbs::{self, VerbKind};

/// What the user allows.
#[derive(Debug, Clone)]
pub struct PlanSettings {
    /// Which tools may be called.
    pub level: FuzzLevel,
    /// How many tools are called at most; all when absent.
    pub max_tools: Option<usize>,
    /// The seed of the cases.
    pub seed: u64,
    /// How many cases a tool gets at most; the usual measure when absent.
    pub cases: Option<usize>,
    /// What exists in the folders that the server was given, absolute and
    /// sorted; folders end in a slash.
    pub scratch_paths: Vec<String>,
    /// What the settings file says of single tools, by name.
    pub per_tool: BTreeMap<String, ToolChoice>,
}

/// What the user says of one tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolChoice {
    /// Call it whatever the level.
    pub allow: bool,
    /// Never call it.
    pub deny: bool,
    /// Arguments that work.
    pub arguments: Option<Value>,
}

/// The most calls of one plan: what they show is kept, and a run has an end.
const MAX_PLAN_CALLS: usize = 20_000;

/// Bytes of arguments in a whole plan, after which tools get no long texts: a
/// list of thousands of tools must not fill the memory.
const MAX_PLAN_BYTES: usize = 32 * 1024 * 1024;

/// Every listed tool and what happens to it.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// One for each tool, in list order.
    pub turns: Vec<ToolTurn>,
    /// The tools that are called, in list order.
    pub calls: Vec<PlannedTool>,
    /// Which valid calls are made again.
    pub repeats: Repeats,
    /// Bytes of all arguments.
    bytes: usize,
}

/// Which valid calls of a plan are made again, at once and after all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Repeats {
    /// Those of idempotent tools at once; on level `safe` those of the first tools
    /// too, and at the end.
    #[default]
    ByLevel,
    /// As on level `safe`, whatever the level: the plan is one that was made there.
    AsSafe,
    /// None: the plan has every call that is to be made.
    None,
}

/// One tool's calls.
#[derive(Debug, Clone)]
pub struct PlannedTool {
    /// The tool's label.
    pub tool: String,
    /// The name exactly as it is sent.
    pub name: String,
    /// The tool's position in the list.
    pub tool_index: usize,
    /// The inputs, in the order in which they are sent; never empty.
    pub cases: Vec<Case>,
    /// `outputSchema` as declared.
    pub output_schema: Option<Value>,
    /// What was left out or could not be judged, a sentence each.
    pub notes: Vec<String>,
}

/// Plans a run over all listed tools. Deterministic: the same list and settings
/// give the same plan, byte for byte.
pub fn plan(entries: impl Iterator<Item = Tool>, settings: &PlanSettings) -> Plan {
    let mut plan = Plan::default();
    let mut names = BTreeSet::new();
    for tool in entries {
        let first_of_its_name = tool
            .name
            .as_ref()
            .is_none_or(|name| names.insert(name.clone()));
        let decision = decide(&tool, first_of_its_name, settings);
        let decision = match decision {
            Decision::Call { because } => schedule(&mut plan, &tool, because, settings),
            Decision::Skip { .. } => decision,
        };
        plan.turns.push(ToolTurn {
            tool: tool.label(),
            tool_index: tool.index,
            decision,
        });
    }
    plan
}

/// Makes the calls of a tool that may be called, unless there is no room or no
/// arguments.
fn schedule(plan: &mut Plan, tool: &Tool, because: String, settings: &PlanSettings) -> Decision {
    if let Some(most) = settings.max_tools
        && plan.calls.len() >= most
    {
        return skip(
            format!("{most} tools are called already, and that is the limit"),
            "a higher --max-tools".to_owned(),
        );
    }
    let name = tool.name.clone().unwrap_or_default();
    let choice = settings.per_tool.get(&name);
    let example = choice.and_then(|choice| choice.arguments.as_ref());
    let mut set = cases::cases(&CaseRequest {
        schema: tool.input_schema(),
        example,
        context: Context {
            name: &name,
            description: tool.description.as_deref(),
            scratch_paths: &settings.scratch_paths,
            touch: if known_to_read(tool, &name).is_ok() {
                Touch::Reads
            } else {
                Touch::Changes
            },
        },
        seed: settings.seed,
        most: settings.cases,
    });
    if set.cases.is_empty() {
        return skip(
            set.notes.join("; "),
            format!(
                "example arguments in mcprobe.toml:\n{}\narguments = {{ … }}",
                table(&name)
            ),
        );
    }
    let planned: usize = plan.calls.iter().map(|tool| tool.cases.len()).sum();
    if planned + set.cases.len() > MAX_PLAN_CALLS {
        return skip(
            format!("{MAX_PLAN_CALLS} calls are planned already, and that is the limit"),
            "a smaller --cases, or a run of its own for it".to_owned(),
        );
    }
    if plan.bytes > MAX_PLAN_BYTES {
        let before = set.cases.len();
        set.cases
            .retain(|case| !case.label.starts_with("edge_long:"));
        if set.cases.len() < before {
            set.notes
                .push("the long text was left out: the plan holds enough of them".to_owned());
        }
    }
    let sizes = set.cases.iter().map(|case| case.arguments.get().len());
    plan.bytes += sizes.sum::<usize>();
    plan.calls.push(PlannedTool {
        tool: tool.label(),
        name,
        tool_index: tool.index,
        cases: set.cases,
        output_schema: tool
            .output_schema()
            .filter(|schema| !schema.is_null())
            .cloned(),
        notes: set.notes,
    });
    Decision::Call { because }
}

fn decide(tool: &Tool, first_of_its_name: bool, settings: &PlanSettings) -> Decision {
    let name = match tool.name.as_deref() {
        Some(name) if !name.is_empty() => name,
        _ => {
            return skip(
                "it has no name to call it by".to_owned(),
                "a `name` in its entry, by the server's author".to_owned(),
            );
        }
    };
    if !first_of_its_name {
        return skip(
            "an earlier tool has the same name, so it is ambiguous which of them a call reaches"
                .to_owned(),
            "a name of its own, by the server's author".to_owned(),
        );
    }
    let choice = settings.per_tool.get(name);
    if choice.is_some_and(|choice| choice.deny) {
        return skip(
            "mcprobe.toml denies it".to_owned(),
            format!("removing `deny` below {} in mcprobe.toml", table(name)),
        );
    }
    if tool
        .entry
        .pointer("/execution/taskSupport")
        .and_then(Value::as_str)
        == Some("required")
    {
        return skip(
            "it runs only as a task, and tasks are not started".to_owned(),
            "a `taskSupport` of `optional`, by the server's author".to_owned(),
        );
    }
    if choice.is_some_and(|choice| choice.allow) {
        return call("mcprobe.toml allows it");
    }
    by_level(tool, name, settings.level)
}

fn by_level(tool: &Tool, name: &str, level: FuzzLevel) -> Decision {
    match level {
        FuzzLevel::Destructive => call("every tool may be called"),
        FuzzLevel::Writes if tool.hints.destructive == Some(true) => skip(
            "it says destructiveHint: true".to_owned(),
            include_with(FuzzLevel::Destructive, name),
        ),
        FuzzLevel::Writes => call("it does not say destructiveHint: true"),
        FuzzLevel::Safe => match known_to_read(tool, name) {
            Ok(because) => call(because),
            Err(because) => {
                let needed = if tool.hints.destructive == Some(true) {
                    FuzzLevel::Destructive
                } else {
                    FuzzLevel::Writes
                };
                skip(because, include_with(needed, name))
            }
        },
    }
}

/// Why the tool is thought to read, or why it is not.
fn known_to_read(tool: &Tool, name: &str) -> Result<&'static str, String> {
    let leading = verbs::leading_verb(name);
    match tool.hints.read_only {
        Some(true) => {
            if tool.hints.destructive == Some(true) {
                return Err(
                    "it says readOnlyHint: true and destructiveHint: true at once".to_owned(),
                );
            }
            return match leading {
                Some(VerbKind::Write | VerbKind::Destroy | VerbKind::Execute) => Err(format!(
                    "it says readOnlyHint: true, but its name leads with a verb that {}",
                    deed(leading)
                )),
                Some(VerbKind::Read | VerbKind::Outbound) | None => {
                    Ok("it says readOnlyHint: true")
                }
            };
        }
        Some(false) => return Err("it says readOnlyHint: false".to_owned()),
        None => {}
    }
    if tool.hints != Hints::default() {
        return Err("it gives hints, but not readOnlyHint: true".to_owned());
    }
    if leading != Some(VerbKind::Read) {
        return Err(format!(
            "it gives no hints, and its name leads with {}",
            match leading {
                None => "no known verb".to_owned(),
                Some(_) => format!("a verb that {}", deed(leading)),
            }
        ));
    }
    if let Some(parameter) = tool.input_schema().and_then(risk::risky_parameter) {
        return Err(format!(
            "it gives no hints, and its parameter `{}` takes {}",
            parameter.name, parameter.takes
        ));
    }
    Ok(
        "it gives no hints, its name leads with a reading verb, and it takes no command, code, SQL or URL",
    )
}

const fn deed(verb: Option<VerbKind>) -> &'static str {
    match verb {
        Some(VerbKind::Write) => "writes",
        Some(VerbKind::Destroy) => "destroys",
        Some(VerbKind::Outbound) => "sends",
        Some(VerbKind::Execute) => "executes",
        Some(VerbKind::Read) | None => "reads",
    }
}

fn call(because: &str) -> Decision {
    Decision::Call {
        because: because.to_owned(),
    }
}

fn skip(because: String, include_with: String) -> Decision {
    Decision::Skip {
        because,
        include_with,
    }
}

fn include_with(level: FuzzLevel, name: &str) -> String {
    format!(
        "{}, or in mcprobe.toml:\n{}\nallow = true",
        level.flag(),
        table(name)
    )
}

/// The tool's table in the settings file.
fn table(name: &str) -> String {
    // A basic TOML string has JSON's escapes; only DEL needs one more.
    let quoted = Value::from(name).to_string().replace('\u{7f}', "\\u007F");
    format!("[tools.{quoted}]")
}

#[cfg(test)]
mod tests;
