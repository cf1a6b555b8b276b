//! Regular expressions of schemas.
//!
//! JSON Schema takes ECMA 262 patterns. Whether one is legal is decided by an
//! ECMA engine; whether a text matches is decided by a bounded engine, which
//! refuses some legal patterns and gives up on catastrophic ones. Both cases
//! answer "unknown".

use jsonschema::{PatternOptions, error::ValidationErrorKind};
use serde_json::{Value, json};

/// Longer patterns are not compiled.
const MAX_PATTERN_BYTES: usize = 4096;
/// More groups inside groups are not compiled: parsers recurse.
const MAX_GROUP_DEPTH: usize = 60;
/// Steps of the matching engine before it gives up on one text.
const MAX_BACKTRACKS: usize = 100_000;
/// The largest program that a pattern may become.
const MAX_PROGRAM_BYTES: usize = 2 << 20;

/// Why a pattern is no legal ECMA pattern; `None` when it is legal, or too
/// large to be compiled.
pub(super) fn illegal(pattern: &str) -> Option<String> {
    if !is_bounded(pattern) {
        return None;
    }
    let plain = regress::Flags {
        no_opt: true,
        ..regress::Flags::default()
    };
    let unicode = regress::Flags {
        unicode: true,
        ..plain
    };
    let error = regress::Regex::with_flags(pattern, plain).err()?;
    regress::Regex::with_flags(pattern, unicode).err()?;
    Some(error.text)
}

fn is_bounded(pattern: &str) -> bool {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    for byte in pattern.bytes() {
        match byte {
            b'(' | b'[' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b')' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    pattern.len() <= MAX_PATTERN_BYTES && deepest <= MAX_GROUP_DEPTH
}

/// Whether a text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    Unknown,
}

/// A pattern that texts can be tried against.
pub(super) struct Pattern {
    engine: Option<jsonschema::Validator>,
}

impl Pattern {
    /// Takes any pattern; one that cannot be compiled here matches `Unknown`.
    pub(super) fn new(pattern: &str) -> Self {
        if !is_bounded(pattern) {
            return Self { engine: None };
        }
        let options = jsonschema::draft202012::options().with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(MAX_BACKTRACKS)
                .size_limit(MAX_PROGRAM_BYTES),
        );
        Self {
            engine: options.build(&json!({ "pattern": pattern })).ok(),
        }
    }

    /// Whether a pattern can be tried in linear time, so that it never gives up.
    pub(super) fn is_linear(pattern: &str) -> bool {
        is_bounded(pattern)
            && jsonschema::draft202012::options()
                .with_pattern_options(PatternOptions::regex().size_limit(MAX_PROGRAM_BYTES))
                .build(&json!({ "pattern": pattern }))
                .is_ok()
    }

    pub(super) fn matches(&self, text: &Value) -> Match {
        let Some(engine) = &self.engine else {
            return Match::Unknown;
        };
        if engine.is_valid(text) {
            return Match::Yes;
        }
        match engine.validate(text).map_err(|error| match error.kind() {
            ValidationErrorKind::Pattern { .. } => Match::No,
            _ => Match::Unknown,
        }) {
            Ok(()) => Match::Yes,
            Err(answer) => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_with_or_without_the_unicode_flag() {
        for legal in [
            r"^(?!tmp_)[a-z_]{1,40}$",
            r"^[^\p{Cc}\p{Zl}]{1,80}$",
            r"^([a-z])\1$",
            r"[\w-.]",
            r"\k<name>",
            r"\-",
            "a{1000000}",
            "(a{1000}){1000}",
            "",
        ] {
            assert_eq!(illegal(legal), None, "{legal}");
        }
        for bad in ["^(abc", "[z-a]", "*", "a{2,1}", r"\"] {
            assert!(illegal(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn matching_knows_what_it_does_not_know() {
        let matches = |pattern: &str, text: &str| Pattern::new(pattern).matches(&json!(text));
        assert_eq!(matches("^a+$", "aaa"), Match::Yes);
        assert_eq!(matches("^a+$", "b"), Match::No);
        assert_eq!(matches(r"^(?!x)", "x"), Match::No);
        assert_eq!(matches("a{1000000}", "a"), Match::Unknown);
        let heavy = r"^(?=x|a)(([a-z])+.)+\2[A-Z]([a-z])+$";
        assert_eq!(matches(heavy, &"a".repeat(60)), Match::Unknown);
    }

    #[test]
    fn hostile_patterns_end_quickly() {
        for hostile in ["(".repeat(100_000), "(?:a|b)*".repeat(100_000)] {
            assert_eq!(illegal(&hostile), None);
            assert!(!Pattern::is_linear(&hostile));
            assert_eq!(Pattern::new(&hostile).matches(&json!("a")), Match::Unknown);
        }
    }
}
