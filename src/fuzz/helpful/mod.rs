//! How much a refusal helps whoever has to correct the call: 0 to 3 points.
//!
//! One point each for naming the field, for saying what was expected there, and
//! for what would be allowed. The rubric is in `docs/scoring.md`; it reads words,
//! so it is a measure of texts and feeds no score.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod field;
mod words;

use serde_json::Value;

use crate::fuzz::denial::Denials;
use crate::model::fuzz::{FuzzRow, FuzzRun};
use crate::model::inventory::Inventory;
use crate::model::report::ToolHelpfulness;
use crate::model::tool::Tool;
use field::Subject;

pub use words::names_field;

/// The points of one refusal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Points {
    /// It names the field.
    pub field: bool,
    /// It says what was expected there.
    pub expected: bool,
    /// It says what would be allowed.
    pub allowed: bool,
}

impl Points {
    /// 0 to 3.
    pub const fn sum(self) -> u8 {
        self.field as u8 + self.expected as u8 + self.allowed as u8
    }
}

/// The points of each row: `None` where it is no refusal of arguments that break
/// the schema, or one of a tool that the server says not to have.
pub fn of_run(run: &FuzzRun, inventory: &Inventory) -> Vec<Option<Points>> {
    let mut known: Option<(usize, Option<Value>)> = None;
    let mut all = Vec::with_capacity(run.rows.len());
    let denials = Denials::of(Some(run));
    for row in &run.rows {
        if !is_rated(row) || denials.denies(row) {
            all.push(None);
            continue;
        }
        // Rows of a tool stand together: its schema is read once.
        if known
            .as_ref()
            .is_none_or(|(index, _)| *index != row.tool_index)
        {
            let schema = inventory.tools.entries.get(row.tool_index).and_then(|raw| {
                let tool = Tool::read(row.tool_index, raw.get());
                tool.input_schema().cloned()
            });
            known = Some((row.tool_index, schema));
        }
        let schema = known.as_ref().and_then(|(_, schema)| schema.as_ref());
        all.push(Some(rate(row, schema)));
    }
    all
}

/// The mean of each tool, in the order of the rows.
pub fn by_tool(run: &FuzzRun, points: &[Option<Points>]) -> Vec<ToolHelpfulness> {
    let mut tools: Vec<ToolHelpfulness> = Vec::new();
    for (row, points) in run.rows.iter().zip(points) {
        let Some(points) = points else { continue };
        if tools
            .last()
            .is_none_or(|last| last.tool_index != row.tool_index)
        {
            tools.push(ToolHelpfulness::of(row));
        }
        let Some(tool) = tools.last_mut() else {
            continue;
        };
        tool.refusals += 1;
        tool.name_field += usize::from(points.field);
        tool.say_expected += usize::from(points.expected);
        tool.say_allowed += usize::from(points.allowed);
    }
    tools
}

const fn is_rated(row: &FuzzRow) -> bool {
    row.outcome.is_refusal() && row.case.class.breaks_schema()
}

/// The points of one refusal, for a tool with this `inputSchema`.
pub fn rate(row: &FuzzRow, schema: Option<&Value>) -> Points {
    let text = row.error_text.as_deref().unwrap_or_default();
    if text.trim().is_empty() {
        return Points::default();
    }
    let subject = Subject::of(&row.case.label, schema);
    let lower = text.to_lowercase();
    Points {
        field: subject.names.iter().any(|name| names_field(text, name)),
        expected: subject.says_expected(&lower),
        allowed: subject.says_allowed(&lower),
    }
}

impl ToolHelpfulness {
    fn of(row: &FuzzRow) -> Self {
        Self {
            tool: row.tool.clone(),
            tool_index: row.tool_index,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fuzz::{Case, CaseClass, Exchange, Outcome};
    use proptest::prelude::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "unit": {"type": "string", "enum": ["kelvin", "fahrenheit"]},
                "count": {"type": "integer", "minimum": 1, "maximum": 50},
                "a": {"type": "number"},
                "where": {"$ref": "#/$defs/where"},
            },
            "$defs": {"where": {"type": "object", "properties": {"city": {"type": "string"}}}},
        })
    }

    fn row(label: &str, text: &str) -> FuzzRow {
        FuzzRow {
            tool: "t".to_owned(),
            tool_index: 0,
            case: Case {
                label: label.to_owned(),
                class: CaseClass::Malformed,
                arguments: Box::default(),
            },
            outcome: Outcome::ToolError,
            silently_accepted: false,
            coerced: false,
            empty_success: false,
            output_schema_violation: None,
            error_text: Some(text.to_owned()),
            error_code: None,
            invalid_utf8_at: None,
            confirmed: None,
            answer: None,
            refusal_fault: None,
            after: Vec::new(),
            shrunk: None,
            writes: Vec::new(),
            exchange: Exchange::default(),
            latency_us: 0,
        }
    }

    #[test]
    fn refusals_earn_a_point_for_each_thing_they_say() {
        for (label, text, expected) in [
            ("missing_required:count", "", (false, false, false)),
            (
                "missing_required:count",
                "Invalid request",
                (false, false, false),
            ),
            (
                "missing_required:count",
                "missing argument: count",
                (true, true, false),
            ),
            (
                "missing_required:count",
                "`count` (an integer from 1 to 50) is required",
                (true, true, true),
            ),
            (
                "wrong_type:count",
                "wrong type for argument: count",
                (true, false, false),
            ),
            (
                "wrong_type:count",
                "count must be an integer",
                (true, true, false),
            ),
            (
                "wrong_type:count",
                "count must be an integer, at most 50",
                (true, true, true),
            ),
            ("wrong_type:a", "a problem occurred", (false, false, false)),
            (
                "wrong_type:a",
                "[{\"expected\":\"number\",\"received\":\"string\",\"path\":[\"a\"]}]",
                (true, true, true),
            ),
            (
                "out_of_enum:unit",
                "unit must be one of kelvin, fahrenheit",
                (true, true, true),
            ),
            ("out_of_enum:unit", "invalid unit", (true, false, false)),
            (
                "extra_garbage",
                "unexpected argument: __mcprobe_garbage__",
                (true, true, false),
            ),
            (
                "extra_garbage",
                "unknown key __mcprobe_garbage__; known: unit, count",
                (true, true, true),
            ),
            (
                "wrong_type:where.city",
                "where.city: expected a string, got a number",
                (true, true, true),
            ),
            (
                "arguments_array",
                "arguments must be an object",
                (true, true, false),
            ),
        ] {
            let points = rate(&row(label, text), Some(&schema()));
            assert_eq!(
                (points.field, points.expected, points.allowed),
                expected,
                "{label}: {text}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_refusal_is_rated(label in ".{0,40}", text in ".{0,80}") {
            let points = rate(&row(&label, &text), Some(&schema()));
            prop_assert!(points.sum() <= 3);
            prop_assert_eq!(rate(&row(&label, &text), None), rate(&row(&label, &text), None));
        }
    }
}
