//! Version 1 of the public report.
//!
//! The shape has types of its own, so that a change inside cannot change it
//! unnoticed; `docs/schemas/report.v1.json` is generated from them. Nothing
//! outside `run` depends on time.

mod fill;
mod shape;
mod suppressed;

use std::io;

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};

use crate::model::report::Report;
use crate::render::escape;
use shape::Document;

/// The value of `schemaVersion`.
pub const SCHEMA_VERSION: u32 = 1;

/// The report as a JSON document, indented by two spaces, with a line feed at
/// its end.
pub fn render(report: &Report) -> String {
    let mut shown = Shown(String::new());
    // Nothing here fails: every key is a string, and a string takes all text.
    let _ = serde_json::to_writer_pretty(&mut shown, &Document::of(report));
    shown.0.push('\n');
    shown.0
}

/// Escapes as it is written, because a large document is not to be there twice.
struct Shown(String);

impl io::Write for Shown {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        // Pieces end where characters do.
        escape::push_json(&mut self.0, &String::from_utf8_lossy(piece));
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The JSON Schema (2020-12) of what [`render`] gives, as a document.
pub fn schema() -> String {
    let mut schema = schemars::schema_for!(Document<'static>);
    // `uint32` and the like are no formats of JSON Schema, and no other is used.
    RecursiveTransform(|schema: &mut Schema| {
        schema.remove("format");
    })
    .transform(&mut schema);
    document(&schema)
}

fn document(tree: &impl serde::Serialize) -> String {
    // Every key in these trees is a string, so that writing cannot fail.
    let mut text = serde_json::to_string_pretty(tree).unwrap_or_default();
    text.push('\n');
    text
}
