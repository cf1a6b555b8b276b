//! Whether a refusal is about a rule that the schema does not have.
//!
//! Careful rather than complete: a refusal of an id, a path or a date that is not
//! there is right, whatever the schema says.

use crate::fuzz::cases::labels;
use crate::fuzz::helpful::names_field;
use crate::model::fuzz::Case;
use crate::protocol::json;

/// Words that speak of a name that nobody asked for.
const UNKNOWN: [&str; 8] = [
    "additional propert",
    "extra input",
    "extra field",
    "not allowed",
    "unexpected",
    "unknown",
    "unrecognised",
    "unrecognized",
];

/// Words that open a bound; a number must follow.
const BOUNDS: [&str; 20] = [
    "at least",
    "at most",
    "between",
    "cannot exceed",
    "exceeds",
    "fewer than",
    "greater than",
    "larger than",
    "less than",
    "longer than",
    "max",
    "min",
    "more than",
    "must be",
    "must not exceed",
    "out of range",
    "too large",
    "too long",
    "too many",
    "up to",
];

/// Words of refusals that have another reason.
const OTHER_REASONS: [&str; 9] = [
    "quota",
    "rate limit",
    "retry",
    "timeout",
    "timed out",
    "per minute",
    "per second",
    "per hour",
    "try again",
];

/// The largest bound that says something about a tool. Larger ones are the limits
/// of a type, and a number beyond them is rightly refused.
const MAX_BOUND: u64 = 1_000_000_000;

/// Characters after the words within which the number must stand.
const REACH: usize = 40;

/// Whether a refusal is about a key that the case added.
pub(super) fn is_about_extra_key(text: &str, case: &Case) -> bool {
    let lower = text.to_lowercase();
    let speaks = UNKNOWN.iter().any(|word| lower.contains(word));
    let given = case
        .label
        .strip_prefix(labels::NEAR_MISS)
        .and_then(|names| names.split_once("->"))
        .map(|(given, _)| given.to_lowercase());
    match given {
        Some(given) => speaks && lower.contains(&given),
        None => speaks || added_key(case).is_some_and(|key| lower.contains(&key)),
    }
}

/// The key of ours in the arguments, in lower case.
fn added_key(case: &Case) -> Option<String> {
    let members = json::members(case.arguments.get())?;
    let mut keys = members.into_iter().map(|(key, _)| key.to_lowercase());
    keys.find(|key| key.starts_with("__mcprobe_"))
}

/// Words that ask for what was left out.
const MISSING: [&str; 12] = [
    "absent",
    "at least one",
    "either",
    "is needed",
    "missing",
    "must be given",
    "must be provided",
    "must be set",
    "must have",
    "must provide",
    "required",
    "specify",
];

/// Words that speak of arguments that do not go together.
const APART: [&str; 12] = [
    "at the same time",
    "both",
    "cannot be combined",
    "conflict",
    "either",
    "exclude each other",
    "exclusive",
    "incompatible",
    "not be combined",
    "only one of",
    "simultaneously",
    "together",
];

/// Whether a refusal asks for one of the arguments that were left out.
pub(super) fn is_about_left_out(text: &str, left_out: &[String]) -> bool {
    let lower = text.to_lowercase();
    MISSING.iter().any(|words| lower.contains(words))
        && left_out.iter().any(|name| names_field(text, name))
}

/// Whether a refusal says that arguments do not go together: it names two of those
/// given and says so.
pub(super) fn is_about_pair(text: &str, given: &[String]) -> bool {
    let lower = text.to_lowercase();
    APART.iter().any(|words| lower.contains(words))
        && given.iter().filter(|name| names_field(text, name)).count() >= 2
}

/// Whether a refusal names a bound.
pub(super) fn is_about_bound(text: &str) -> bool {
    let lower = text.to_lowercase();
    if OTHER_REASONS.iter().any(|reason| lower.contains(reason)) {
        return false;
    }
    BOUNDS.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let rest = &lower[at + word.len()..];
            if !stands_alone(&lower[..at], rest) {
                return false;
            }
            let near: String = rest.chars().take(REACH).collect();
            if *word == "must be" {
                return begins_with_number(&near) && first_number(&near).is_some();
            }
            first_number(&near).is_some()
        })
    })
}

/// Whether a word begins here and ends here; `min` also stands for `minimum`.
fn stands_alone(before: &str, rest: &str) -> bool {
    let begins = !before.ends_with(char::is_alphanumeric);
    begins && (rest.starts_with("imum") || !rest.starts_with(char::is_alphabetic))
}

fn begins_with_number(text: &str) -> bool {
    text.trim_start_matches([' ', '<', '>', '=', '≤', '≥'])
        .starts_with(|char: char| char.is_ascii_digit())
}

/// The first number that stands alone and is small enough to be a bound.
fn first_number(text: &str) -> Option<u64> {
    text.split(|char: char| !(char.is_alphanumeric() || matches!(char, '.' | '_' | '-')))
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
        .find_map(|word| word.parse().ok())
        .filter(|number| *number <= MAX_BOUND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fuzz::CaseClass;
    use serde_json::value::RawValue;

    fn case(label: &str, arguments: &str) -> Case {
        Case {
            label: label.to_owned(),
            class: CaseClass::ExtraKey,
            arguments: RawValue::from_string(arguments.to_owned()).expect("JSON"),
        }
    }

    #[test]
    fn bounds_are_told_from_other_reasons() {
        for text in [
            "page must be 1 to 100",
            "page must be between 1 and 100",
            "limit: at most 50 entries",
            "String must contain at most 1000 character(s)",
            "text is too long (max 4096)",
            "Input should be less than or equal to 100",
        ] {
            assert!(is_about_bound(text), "{text}");
        }
        for text in [
            "no project with id 7",
            "rate limit exceeded: at most 60 calls per minute",
            "must be a valid UUID v4",
            "must be an integer",
            "the number must be less than 9223372036854775807",
            "file /a/b is unknown",
            "the admin 5 is unknown",
            "it took 3 minutes, 20 of 30",
            "too long",
            "HTTP 404",
            "",
        ] {
            assert!(!is_about_bound(text), "{text}");
        }
    }

    #[test]
    fn arguments_that_need_or_exclude_each_other_are_told_by_name() {
        let names = ["rate", "member"].map(str::to_owned);
        for text in [
            "arguments must have the field 'rate' (type number), which is missing.",
            "rate is required",
            "specify either rate or member",
        ] {
            assert!(is_about_left_out(text, &names), "{text}");
        }
        for text in [
            "the account is required",
            "rated as missing",
            "rate limit",
            "",
        ] {
            assert!(!is_about_left_out(text, &names), "{text}");
        }
        for text in [
            "'rate' and 'member' cannot be given together.",
            "Cannot specify both rate and member",
            "member and rate are mutually exclusive",
        ] {
            assert!(is_about_pair(text, &names), "{text}");
        }
        for text in [
            "no member has the rate probe",
            "both are unknown",
            "rate cannot be used together with days",
            "",
        ] {
            assert!(!is_about_pair(text, &names), "{text}");
        }
    }

    #[test]
    fn a_key_is_refused_by_its_name_or_as_unknown() {
        let garbage = case("extra_garbage", r#"{"a": 1, "__mcprobe_garbage__": true}"#);
        for text in [
            "unknown argument: x",
            "Additional properties are not allowed",
            "bad __mcprobe_garbage__",
        ] {
            assert!(is_about_extra_key(text, &garbage), "{text}");
        }
        assert!(!is_about_extra_key("no such project", &garbage));
        let near = case("near_miss:depth->maxDepth", r#"{"depth": 1}"#);
        assert!(is_about_extra_key("unknown key depth", &near));
        assert!(!is_about_extra_key("unknown host", &near));
    }
}
