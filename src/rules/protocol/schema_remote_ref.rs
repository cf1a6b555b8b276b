//! References that lead out of the schema.

use super::super::quote::quote;
use super::super::{Check, DeclaredSchema, Reporter, Rule, Section};
use crate::model::finding::{Family, Severity};
use crate::schema::reach;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.schema_remote_ref",
    family: Family::Protocol,
    severity: Severity::Warning,
    summary: "a reference that leads out of the schema",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage",
        keyword: Some("MUST NOT"),
    }),
    why: "Nobody may fetch it, so that part of the schema says nothing, or the schema is refused.",
    hint: "Put what is referred to into `$defs` of the same schema and refer to `#/$defs/…`.",
    docs: include_str!("schema_remote_ref.md"),
    subsumes: &[],
    check: Check::Schema(check),
};

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    let outward = reach::outward(schema.value);
    let Some(first) = outward.first() else {
        return;
    };
    let more = match outward.len() {
        1 => String::new(),
        number => format!(", and {} more like it", number - 1),
    };
    let key = schema.role.key();
    let finding = reporter.report(format!(
        "`{key}` refers to {} outside of it{more}; nothing may be fetched for it",
        quote(&first.target)
    ));
    finding.occurrences = u32::try_from(outward.len()).unwrap_or(u32::MAX);
    if let Some(pointer) = &mut finding.location.pointer {
        pointer.push_str(&first.pointer);
    }
}
