//! What a stored case is for, by the schema that the tool declares now.
//!
//! A schema may have been mended since the report: then arguments that broke it
//! fit, or the other way round, and the finding is gone.

use serde_json::Value;

use crate::fuzz::tidy;
use crate::model::fuzz::{Case, CaseClass};
use crate::model::tool::Tool;
use crate::schema::compile::{self, Validator};

/// A tool's input schema as it is now; nothing where it cannot be judged by.
pub(super) struct Now(Option<Validator>);

impl Now {
    pub(super) fn of(tool: &Tool) -> Self {
        let schema = tool.input_schema();
        let usable = schema.filter(|schema| schema.is_object() && tidy::is_shallow(schema));
        Self(usable.and_then(|schema| compile::compile(&tidy::tidy(schema)).ok()))
    }

    /// The case with the class that it has now.
    pub(super) fn case(&self, case: &Case) -> Case {
        let class = match (case.class, self.takes(case)) {
            (CaseClass::Malformed | CaseClass::Coercion, Some(true)) => CaseClass::Edge,
            (CaseClass::Generated | CaseClass::Example | CaseClass::ExtraKey, Some(false)) => {
                CaseClass::Malformed
            }
            (class, _) => class,
        };
        Case {
            class,
            ..case.clone()
        }
    }

    /// `None` where it cannot be told: some arguments fit no tree.
    fn takes(&self, case: &Case) -> Option<bool> {
        let arguments: Value = serde_json::from_str(case.arguments.get()).ok()?;
        self.0.as_ref()?.accepts(&arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::RawValue;

    fn class_now(schema: &str, class: CaseClass, arguments: &str) -> CaseClass {
        let raw = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        let case = Case {
            label: "a case".to_owned(),
            class,
            arguments: RawValue::from_string(arguments.to_owned()).expect("JSON"),
        };
        Now::of(&Tool::read(0, &raw)).case(&case).class
    }

    #[test]
    fn a_case_is_what_the_schema_of_today_makes_it() {
        let needs = r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#;
        let closed = r#"{"type":"object","additionalProperties":false}"#;
        let open = r#"{"type":"object"}"#;
        let broken = "7";
        assert_eq!(
            class_now(needs, CaseClass::Malformed, "{}"),
            CaseClass::Malformed
        );
        assert_eq!(class_now(open, CaseClass::Malformed, "{}"), CaseClass::Edge);
        assert_eq!(class_now(open, CaseClass::Coercion, "{}"), CaseClass::Edge);
        assert_eq!(
            class_now(open, CaseClass::ExtraKey, r#"{"b":1}"#),
            CaseClass::ExtraKey
        );
        assert_eq!(
            class_now(closed, CaseClass::ExtraKey, r#"{"b":1}"#),
            CaseClass::Malformed
        );
        assert_eq!(
            class_now(needs, CaseClass::Generated, "{}"),
            CaseClass::Malformed
        );
        assert_eq!(class_now(needs, CaseClass::Edge, "{}"), CaseClass::Edge);
        // What cannot be judged stays what it was.
        assert_eq!(
            class_now(broken, CaseClass::Malformed, "{}"),
            CaseClass::Malformed
        );
        assert_eq!(
            class_now(open, CaseClass::Malformed, r#"{"a":1e400}"#),
            CaseClass::Malformed
        );
    }
}
