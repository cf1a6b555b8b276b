//! Values that break one keyword of a field and no other.
//!
//! Each is checked against the field's schema without that keyword, which must
//! take it. Whether the whole schema refuses it is asked where the case is made.

use serde_json::{Map, Value, json};

use super::bench::Bench;
use super::bend;
use super::fields::{self, Field};
use crate::fuzz::flatten::{self, type_names};
use crate::fuzz::generate;

type Keywords = Map<String, Value>;

/// A text or list below its least length.
pub(super) fn too_short(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    for (least, most, type_name) in [
        ("minLength", "maxLength", "string"),
        ("minItems", "maxItems", "array"),
    ] {
        let Some(keywords) = declaring(bench, field, least, &[type_name]) else {
            continue;
        };
        let below = keywords.get(least)?.as_u64()?.checked_sub(1)?;
        return opposite(
            bench,
            field,
            &keywords,
            least,
            (most, json!(below)),
            type_name,
        );
    }
    None
}

/// A text or list above its greatest length.
pub(super) fn too_long(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    for (least, most, type_name) in [
        ("minLength", "maxLength", "string"),
        ("minItems", "maxItems", "array"),
    ] {
        let Some(keywords) = declaring(bench, field, most, &[type_name]) else {
            continue;
        };
        let above = keywords.get(most)?.as_u64()?.checked_add(1)?;
        return opposite(
            bench,
            field,
            &keywords,
            most,
            (least, json!(above)),
            type_name,
        );
    }
    None
}

/// A number below its least value, or above its greatest where it has no least.
pub(super) fn out_of_range(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    below(bench, field).or_else(|| above(bench, field))
}

/// A number above its greatest value, where it has a least one as well.
pub(super) fn over_maximum(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    below(bench, field).and_then(|_| above(bench, field))
}

fn below(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    beyond(bench, field, ["minimum", "exclusiveMinimum"], -1)
}

fn above(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    beyond(bench, field, ["maximum", "exclusiveMaximum"], 1)
}

/// The nearest number beyond a bound, in the direction of the sign.
fn beyond(bench: &Bench<'_>, field: &Field, bounds: [&str; 2], sign: i64) -> Option<Value> {
    bounds.into_iter().find_map(|bound| {
        let keywords = declaring(bench, field, bound, &["integer", "number"])?;
        let limit = keywords.get(bound)?;
        let step = keywords.get("multipleOf").and_then(Value::as_i64);
        let step = step.filter(|step| *step > 0).unwrap_or(1);
        let mut tries = Vec::new();
        if let Some(limit) = limit.as_i64() {
            let past = limit.checked_add(sign);
            let multiple = past.map(|past| past.div_euclid(step).saturating_mul(step));
            let next = multiple.and_then(|multiple| multiple.checked_add(step));
            // The bound itself is the nearest miss where it is excluded.
            tries.extend(
                [Some(limit), past, multiple, next]
                    .into_iter()
                    .flatten()
                    .map(Value::from),
            );
        } else {
            let limit = limit.as_f64()?;
            tries.extend([limit, limit + sign as f64].map(Value::from));
        }
        // In draft-04 the exclusive bound is a word beside the other one.
        let dropped = match bound {
            "minimum" => ["minimum", "exclusiveMinimum"],
            "maximum" => ["maximum", "exclusiveMaximum"],
            _ => [bound, bound],
        };
        let dropped = if keywords.get(dropped[1]).is_some_and(Value::is_boolean) {
            dropped
        } else {
            [bound, bound]
        };
        first_breaking(bench, field, &keywords, &dropped, tries)
    })
}

/// A number between two multiples.
pub(super) fn not_multiple(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let keywords = declaring(bench, field, "multipleOf", &["integer", "number"])?;
    let good = bench.good(field)?;
    let mut tries = Vec::new();
    if let Some(whole) = good.as_i64() {
        let near = [whole.checked_add(1), whole.checked_sub(1)];
        tries.extend(near.into_iter().flatten().map(Value::from));
    }
    let half = keywords.get("multipleOf")?.as_f64()? / 2.0;
    let good = good.as_f64()?;
    tries.extend([good + half, good - half].map(Value::from));
    first_breaking(bench, field, &keywords, &["multipleOf"], tries)
}

/// A fraction where a whole number is asked for.
pub(super) fn fraction(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let mut keywords = declaring(bench, field, "type", &["integer"])?;
    if type_names(keywords.get("type")?).contains(&"number") {
        return None;
    }
    keywords.insert("type".to_owned(), json!("number"));
    // Halves of larger numbers are not exact.
    let good = bench
        .good(field)?
        .as_i64()
        .and_then(|good| i32::try_from(good).ok())?;
    let tries = [0.5, -0.5].map(|half| Value::from(f64::from(good) + half));
    let relaxed = generate::part(&bench.root, &Value::Object(keywords))?;
    tries
        .into_iter()
        .find(|value| relaxed.accepts(value) == Some(true))
}

/// A text that the pattern does not match.
pub(super) fn bad_pattern(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let keywords = declaring(bench, field, "pattern", &["string"])?;
    let least = keywords
        .get("minLength")
        .and_then(Value::as_u64)
        .unwrap_or(1);
    let length = usize::try_from(least.clamp(1, 1000)).unwrap_or(1);
    let odd = ["probe", "!", "0", " ", "é", "\n"].map(|text| {
        let padded = text.chars().cycle().take(length.max(text.chars().count()));
        Value::from(padded.collect::<String>())
    });
    first_breaking(bench, field, &keywords, &["pattern"], odd.to_vec())
        .or_else(|| first_breaking(bench, field, &keywords, &["pattern"], vec![json!("")]))
}

/// A text that is not of the format.
pub(super) fn bad_format(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let keywords = declaring(bench, field, "format", &["string"])?;
    let text = no_text_of(keywords.get("format")?.as_str()?)?;
    first_breaking(bench, field, &keywords, &["format"], vec![json!(text)])
}

/// A text that is certainly not of the format; `None` for formats that we do
/// not know.
pub(super) fn no_text_of(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" | "date" | "time" | "duration" => "the day after tomorrow",
        "email" | "idn-email" => "no address",
        "hostname" | "idn-hostname" => "-no host-",
        "ipv4" | "ipv6" => "300.1.1",
        "uri" | "iri" | "url" => "no address at all",
        "uri-reference" | "iri-reference" => "\\\\no\\reference",
        "uri-template" => "/{unclosed",
        "json-pointer" => "no/pointer",
        "relative-json-pointer" => "up",
        "uuid" => "not-a-uuid",
        "regex" => "([",
        _ => return None,
    })
}

/// A list with one element of another kind.
pub(super) fn wrong_item(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let keywords = declaring(bench, field, "items", &["array"])
        .or_else(|| declaring(bench, field, "prefixItems", &["array"]))?;
    let (keyword, element) = first_element(&keywords)?;
    let root = bench.root.schema;
    let mut wrong = fields::declared_types(root, element)
        .map(|types| bend::wrong_types(&types))
        .unwrap_or_default();
    wrong.extend(fields::allowed_values(root, element).and_then(|all| bend::outside(&all)));
    let list = filled(bench, field, &keywords)?;
    let tries = wrong
        .into_iter()
        .map(|value| {
            let mut list = list.clone();
            list[0] = value;
            Value::Array(list)
        })
        .collect();
    first_breaking(bench, field, &keywords, &[keyword], tries)
}

/// A list that holds the same element twice.
pub(super) fn duplicate_items(bench: &Bench<'_>, field: &Field) -> Option<Value> {
    let keywords = declaring(bench, field, "uniqueItems", &["array"])?;
    let list = filled(bench, field, &keywords)?;
    let mut longer = list.clone();
    longer.push(list.first()?.clone());
    let mut same_length = list.clone();
    same_length.pop();
    same_length.push(list.first()?.clone());
    let tries = vec![Value::Array(longer), Value::Array(same_length)];
    first_breaking(bench, field, &keywords, &["uniqueItems"], tries)
}

/// The field's good list, or another one where that is empty.
fn filled(bench: &Bench<'_>, field: &Field, keywords: &Keywords) -> Option<Vec<Value>> {
    match bench.good(field)? {
        Value::Array(list) if !list.is_empty() => Some(list.clone()),
        _ => {
            let mut keywords = keywords.clone();
            keywords.insert("minItems".to_owned(), json!(1));
            let schema = Value::Object(keywords);
            match generate::property(&bench.root, &schema, &field.name, bench.seed)? {
                Value::Array(list) if !list.is_empty() => Some(list),
                _ => None,
            }
        }
    }
}

/// What the first element of a list has to fit, and the keyword that says so.
fn first_element(keywords: &Keywords) -> Option<(&'static str, &Value)> {
    if let Some(prefix) = keywords.get("prefixItems").and_then(Value::as_array) {
        return prefix.first().map(|first| ("prefixItems", first));
    }
    match keywords.get("items")? {
        Value::Array(prefix) => prefix.first().map(|first| ("items", first)),
        items => Some(("items", items)),
    }
}

/// The first way to fit the field that has the keyword and allows one of the
/// types.
fn declaring(bench: &Bench<'_>, field: &Field, keyword: &str, types: &[&str]) -> Option<Keywords> {
    flatten::variants(bench.root.schema, &field.schema)
        .into_iter()
        .find(|keywords| {
            let declared = keywords.get("type").map(type_names).unwrap_or_default();
            keywords.contains_key(keyword) && types.iter().any(|name| declared.contains(name))
        })
}

/// A value that breaks one bound and fits everything else: made for the schema
/// with that bound turned round.
fn opposite(
    bench: &Bench<'_>,
    field: &Field,
    keywords: &Keywords,
    broken: &str,
    (turned, bound): (&str, Value),
    type_name: &str,
) -> Option<Value> {
    let mut schema = keywords.clone();
    schema.shift_remove(broken);
    schema.insert(turned.to_owned(), bound);
    schema.insert("type".to_owned(), json!(type_name));
    let schema = Value::Object(schema);
    let value = generate::property(&bench.root, &schema, &field.name, bench.seed)?;
    first_breaking(bench, field, keywords, &[broken], vec![value])
}

/// The first value that fits the keywords without the broken ones, and that the
/// field's place refuses.
fn first_breaking(
    bench: &Bench<'_>,
    field: &Field,
    keywords: &Keywords,
    broken: &[&str],
    tries: Vec<Value>,
) -> Option<Value> {
    let mut relaxed = keywords.clone();
    for keyword in broken {
        relaxed.shift_remove(*keyword);
    }
    let relaxed = generate::part(&bench.root, &Value::Object(relaxed))?;
    tries.into_iter().find(|value| {
        relaxed.accepts(value) == Some(true)
            && field
                .with(&bench.valid, value.clone())
                .is_some_and(|bent| bench.refuses(&bent))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_no_format_are_refused_where_formats_are_asserted() {
        for format in [
            "date-time",
            "date",
            "time",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uri",
            "iri",
            "uri-reference",
            "iri-reference",
            "uri-template",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            let schema =
                json!({"$schema": "http://json-schema.org/draft-07/schema#", "format": format});
            let validator = crate::schema::compile::compile(&schema).expect("a schema");
            let text = no_text_of(format).expect("a known format");
            assert_eq!(validator.accepts(&json!(text)), Some(false), "{format}");
        }
    }
}
