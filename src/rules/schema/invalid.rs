//! A schema that its own dialect forbids.

use serde_json::Value;

use super::super::quote::{quote, visible};
use super::super::{Check, DeclaredSchema, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::schema::compile::SchemaFault;
use crate::schema::dialect::{Declared, Dialect};
use crate::schema::{fault, fault_in, pointer};

pub(in crate::rules) static RULE: Rule = Rule {
    code: "schema.invalid",
    family: Family::Lint,
    severity: Severity::Error,
    summary: "a schema that is not valid JSON Schema",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage",
        keyword: Some("MUST"),
    }),
    why: "Clients that check schemas refuse the tool, and many then drop the whole list.",
    hint: "Correct the schema at the place named; a validator for its dialect shows when it is right.",
    docs: include_str!("invalid.md"),
    subsumes: &["schema.root_not_object"],
    check: Check::Schema(check),
};

/// Characters of a validator's text that are kept; it quotes values.
const MAX_REASON: usize = 240;

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    let key = schema.role.key();
    if !schema.value.is_object() {
        // JSON Schema allows `true` and `false`; the protocol wants an object.
        reporter.report(format!(
            "`{key}` is {}, not a JSON Schema object",
            kind(schema.value)
        ));
        return;
    }
    let Some(fault) = fault_of(schema) else {
        return;
    };
    let place = match fault.pointer.as_str() {
        "" => String::new(),
        pointer => format!(" at {}", visible(pointer, MAX_REASON)),
    };
    let dialect = match Declared::of(schema.value) {
        Declared::Unknown => {
            let uri = schema.value.get("$schema").and_then(Value::as_str);
            let uri = quote(uri.unwrap_or_default());
            format!(" (judged as 2020-12; the dialect {uri} is not known)")
        }
        Declared::Known(_) | Declared::Nothing => String::new(),
    };
    let finding = reporter.report(format!(
        "`{key}` is not valid JSON Schema{place}: {}{dialect}",
        visible(&fault.message, MAX_REASON)
    ));
    finding.location.param = param_of(&fault.pointer);
    finding.location.nested = fault.pointer.matches("/properties/").count() > 1;
    if let Some(pointer) = &mut finding.location.pointer {
        pointer.push_str(&fault.pointer);
    }
}

fn fault_of(schema: &DeclaredSchema<'_>) -> Option<SchemaFault> {
    let fault = fault(schema.value)?;
    // The default dialect is stated from 2025-11-25 on; before that a schema of
    // no declared dialect may as well be draft-07.
    let unstated = schema
        .revision
        .is_some_and(|revision| revision < "2025-11-25")
        && Declared::of(schema.value) == Declared::Nothing;
    if unstated && fault_in(schema.value, Dialect::Draft7).is_none() {
        return None;
    }
    Some(fault)
}

/// The name of the innermost property on the way.
fn param_of(pointer: &str) -> Option<String> {
    let tokens = pointer::tokens(pointer);
    let (mut at, mut name) = (0, None);
    while at + 1 < tokens.len() {
        if tokens[at] == "properties" {
            name = Some(tokens[at + 1].clone());
            at += 1;
        }
        at += 1;
    }
    name
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
