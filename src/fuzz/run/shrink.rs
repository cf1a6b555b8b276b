//! Making a long or deep input smaller while it still ends the server, or hangs it.

use serde_json::value::RawValue;

use super::CutShort;
use super::row::params;
use super::session::Session;
use crate::client::Reply;
use crate::fuzz::plan::PlannedTool;
use crate::model::answer::Shrunk;
use crate::model::fuzz::{Case, CaseClass};

/// Calls that are spent on one case.
const MAX_TRIES: u32 = 12;

/// Calls that are spent on one that hangs.
const MAX_HANGS: u32 = 2;

/// Shorter texts and flatter nests are small enough to look at.
const SMALL_TEXT: usize = 32;
const SMALL_DEPTH: usize = 4;

impl Session<'_> {
    /// Smaller arguments that end the server as the case does; `None` where there
    /// are none. On return the server runs again.
    pub(super) async fn shrink(
        &mut self,
        tool: &PlannedTool,
        case: &Case,
    ) -> Result<Option<Shrunk>, CutShort> {
        let mut smallest = None;
        let mut tries = 0;
        if case.class == CaseClass::Edge {
            let mut text = case.arguments.get().to_owned();
            while tries < MAX_TRIES
                && let Some(smaller) = halve(&text)
                && let Ok(arguments) = RawValue::from_string(smaller.clone())
            {
                tries += 1;
                let seen = self.alone(&params(&tool.name, &arguments)).await?;
                if !matches!(seen.reply, Reply::Closed) {
                    break;
                }
                text = smaller;
                smallest = Some(arguments);
            }
        }
        // Also where the last try was answered: no row tells of that call.
        self.restart().await?;
        Ok(smallest.map(|arguments| Shrunk { arguments, tries }))
    }
}

impl Session<'_> {
    /// Smaller arguments that hang as those of the last row do, which then says so.
    /// Each try that hangs too costs the call's whole limit, so they are few and far
    /// apart. The server may hang on return.
    pub(super) async fn shrink_hang(
        &mut self,
        tool: &PlannedTool,
        case: &Case,
    ) -> Result<(), CutShort> {
        if case.class != CaseClass::Edge || self.work.is_shared() {
            return Ok(());
        }
        let mut text = case.arguments.get().to_owned();
        for tries in 1..=MAX_HANGS {
            let Some(smaller) = much_smaller(&text) else {
                return Ok(());
            };
            let Ok(arguments) = RawValue::from_string(smaller.clone()) else {
                return Ok(());
            };
            let seen = self.alone(&params(&tool.name, &arguments)).await?;
            if !matches!(seen.reply, Reply::Timeout) {
                return Ok(());
            }
            if let Some(row) = self.seen.rows.last_mut() {
                row.shrunk = Some(Shrunk { arguments, tries });
            }
            text = smaller;
        }
        Ok(())
    }
}

/// A sixteenth, about, of the arguments; `None` where they are small already.
fn much_smaller(text: &str) -> Option<String> {
    let mut smaller = halve(text)?;
    for _ in 1..4 {
        smaller = halve(&smaller).unwrap_or(smaller);
    }
    Some(smaller)
}

/// The arguments with their deepest nest or their longest text halved, whichever
/// is larger; `None` where both are small.
fn halve(text: &str) -> Option<String> {
    let nest = nest(text).filter(|nest| nest.times > SMALL_DEPTH);
    let long = longest_text(text).filter(|(start, end)| end - start > SMALL_TEXT);
    match (nest, long) {
        (Some(nest), Some((start, end))) if nest.times * nest.open.len() < end - start => {
            Some(halve_text(text, start, end))
        }
        (Some(nest), _) => halve_nest(text, &nest),
        (None, Some((start, end))) => Some(halve_text(text, start, end)),
        (None, None) => None,
    }
}

/// One opening, repeated.
#[derive(Debug, PartialEq, Eq)]
struct Nest {
    start: usize,
    open: String,
    times: usize,
}

/// The longest row of one opening, `[` or `{"key":`.
fn nest(text: &str) -> Option<Nest> {
    let mut best: Option<Nest> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find(['[', '{']) {
        let start = at + found;
        let Some(open) = opening(&text[start..]) else {
            at = start + 1;
            continue;
        };
        let mut times = 0;
        while text[start + times * open.len()..].starts_with(open) {
            times += 1;
        }
        at = start + times * open.len();
        if best.as_ref().is_none_or(|best| best.times < times) {
            best = Some(Nest {
                start,
                open: open.to_owned(),
                times,
            });
        }
    }
    best
}

fn opening(text: &str) -> Option<&str> {
    if text.starts_with('[') {
        return text.get(..1);
    }
    let key = text.strip_prefix("{\"")?;
    let end = key.find('"')?;
    let whole = text.get(..end + 4)?;
    whole.ends_with("\":").then_some(whole)
}

/// Half of the openings, and the closings that belong to the other half, which
/// stand together as well.
fn halve_nest(text: &str, nest: &Nest) -> Option<String> {
    let close = if nest.open.starts_with('[') { "]" } else { "}" };
    let gone = nest.times / 2;
    let inner = nest.start + nest.times * nest.open.len();
    let rest = text.get(inner..)?;
    let at = inner + end_of_inside(rest)?;
    // Something may stand beside the nest on its way down.
    if !text.get(at..)?.starts_with(&close.repeat(nest.times)) {
        return None;
    }
    Some(format!(
        "{}{}{}",
        &text[..nest.start + (nest.times - gone) * nest.open.len()],
        &text[inner..at],
        &text[at + gone..]
    ))
}

/// Where the bracket closes inside which a text begins.
fn end_of_inside(text: &str) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => open += 1,
            b']' | b'}' if !in_string => match open.checked_sub(1) {
                Some(left) => open = left,
                None => return Some(at),
            },
            _ => {}
        }
    }
    None
}

/// The longest string without escapes, between its quotes.
fn longest_text(text: &str) -> Option<(usize, usize)> {
    let (mut best, mut start): (Option<(usize, usize)>, Option<usize>) = (None, None);
    let (mut escaped, mut plain) = (false, true);
    for (at, byte) in text.bytes().enumerate() {
        match (start, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => (escaped, plain) = (true, false),
            (Some(from), b'"') => {
                if plain && best.is_none_or(|(start, end)| end - start < at - from) {
                    best = Some((from, at));
                }
                (start, plain) = (None, true);
            }
            (None, b'"') => start = Some(at + 1),
            _ => {}
        }
    }
    best
}

fn halve_text(text: &str, start: usize, end: usize) -> String {
    let middle = text.floor_char_boundary(start.midpoint(end));
    format!("{}{}", &text[..middle], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_and_nests_are_halved_until_they_are_small() {
        let long = format!(r#"{{"a":"b","text":"{}"}}"#, "x".repeat(100));
        assert_eq!(
            halve(&long),
            Some(format!(r#"{{"a":"b","text":"{}"}}"#, "x".repeat(50)))
        );
        let deep = format!(r#"{{"v":{}1{}}}"#, "[".repeat(9), "]".repeat(9));
        assert_eq!(
            halve(&deep),
            Some(format!(r#"{{"v":{}1{}}}"#, "[".repeat(5), "]".repeat(5)))
        );
        let objects = format!(r"{}null{}", r#"{"a":"#.repeat(10), "}".repeat(10));
        assert_eq!(
            halve(&objects),
            Some(format!(r"{}null{}", r#"{"a":"#.repeat(5), "}".repeat(5)))
        );
        assert_eq!(halve(r#"{"a":"small","b":[[1]]}"#), None);
        assert_eq!(halve(""), None);
    }

    proptest! {
        #[test]
        fn what_is_halved_is_shorter_and_still_json(
            texts in prop::collection::vec("[ -~äß\\\\\"]{0,80}", 0..4),
            depth in 0_usize..60,
        ) {
            let mut value = serde_json::json!(texts);
            for level in 0..depth {
                value = if level % 7 == 3 { serde_json::json!({"k": value}) } else { serde_json::json!([value]) };
            }
            let mut text = serde_json::json!({"a": value}).to_string();
            for _ in 0..40 {
                let Some(smaller) = halve(&text) else { break };
                prop_assert!(smaller.len() < text.len());
                prop_assert!(serde_json::from_str::<serde_json::Value>(&smaller).is_ok(), "{smaller}");
                text = smaller;
            }
        }
    }
}
