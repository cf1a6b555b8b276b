//! A structured result, held against the schema that the tool declares for it.

use serde_json::Value;

use crate::fuzz::tidy;
use crate::schema::compile::{self, Validator};

/// A compiled `outputSchema`, made once for a tool.
pub struct OutputCheck {
    validator: Validator,
}

impl OutputCheck {
    /// `None` when there is nothing to judge by: no object, or a schema that
    /// cannot be compiled. That is a finding of its own and no call's fault.
    pub fn new(schema: &Value) -> Option<Self> {
        if !schema.is_object() || !tidy::is_shallow(schema) {
            return None;
        }
        let validator = compile::compile(schema).ok()?;
        Some(Self { validator })
    }

    /// Where and how a result misses the declared output.
    pub(super) fn violation(&self, result: &Value) -> Option<String> {
        let structured = match result.get("structuredContent") {
            None | Some(Value::Null) => {
                return Some(
                    "structuredContent is missing though outputSchema is declared".to_owned(),
                );
            }
            Some(structured) => structured,
        };
        if self.validator.accepts(structured) != Some(false) {
            return None;
        }
        let Some(mismatch) = self.validator.mismatch(structured) else {
            return Some("(root): does not fit outputSchema".to_owned());
        };
        let place = if mismatch.pointer.is_empty() {
            "(root)"
        } else {
            &mismatch.pointer
        };
        Some(format!("{place}: {}", mismatch.message))
    }
}

impl std::fmt::Debug for OutputCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OutputCheck")
    }
}
