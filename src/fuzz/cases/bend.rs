//! Values that break a declaration, chosen so that no usual conversion mends
//! them, and a few that conversions do mend.

use serde_json::{Value, json};

/// Values of a type that is not among the declared ones, the least convertible
/// first. A text is given for everything but texts: validators that convert
/// take neither "not a number" for a number nor an object for a text.
pub(super) fn wrong_types(declared: &[String]) -> Vec<Value> {
    let allows = |name: &str| declared.iter().any(|known| known == name);
    let first = declared.iter().find(|name| *name != "null");
    let noun = match first.map_or("null", String::as_str) {
        "integer" | "number" => "a number",
        "boolean" => "a boolean",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    };
    let mut values = Vec::new();
    if !allows("string") {
        values.push(Value::from(format!("not {noun}")));
    }
    if !allows("object") {
        values.push(json!({"__mcprobe_wrong_type__": true}));
    }
    if !allows("array") {
        values.push(json!([{"__mcprobe_wrong_type__": true}]));
    }
    if !allows("number") {
        values.push(json!(1.5));
    }
    if !allows("boolean") {
        values.push(json!(true));
    }
    values
}

/// A value of the kind of the listed ones that is not among them.
pub(super) fn outside(allowed: &[Value]) -> Option<Value> {
    let of = |is: fn(&Value) -> bool| allowed.iter().all(|value| is(value) || value.is_null());
    let all_null = allowed.iter().all(Value::is_null);
    let tries = if all_null {
        vec![json!("__mcprobe_out_of_enum__")]
    } else if of(Value::is_number) {
        vec![json!(999_999), json!(999_998), json!(-999_999)]
    } else if of(Value::is_boolean) {
        vec![json!(true), json!(false)]
    } else {
        vec![
            json!("__mcprobe_out_of_enum__"),
            json!("__mcprobe_out_of_enum_2__"),
        ]
    };
    tries.into_iter().find(|value| !allowed.contains(value))
}

/// A conversion that many servers make and nobody is harmed by.
#[derive(Debug, Clone, Copy)]
pub(super) enum Coercion {
    /// "5" for 5.
    NumberAsText,
    /// "true" for true.
    BooleanAsText,
    /// 5 for "5".
    TextAsNumber,
    /// true for 1.
    TrueForOne,
    /// false for 0.
    FalseForZero,
}

/// What the server would convert to, and what is sent; `None` where this
/// conversion has no place.
pub(super) fn coerce(coercion: Coercion, types: &[String], good: &Value) -> Option<(Value, Value)> {
    let only = |names: &[&str]| {
        types
            .iter()
            .all(|known| known == "null" || names.contains(&known.as_str()))
    };
    match (coercion, good) {
        (Coercion::NumberAsText, Value::Number(number)) if only(&["integer", "number"]) => {
            Some((good.clone(), Value::from(number.to_string())))
        }
        (Coercion::BooleanAsText, Value::Bool(truth)) if only(&["boolean"]) => {
            Some((good.clone(), Value::from(truth.to_string())))
        }
        (Coercion::TextAsNumber, Value::String(_)) if only(&["string"]) => {
            Some((json!("5"), json!(5)))
        }
        (Coercion::TrueForOne, Value::Number(_)) if only(&["integer", "number"]) => {
            Some((json!(1), json!(true)))
        }
        (Coercion::FalseForZero, Value::Number(_)) if only(&["integer", "number"]) => {
            Some((json!(0), json!(false)))
        }
        _ => None,
    }
}
