//! A dialect that nobody knows.

use super::super::quote::quote;
use super::super::{Check, DeclaredSchema, Reporter, Rule, Section};
use super::reply::shown;
use crate::model::finding::{Family, Severity};
use crate::schema::dialect::Declared;

pub(in crate::rules) static RULE: Rule = Rule {
    code: "protocol.schema_dialect",
    family: Family::Protocol,
    severity: Severity::Info,
    summary: "a schema of an unknown dialect",
    spec: Some(Section {
        link: "https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage",
        keyword: Some("SHOULD"),
    }),
    why: "Validators refuse the schema or guess what its keywords mean.",
    hint: "Leave `$schema` out, or name a published draft such as https://json-schema.org/draft/2020-12/schema.",
    docs: include_str!("schema_dialect.md"),
    subsumes: &[],
    check: Check::Schema(check),
};

fn check(schema: &DeclaredSchema<'_>, reporter: &mut Reporter<'_>) {
    let Some(named) = schema.value.get("$schema") else {
        return;
    };
    let message = match named.as_str() {
        None => format!("`$schema` is {}, and must be a string", shown(named)),
        Some(uri) if Declared::of(schema.value) == Declared::Unknown => {
            format!("the dialect {} is not known", quote(uri))
        }
        Some(_) => return,
    };
    let finding = reporter.report(message);
    if let Some(pointer) = &mut finding.location.pointer {
        pointer.push_str("/$schema");
    }
}
