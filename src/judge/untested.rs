//! What a run says nothing about, and what would test it.
//!
//! Present on every report: also a perfect run has an edge.

use std::collections::{BTreeMap, BTreeSet};

use crate::fuzz::denial::Denials;
use crate::model::evidence::{CutShort, Evidence};
use crate::model::fuzz::{Case, FuzzRow, FuzzRun, Outcome};
use crate::model::inventory::{ListEnd, Listing};
use crate::model::report::{Coverage, Dimension, Scores, Skipped, Untested};
use crate::model::target::TransportKind;
use crate::protocol::json;
use crate::render::escape::is_unseen;
use crate::score::{self, Reach};
use crate::wording::{count, cut, names};

/// The revision from which on requests stand alone, without a handshake.
const MODERN: &str = "2026-07-28";

/// The most names in one entry.
const NAMES: usize = 6;

/// The longest arguments that are offered for pasting, in bytes.
const PASTED_BYTES: usize = 300;

pub(super) fn of(
    evidence: &Evidence,
    scores: &Scores,
    coverage: &Coverage,
    fuzz_asked: bool,
) -> Vec<Untested> {
    let mut all = Vec::new();
    if Reach::of(evidence) == Reach::NotListed {
        all.push(entry(
            "tools",
            "They could not be listed, so nothing about them was judged; mend the cause and run again.",
        ));
    }
    all.extend(cut_short(evidence));
    all.extend(rest_of_list(&evidence.inventory.tools));
    match &evidence.fuzz {
        Some(run) => {
            all.extend(skipped(coverage));
            all.extend(abandoned(run));
            all.extend(denied(run));
            all.extend(inconclusive(run));
            all.extend(without_valid_call(run));
            all.extend(unwatched(run));
        }
        None => all.extend(no_calls(evidence, fuzz_asked)),
    }
    if evidence
        .fuzz
        .as_ref()
        .is_some_and(|run| !run.rows.is_empty())
    {
        all.extend(unmeasured(scores));
    }
    all.extend(other_lists(evidence));
    all.extend(era(evidence));
    all.push(entry(
        "rules of the families safety, text and compat",
        "This version does not judge by them yet; read what the tools may do and what their texts say yourself.",
    ));
    all
}

fn entry(what: impl Into<String>, because: impl Into<String>) -> Untested {
    Untested {
        what: what.into(),
        because: because.into(),
        paste: None,
    }
}

impl Untested {
    fn pasting(self, lines: String) -> Self {
        Self {
            paste: Some(lines),
            ..self
        }
    }
}

fn cut_short(evidence: &Evidence) -> Option<Untested> {
    let because = match evidence.cut_short? {
        CutShort::Deadline => "The run reached its time limit; a longer limit would test it.",
        CutShort::Budget => {
            "The time given to calls was used up; a larger `--budget` would test it."
        }
        CutShort::Cancelled(_) => "The run was cancelled; run it again to test it.",
        CutShort::NoRestart => {
            "The server could not be started again after a crash; mend the crash and run again."
        }
    };
    Some(entry("everything after the run was cut short", because))
}

fn unwatched(run: &FuzzRun) -> impl Iterator<Item = Untested> + '_ {
    run.follow_up.unwatched.iter().map(|why| {
        entry(
            "some files of the watched folders",
            format!("{why}. Watch a smaller folder to see them."),
        )
    })
}

fn rest_of_list(tools: &Listing) -> Option<Untested> {
    let why = match &tools.end {
        ListEnd::RepeatedCursor { .. } => "the server gave the same cursor twice".to_owned(),
        ListEnd::RepeatedPage => "the server gave the same entries again and again".to_owned(),
        // Without one page there is no rest; that nothing was listed is said elsewhere.
        ListEnd::Bounded { .. } if tools.pages == 0 => return None,
        ListEnd::Bounded { reason } => reason.clone(),
        ListEnd::NotAsked | ListEnd::Complete | ListEnd::Failed { .. } => return None,
    };
    Some(entry(
        format!("tools after the first {}", tools.entries.len()),
        format!(
            "Reading the list ended early: {}.",
            why.trim_end_matches('.')
        ),
    ))
}

fn no_calls(evidence: &Evidence, fuzz_asked: bool) -> Option<Untested> {
    if !matches!(Reach::of(evidence), Reach::Listed(_)) {
        return None;
    }
    let because = match (evidence.target.transport, fuzz_asked) {
        (TransportKind::Capture, _) => {
            "A saved list cannot be called; audit the live server with `--fuzz`."
        }
        (_, true) => "Calls were asked for, but the run did not come to them.",
        (_, false) => "No calls were asked for; `--fuzz` calls the tools that are known to read.",
    };
    Some(entry("how the tools behave when called", because))
}

/// Skipped tools, an entry a reason, in the order of the list.
fn skipped(coverage: &Coverage) -> Vec<Untested> {
    let mut order: Vec<&str> = Vec::new();
    let mut groups: BTreeMap<&str, Vec<&Skipped>> = BTreeMap::new();
    for tool in &coverage.skipped {
        let group = groups.entry(&tool.because).or_default();
        if group.is_empty() {
            order.push(&tool.because);
        }
        group.push(tool);
    }
    order
        .into_iter()
        .filter_map(|because| groups.get(because))
        .filter_map(|tools| skipped_alike(tools))
        .collect()
}

/// Tools that were skipped for one reason. What would include a tool is a way
/// in words, and perhaps lines for `mcprobe.toml` after it.
fn skipped_alike(tools: &[&Skipped]) -> Option<Untested> {
    let first = tools.first()?;
    let way = first.include_with.lines().next().unwrap_or_default();
    let lines: Vec<&str> = tools
        .iter()
        .take(NAMES)
        .filter_map(|tool| tool.include_with.split_once('\n'))
        .map(|(_, lines)| lines)
        .collect();
    let untested = entry(
        format!(
            "{}, not called: {}",
            count(tools.len(), "tool"),
            names(tools.iter().map(|tool| tool.tool.as_str()), NAMES)
        ),
        format!("{} Included by: {way}", sentence(&first.because)),
    );
    Some(if lines.is_empty() {
        untested
    } else {
        untested.pasting(lines.join("\n"))
    })
}

fn abandoned(run: &FuzzRun) -> impl Iterator<Item = Untested> {
    run.abandoned.iter().map(|given_up| {
        entry(
            format!(
                "{} of `{}`",
                count(given_up.cases_left, "more case"),
                cut(&given_up.tool, 64)
            ),
            sentence(&given_up.because),
        )
    })
}

/// Listed tools that calls were told not to exist.
fn denied(run: &FuzzRun) -> Option<Untested> {
    let denials = Denials::of(Some(run));
    let denied: Vec<&FuzzRow> = run.rows.iter().filter(|row| denials.denies(row)).collect();
    if denied.is_empty() {
        return None;
    }
    let tools = names(denied.iter().map(|row| row.tool.as_str()), NAMES);
    Some(entry(
        format!("{} of {tools}", count(denied.len(), "call")),
        "The server answered as if there were no such tool, which tests no arguments; list a tool as long as it can be called.",
    ))
}

/// Tools whose generated valid call was refused, each with lines to paste.
fn inconclusive(run: &FuzzRun) -> Vec<Untested> {
    let mut seen = BTreeSet::new();
    score::needing_example(run)
        .filter(|row| seen.insert(row.tool_index))
        .map(|row| {
            entry(
                format!("whether `{}` works", cut(&row.tool, 64)),
                format!(
                    "It refused generated arguments that fit its schema (“{}”). Example arguments in mcprobe.toml{} would settle it:",
                    cut(row.error_text.as_deref().unwrap_or_default().trim(), 100),
                    real_values(&row.case),
                ),
            )
            .pasting(lines_to_paste(row))
        })
        .collect()
}

/// Which of the generated values may name nothing real.
fn real_values(case: &Case) -> String {
    let members = json::members(case.arguments.get()).unwrap_or_default();
    if members.is_empty() {
        return String::new();
    }
    let properties = names(members.iter().map(|(name, _)| name.as_str()), NAMES);
    format!(", with what is real for {properties},")
}

fn without_valid_call(run: &FuzzRun) -> Option<Untested> {
    let with_valid: BTreeSet<usize> = run
        .rows
        .iter()
        .filter(|row| row.case.class.is_valid())
        .map(|row| row.tool_index)
        .collect();
    let without: Vec<&FuzzRow> = run
        .rows
        .iter()
        .filter(|row| !with_valid.contains(&row.tool_index))
        .collect();
    let first = without.first()?;
    let what = format!(
        "whether {} work with valid arguments",
        names(without.iter().map(|row| row.tool.as_str()), NAMES)
    );
    let because = "No valid call was made. Example arguments in mcprobe.toml would make one:";
    Some(entry(what, because).pasting(lines_to_paste(first)))
}

/// The dimensions that the calls made do not measure.
fn unmeasured(scores: &Scores) -> Vec<Untested> {
    scores
        .contract
        .dimensions
        .iter()
        .filter(|dimension| dimension.score.is_none())
        .filter_map(|dimension| {
            let what = match dimension.dimension {
                Dimension::ErrorHandling => "how bad input is refused",
                Dimension::Liveness => "whether good calls work",
                Dimension::Metadata | Dimension::SchemaQuality => return None,
            };
            Some(entry(what, dimension.reasons.join(" ")))
        })
        .collect()
}

fn other_lists(evidence: &Evidence) -> Option<Untested> {
    let inventory = &evidence.inventory;
    let parts: Vec<String> = [
        (&inventory.prompts, "prompt"),
        (&inventory.resources, "resource"),
        (&inventory.resource_templates, "resource template"),
    ]
    .into_iter()
    .filter(|(listing, _)| !listing.entries.is_empty())
    .map(|(listing, noun)| count(listing.entries.len(), noun))
    .collect();
    if parts.is_empty() {
        return None;
    }
    Some(entry(
        parts.join(", "),
        "They are counted, but neither judged nor called; no setting of this version does that.",
    ))
}

fn era(evidence: &Evidence) -> Option<Untested> {
    let spoken = evidence.inventory.protocol_version.as_deref()?;
    if spoken >= MODERN {
        return None;
    }
    Some(entry(
        format!("revision {MODERN} of the protocol"),
        format!(
            "This run spoke {}; no setting of this version speaks the newer one.",
            cut(spoken, 32)
        ),
    ))
}

/// A text as a sentence: a capital at its start, a full stop at its end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let stop = if text.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{}{}{stop}", first.to_uppercase(), letters.as_str())
}

/// Lines for `mcprobe.toml` that start from the arguments just tried.
fn lines_to_paste(row: &FuzzRow) -> String {
    format!(
        "[tools.{}]\narguments = {}",
        toml_text(&cut(&row.tool, 128)),
        toml_arguments(&row.case, row.outcome)
    )
}

fn toml_arguments(case: &Case, outcome: Outcome) -> String {
    const EMPTY: &str = "{}";
    if !case.class.is_valid() || !outcome.is_refusal() {
        return EMPTY.to_owned();
    }
    let mut text = String::new();
    toml_value(&json::read(case.arguments.get()).value, &mut text);
    if text.len() > PASTED_BYTES || !text.starts_with('{') {
        return EMPTY.to_owned();
    }
    text
}

/// A JSON value as an inline TOML value. TOML has no null: such members are
/// left out. Depth is bounded by the reader of the value.
fn toml_value(value: &serde_json::Value, into: &mut String) {
    use serde_json::Value;
    match value {
        Value::Null => into.push_str("\"\""),
        Value::Bool(flag) => into.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => into.push_str(&number.to_string()),
        Value::String(text) => into.push_str(&toml_text(text)),
        Value::Array(items) => {
            into.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    into.push_str(", ");
                }
                toml_value(item, into);
            }
            into.push(']');
        }
        Value::Object(members) => {
            into.push('{');
            let kept = members.iter().filter(|(_, member)| !member.is_null());
            for (place, (key, member)) in kept.enumerate() {
                into.push_str(if place > 0 { ", " } else { " " });
                into.push_str(&toml_key(key));
                into.push_str(" = ");
                toml_value(member, into);
            }
            into.push_str(if members.is_empty() { "}" } else { " }" });
        }
    }
}

fn toml_key(key: &str) -> String {
    let bare = !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { key.to_owned() } else { toml_text(key) }
}

/// A TOML basic string on one line.
fn toml_text(text: &str) -> String {
    use std::fmt::Write as _;
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if is_unseen(letter) => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    // Pasted text is also shown, where this would command a workflow runner.
    quoted.replace("##[", "##\\u005B")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pasted_arguments_are_toml() {
        let value = json!({"a b": "x\"\n\u{7f}\u{202e}##[", "n": [1, 2.5, true, null], "o": {"k": null}, "e": {}});
        let mut text = String::new();
        toml_value(&value, &mut text);
        let read: toml::Table = format!("v = {text}").parse().expect("TOML");
        let back = serde_json::to_value(&read["v"]).expect("JSON");
        assert_eq!(
            back,
            json!({"a b": "x\"\n\u{7f}\u{202e}##[", "n": [1, 2.5, true, ""], "o": {}, "e": {}})
        );
    }

    #[test]
    fn sentences_begin_large_and_end_with_a_stop() {
        assert_eq!(sentence(" it hangs "), "It hangs.");
        assert_eq!(sentence("Why?"), "Why?");
        assert_eq!(sentence(""), "");
    }
}
