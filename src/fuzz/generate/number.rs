//! Numbers within bounds, on multiples, plausible for the property's name.

use serde_json::{Map, Number, Value};

/// Whether fractions are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberKind {
    /// `integer`.
    Whole,
    /// `number`.
    Any,
}

/// Numbers to try, the most plausible first. `salt` shifts them, so that the
/// members of a set differ.
pub(super) fn numbers(
    keywords: &Map<String, Value>,
    kind: NumberKind,
    words: &[String],
    salt: usize,
) -> Vec<Value> {
    let wanted = plausible(words);
    let mut found = whole(keywords, wanted, salt);
    if kind == NumberKind::Any {
        found.extend(fractions(keywords, wanted, salt));
    }
    found
}

/// A usual value for a number of this name.
fn plausible(words: &[String]) -> i64 {
    match words.last().map_or("", String::as_str) {
        "year" => 2024,
        "port" => 8080,
        "width" | "height" | "size" => 100,
        "limit" | "count" | "max" | "results" => 5,
        "timeout" if words.contains(&"ms".to_owned()) => 1000,
        _ => 1,
    }
}

/// Whole numbers, in 128 bits: bounds at the edges of 64 bits keep their sense.
fn whole(keywords: &Map<String, Value>, wanted: i64, salt: usize) -> Vec<Value> {
    let (low, high) = whole_bounds(keywords);
    let Some(step) = whole_step(keywords) else {
        return Vec::new();
    };
    let shift = i128::try_from(salt).unwrap_or(0) * step;
    let mut found = Vec::new();
    for start in [i128::from(wanted), low, 0, 1, high, -1] {
        let start = start.clamp(low, high.max(low));
        let up = start.div_euclid(step) * step + if start.rem_euclid(step) == 0 { 0 } else { step };
        for value in [up + shift, up - step - shift, up - shift] {
            if value >= low
                && value <= high
                && let Some(value) = as_number(value)
                && !found.contains(&value)
            {
                found.push(value);
            }
        }
    }
    found
}

fn as_number(value: i128) -> Option<Value> {
    i64::try_from(value)
        .map(Value::from)
        .or_else(|_| u64::try_from(value).map(Value::from))
        .ok()
}

fn whole_bounds(keywords: &Map<String, Value>) -> (i128, i128) {
    let (mut low, mut high) = (i128::from(i64::MIN), i128::from(u64::MAX));
    let strict = |keyword: &str| keywords.get(keyword) == Some(&Value::Bool(true));
    if let Some((bound, exact)) = keywords.get("minimum").and_then(ceiling) {
        low = low.max(bound + i128::from(exact && strict("exclusiveMinimum")));
    }
    if let Some((bound, exact)) = keywords.get("exclusiveMinimum").and_then(ceiling) {
        low = low.max(bound + i128::from(exact));
    }
    if let Some((bound, exact)) = keywords.get("maximum").and_then(floor) {
        high = high.min(bound - i128::from(exact && strict("exclusiveMaximum")));
    }
    if let Some((bound, exact)) = keywords.get("exclusiveMaximum").and_then(floor) {
        high = high.min(bound - i128::from(exact));
    }
    (low, high)
}

/// The next whole number upward, and whether the bound is that number itself.
fn ceiling(bound: &Value) -> Option<(i128, bool)> {
    exact(bound).map(|whole| (whole, true)).or_else(|| {
        let bound = bound.as_f64()?;
        Some((truncated(bound.ceil()), bound.fract() == 0.0))
    })
}

fn floor(bound: &Value) -> Option<(i128, bool)> {
    exact(bound).map(|whole| (whole, true)).or_else(|| {
        let bound = bound.as_f64()?;
        Some((truncated(bound.floor()), bound.fract() == 0.0))
    })
}

fn exact(bound: &Value) -> Option<i128> {
    bound
        .as_i64()
        .map(i128::from)
        .or_else(|| bound.as_u64().map(i128::from))
}

/// A whole double, kept far enough from the ends for sums.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is whole and clamped to far less than 128 bits"
)]
fn truncated(value: f64) -> i128 {
    value.clamp(-1e30, 1e30) as i128
}

/// The distance between allowed whole numbers; `None` when there are none.
fn whole_step(keywords: &Map<String, Value>) -> Option<i128> {
    let Some(multiple) = keywords.get("multipleOf") else {
        return Some(1);
    };
    if let Some(step) = exact(multiple) {
        return (step > 0).then_some(step);
    }
    let multiple = multiple.as_f64().filter(|m| m.is_finite() && *m > 0.0)?;
    // 2.5 reaches a whole number at 5, 0.01 at 1.
    (1..=1000_i32)
        .map(|times| f64::from(times) * multiple)
        .find(|sum| (sum - sum.round()).abs() < 1e-9 && *sum > 0.5)
        .map(|sum| truncated(sum.round()))
}

fn fractions(keywords: &Map<String, Value>, wanted: i64, salt: usize) -> Vec<Value> {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let low = [number("minimum"), number("exclusiveMinimum")]
        .into_iter()
        .flatten()
        .fold(f64::NEG_INFINITY, f64::max);
    let high = [number("maximum"), number("exclusiveMaximum")]
        .into_iter()
        .flatten()
        .fold(f64::INFINITY, f64::min);
    let shift = salt as f64;
    let mut tries = Vec::new();
    if let Some(multiple) = number("multipleOf").filter(|m| *m > 0.0) {
        let from = if low.is_finite() { low } else { wanted as f64 };
        let first = (from / multiple).ceil() + shift;
        tries.extend([0.0, 1.0, -1.0].map(|more| rounded((first + more) * multiple)));
    }
    let middle = f64::midpoint(low, high);
    // In a narrow room the shift must be narrow too.
    let inside = if middle.is_finite() {
        low + (high - low) * (1.0 / (shift + 2.0))
    } else {
        middle
    };
    tries.extend([inside, low + shift + 0.5, high - shift - 0.5, low, high]);
    tries
        .into_iter()
        .filter(|value| *value >= low && *value <= high)
        .filter_map(|value| Number::from_f64(value).map(Value::Number))
        .collect()
}

/// Without the last binary crumbs: 0.30000000000000004 is 0.3.
fn rounded(value: f64) -> f64 {
    format!("{value:.10}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first(schema: &Value, kind: NumberKind) -> Option<Value> {
        let validator = crate::schema::compile::compile(schema).expect("a schema");
        numbers(schema.as_object()?, kind, &[], 0)
            .into_iter()
            .find(|value| validator.accepts(value) == Some(true))
    }

    #[test]
    fn bounds_and_multiples_are_kept() {
        for (schema, value) in [
            (json!({}), json!(1)),
            (json!({"minimum": 10}), json!(10)),
            (json!({"exclusiveMinimum": 10}), json!(11)),
            (json!({"exclusiveMinimum": 10.5}), json!(11)),
            (json!({"maximum": -5, "multipleOf": 4}), json!(-8)),
            (json!({"minimum": 7, "multipleOf": 2.5}), json!(10)),
            (json!({"minimum": u64::MAX}), json!(u64::MAX)),
            (json!({"minimum": i64::MAX}), json!(i64::MAX)),
            (json!({"maximum": i64::MIN}), json!(i64::MIN)),
        ] {
            assert_eq!(first(&schema, NumberKind::Whole), Some(value), "{schema}");
        }
        let narrow = json!({"exclusiveMinimum": 0.1, "exclusiveMaximum": 0.2});
        assert_eq!(first(&narrow, NumberKind::Whole), None);
        assert!(first(&narrow, NumberKind::Any).is_some());
        let cents = json!({"minimum": 0.291, "maximum": 0.305, "multipleOf": 0.01});
        assert_eq!(first(&cents, NumberKind::Any), Some(json!(0.3)));
    }
}
