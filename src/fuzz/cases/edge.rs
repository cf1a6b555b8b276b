//! Input that the schema allows and servers trip over. One field each, the first
//! that it fits; what only tries the reader of the message stands last, since a
//! server that drops it says nothing at all.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::bench::Bench;
use super::fields::{self, Field};
use super::{broken, case};
use crate::model::fuzz::{Case, CaseClass};

/// Bytes of the long text.
const LONG: usize = 64 * 1024;
/// Levels of the deep value: more than common readers take (128 and 200), few
/// enough for the tools that people read reports with.
const DEEP: usize = 210;
/// Levels of the shallower twin by which the schema is asked.
const ASKED_DEEP: usize = 100;
/// 2^63, one more than a signed 64-bit number holds.
const TWO_TO_63: u64 = 1 << 63;

/// All edge cases of a tool.
pub(super) fn cases(bench: &Bench<'_>) -> Vec<Case> {
    let text = |value: String| {
        move |bench: &Bench<'_>, field: &Field| {
            allows(bench, field, &["string"]).then(|| Edge::plain(json!(value)))
        }
    };
    let mut all = Vec::new();
    all.extend(empty(bench));
    all.extend(first(
        bench,
        "edge_unicode",
        text("Žofie 😀 e\u{301} \u{202e}abc\u{202c} 𝔘".to_owned()),
    ));
    all.extend(
        first(
            bench,
            "edge_control",
            text("a\u{0}b\u{7}\u{1b}[31mc\r\n\t".to_owned()),
        )
        .or_else(|| first(bench, "edge_control", text("\u{0}".to_owned()))),
    );
    all.extend(first(bench, "edge_long", text("a".repeat(LONG))));
    all.extend(first(bench, "edge_format", no_format));
    all.extend(first(bench, "edge_integer_as_float", whole_as_float));
    all.extend(first(bench, "edge_negative_zero", |bench, field| {
        allows(bench, field, &["integer", "number"]).then(|| Edge::written(json!(-0.0), "-0"))
    }));
    all.extend(first(bench, "edge_2_63", |bench, field| {
        allows(bench, field, &["integer", "number"]).then(|| Edge::plain(json!(TWO_TO_63)))
    }));
    all.extend(first(bench, "edge_deep", |_, _| Some(deep())));
    all.extend(first(bench, "edge_huge_number", |bench, field| {
        allows(bench, field, &["integer", "number"])
            .then(|| Edge::written(json!(f64::MAX), "1e400"))
    }));
    all
}

/// A value at the edge.
struct Edge {
    /// By which the schema is asked.
    asked: Value,
    /// As it is sent, where no tree holds it.
    written: Option<String>,
}

impl Edge {
    const fn plain(asked: Value) -> Self {
        Self {
            asked,
            written: None,
        }
    }

    fn written(asked: Value, written: &str) -> Self {
        Self {
            asked,
            written: Some(written.to_owned()),
        }
    }
}

/// No arguments, where all may be left out and some were given.
fn empty(bench: &Bench<'_>) -> Option<Case> {
    let none = json!({});
    (bench.valid != none && bench.takes(&none)).then(|| case("edge_empty", CaseClass::Edge, &none))
}

/// The case for the first field whose place takes the value.
fn first(
    bench: &Bench<'_>,
    kind: &str,
    edge: impl Fn(&Bench<'_>, &Field) -> Option<Edge>,
) -> Option<Case> {
    bench.given_first(&bench.fields).find_map(|field| {
        let Edge { asked, written } = edge(bench, field)?;
        if bench.good(field) == Some(&asked) {
            return None;
        }
        let bent = field
            .with(&bench.valid, asked)
            .filter(|bent| bench.takes(bent))?;
        let label = format!("{kind}:{}", field.label);
        let mut case = case(&label, CaseClass::Edge, &bent);
        if let Some(written) = written {
            case.arguments = spliced(bench, field, &written)?;
        }
        Some(case)
    })
}

/// The arguments as text, with this text for the field's value.
fn spliced(bench: &Bench<'_>, field: &Field, written: &str) -> Option<Box<RawValue>> {
    let whole = bench.valid.to_string();
    let mut mark = "__mcprobe_here__".to_owned();
    while whole.contains(&mark) {
        mark.push('_');
    }
    let marked = field.with(&bench.valid, json!(mark))?.to_string();
    RawValue::from_string(marked.replacen(&format!("\"{mark}\""), written, 1)).ok()
}

/// Whether the field is open or says one of the types, and lists no values.
fn allows(bench: &Bench<'_>, field: &Field, types: &[&str]) -> bool {
    let root = bench.root.schema;
    fields::allowed_values(root, &field.schema).is_none()
        && fields::declared_types(root, &field.schema)
            .is_none_or(|declared| declared.iter().any(|name| types.contains(&name.as_str())))
}

/// A text that is not of a format that the dialect only notes.
fn no_format(bench: &Bench<'_>, field: &Field) -> Option<Edge> {
    let format = fields::keyword(bench.root.schema, &field.schema, "format")?;
    broken::no_text_of(format.as_str()?).map(|text| Edge::plain(json!(text)))
}

/// 1.0 for 1.
fn whole_as_float(bench: &Bench<'_>, field: &Field) -> Option<Edge> {
    let declared = fields::declared_types(bench.root.schema, &field.schema)?;
    if !declared.iter().any(|name| name == "integer") {
        return None;
    }
    let good = i32::try_from(bench.good(field)?.as_i64()?).ok()?;
    Some(Edge::plain(json!(f64::from(good))))
}

/// An object in an object, many times over.
fn deep() -> Edge {
    let mut asked = json!({});
    for _ in 0..ASKED_DEEP {
        asked = json!({ "a": asked });
    }
    let written = format!("{}{{}}{}", "{\"a\":".repeat(DEEP), "}".repeat(DEEP));
    Edge::written(asked, &written)
}
