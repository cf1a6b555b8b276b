//! A schema without reasonable bounds.

use super::super::{Check, DeclaredSchema, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::schema::reach;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.schema_bounds",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a schema beyond reasonable bounds",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2026-07-28/basic#composition-keyword-resource-use",
        keyword: Some("SHOULD"),
    }),
    why: "Validators are told to refuse schemas that cost too much, and models pay for every byte.",
    hint: "Make the schema smaller: fewer alternatives, less nesting, texts where enumerations of thousands stand.",
    docs: include_str!("schema_bounds.md"),
    subsumes: &[],
    check: Check::Schema(check),
};

/// The bounds are ours; the text names none.
const MAX_DEPTH: usize = 32;
const MAX_SUBSCHEMAS: usize = 2_000;
const MAX_BYTES: usize = 256 * 1024;

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    let size = reach::size(schema.value);
    let mut beyond = Vec::new();
    if size.depth > MAX_DEPTH {
        beyond.push(format!(
            "nests {} schemas deep, more than {MAX_DEPTH}",
            size.depth
        ));
    }
    if size.subschemas > MAX_SUBSCHEMAS {
        beyond.push(format!(
            "holds {} schemas, more than {MAX_SUBSCHEMAS}",
            size.subschemas
        ));
    }
    let bytes = schema.value.to_string().len();
    if bytes > MAX_BYTES {
        beyond.push(format!(
            "takes {} KiB, more than {}",
            bytes >> 10,
            MAX_BYTES >> 10
        ));
    }
    if !beyond.is_empty() {
        let key = schema.role.key();
        reporter.report(format!("`{key}` {}", beyond.join(", and ")));
    }
}
