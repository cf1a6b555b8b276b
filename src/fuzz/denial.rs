//! Refusals that say that the tool is not there.
//!
//! A listed tool that is refused so was not asked anything, so the refusal shows no
//! care for its arguments. It is told by the server's own answer to a name that no
//! tool has, or by the usual words with the codes of JSON-RPC for it. Careful rather
//! than complete: a tool may search among tools.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::model::answer::UnknownTool;
use crate::model::fuzz::{FuzzRow, FuzzRun, Outcome};
use crate::protocol::jsonrpc::{INVALID_PARAMS, METHOD_NOT_FOUND};

/// Characters of the longest text that is looked at.
const LONGEST: usize = 400;

/// Stands for the name of the tool.
const NAME: &str = "\u{0}";

/// Words that say that a tool is not there, in a text that has its name.
const ABSENT: [&str; 15] = [
    "cannot find",
    "could not find",
    "invalid tool",
    "no such",
    "no tool",
    "not a known",
    "not a valid tool",
    "not exist",
    "not found",
    "not registered",
    "unknown function",
    "unknown method",
    "unknown name",
    "unknown tool",
    "unknown \u{0}",
];

/// The usual texts without the name, whole.
const NAMELESS: [&str; 6] = [
    "no such tool",
    "tool does not exist",
    "tool is unknown",
    "tool not found",
    "unknown tool",
    "unknown tool name",
];

/// The usual texts with the name, anywhere in a text.
const NAMING: [&str; 11] = [
    "no such tool \u{0}",
    "no tool named \u{0}",
    "no tool \u{0}",
    "no tool with name \u{0}",
    "no tool with the name \u{0}",
    "tool \u{0} does not exist",
    "tool \u{0} is unknown",
    "tool \u{0} not found",
    "tool \u{0} was not found",
    "tool not found \u{0}",
    "unknown tool \u{0}",
];

/// What a run knows of such refusals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Denials<'a> {
    /// How the server refuses a name that no tool has.
    of_no_tool: Option<&'a UnknownTool>,
}

impl<'a> Denials<'a> {
    /// Those of a run; without one there are only the usual words.
    pub fn of(run: Option<&'a FuzzRun>) -> Self {
        let probe = run.and_then(|run| run.follow_up.unknown_tool.as_ref());
        Self {
            of_no_tool: probe.filter(|probe| probe.outcome.is_refusal()),
        }
    }

    /// Whether the call is refused because the tool is not there.
    pub fn denies(self, row: &FuzzRow) -> bool {
        if !row.outcome.is_refusal() {
            return false;
        }
        let Some(text) = row.error_text.as_deref().filter(|text| is_short(text)) else {
            return false;
        };
        self.is_as_for_no_tool(row, text) || is_usual(row, text)
    }

    /// Whether the server says the same of a name that no tool has. It may refuse
    /// everything in the same words, so they have to say that something is not there.
    fn is_as_for_no_tool(self, row: &FuzzRow, text: &str) -> bool {
        let Some(probe) = self.of_no_tool else {
            return false;
        };
        let said = probe.error_text.as_deref().filter(|said| is_short(said));
        let Some(said) = said.map(|said| plain(said, &probe.name)) else {
            return false;
        };
        let own = plain(text, &row.tool);
        let words: &[&str] = if own.contains(NAME) {
            &ABSENT
        } else {
            &NAMELESS
        };
        own == said
            && (row.outcome, row.error_code) == (probe.outcome, probe.error_code)
            && words.iter().any(|words| speaks(&own, words))
    }
}

/// Whether a protocol error says so in the usual words.
fn is_usual(row: &FuzzRow, text: &str) -> bool {
    let is_code = matches!(row.error_code, Some(METHOD_NOT_FOUND | INVALID_PARAMS));
    if row.outcome != Outcome::RpcError || !is_code {
        return false;
    }
    let first_line = text.trim().lines().next().unwrap_or_default();
    let said = plain(first_line, &row.tool);
    // Some libraries put the code before the text.
    let bare = said
        .strip_prefix("mcp error -32601 ")
        .or_else(|| said.strip_prefix("mcp error -32602 "))
        .unwrap_or(&said);
    NAMELESS.contains(&bare) || NAMING.iter().any(|words| speaks(bare, words))
}

/// Whether the words stand in the text, not inside of others.
fn speaks(text: &str, words: &str) -> bool {
    text.match_indices(words)
        .any(|(at, _)| stands_alone(text, at, words.len()))
}

fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    ![before, after]
        .into_iter()
        .flatten()
        .any(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= LONGEST
}

/// A text without quotes, punctuation and capitals, with one sign for the name.
fn plain(text: &str, name: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in text.match_indices(name).filter(|_| !name.is_empty()) {
        if stands_alone(text, at, name.len()) {
            marked.push_str(&text[rest..at]);
            marked.push_str(NAME);
            rest = at + name.len();
        }
    }
    marked.push_str(&text[rest..]);
    let words: Vec<String> = marked
        .split(|char: char| char.is_whitespace() || "'\"`“”‘’«»<>[](){}:,;.!".contains(char))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::answer::FollowUp;
    use serde_json::{Value, json};

    fn row(tool: &str, outcome: &str, code: Option<i64>, text: &str) -> FuzzRow {
        let mut row = json!({
            "tool": tool,
            "toolIndex": 0,
            "case": { "label": "valid", "class": "generated", "arguments": {} },
            "outcome": outcome,
            "errorText": text,
            "exchange": { "request": "" },
            "latencyUs": 1,
        });
        if let Some(code) = code {
            row["errorCode"] = code.into();
        }
        serde_json::from_value(row).expect("a row")
    }

    fn denied_in_words(code: i64, text: &str) -> bool {
        Denials::default().denies(&row("get_two", "rpcError", Some(code), text))
    }

    #[test]
    fn usual_words_with_the_codes_for_it_are_told() {
        for text in [
            "Unknown tool: get_two",
            "Unknown tool: 'get_two'",
            "Tool not found",
            "Tool get_two not found",
            "MCP error -32602: Tool get_two not found",
            "Tool \"get_two\" does not exist.",
            "There is no tool named `get_two`; known: get_one",
            "unknown tool\nat line 5",
        ] {
            assert!(denied_in_words(-32602, text), "{text}");
        }
        assert!(denied_in_words(-32601, "No such tool: get_two"));
        assert!(!denied_in_words(-32603, "Unknown tool: get_two"));
    }

    #[test]
    fn refusals_of_arguments_are_none() {
        for text in [
            "Unknown tool: hammer",
            "Unknown tool: get_two_more",
            "get_two: unknown tool hammer",
            "Invalid arguments for tool get_two: 'tool' not found",
            "Method not found",
            "No tool found for this job",
            "'index' is required",
            "",
        ] {
            assert!(!denied_in_words(-32602, text), "{text}");
        }
        let denials = Denials::default();
        let as_result = row("get_two", "toolError", None, "Unknown tool: get_two");
        assert!(!denials.denies(&as_result));
        let taken = row("get_two", "ok", None, "Unknown tool: get_two");
        assert!(!denials.denies(&taken));
    }

    /// Whether the server that answers so to no tool denies this one.
    fn denied_by(probe: &Value, row: &FuzzRow) -> bool {
        let mut probe = probe.clone();
        probe["name"] = "mcprobe_no_such_tool".into();
        probe["exchange"] = json!({ "request": "" });
        let probe: UnknownTool = serde_json::from_value(probe).expect("a probe");
        let run = FuzzRun {
            level: crate::model::fuzz::FuzzLevel::Safe,
            seed: 0,
            turns: Vec::new(),
            rows: Vec::new().into(),
            abandoned: Vec::new(),
            follow_up: FollowUp {
                unknown_tool: Some(probe),
                ..FollowUp::default()
            },
        };
        Denials::of(Some(&run)).denies(row)
    }

    #[test]
    fn the_words_of_the_server_for_no_tool_are_told_where_they_speak_of_it() {
        let as_result = |text: &str| json!({ "outcome": "toolError", "errorText": text });
        let denied = |said: &str, text: &str| {
            denied_by(&as_result(said), &row("get_two", "toolError", None, text))
        };
        assert!(denied(
            "sorry, mcprobe_no_such_tool is not registered",
            "sorry, get_two is not registered"
        ));
        assert!(denied("Error: unknown tool.", "Error: unknown tool."));
        // The server says the same of everything.
        assert!(!denied("bad request", "bad request"));
        assert!(!denied("unknown error", "unknown error"));
        assert!(!denied(
            "error in mcprobe_no_such_tool: unknown error",
            "error in get_two: unknown error"
        ));
        // Something else is missing.
        assert!(!denied(
            "mcprobe_no_such_tool not found",
            "get_two: record not found"
        ));
        let other_code =
            json!({ "outcome": "rpcError", "errorCode": -32000, "errorText": "no such tool" });
        assert!(!denied_by(
            &other_code,
            &row("get_two", "rpcError", Some(-32001), "no such tool")
        ));
        assert!(denied_by(
            &other_code,
            &row("get_two", "rpcError", Some(-32000), "no such tool")
        ));
    }
}
