//! The inputs of `mcprobe ci`, in one table. From it come the flags, the names
//! of variables, the tables of the documents and the comparison with
//! `action.yml`.
//!
//! A value is looked for in this order: flag, `INPUT_*` (what a workflow wrote
//! under `with:`, also spelt as a shell has to), `MCPROBE_*`; then `mcprobe.toml`, then the default. An empty
//! value counts as not given.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use crate::config::ConfigError;
use crate::config::parse::nearest_or_all;
use crate::wording::cut;

/// One input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Its name in `with:`, and as a flag after `--`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub about: &'static str,
    /// What holds when nobody says, as shown to people; empty when nothing does.
    pub default: &'static str,
    /// What its value looks like.
    pub kind: Kind,
    /// Whether `action.yml` carries the default. One that `mcprobe.toml` may set
    /// must not be there, because the runner passes it like a value that was
    /// typed; `fuzz` is the exception that the action is for.
    pub in_action: bool,
}

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text; the name stands for it in `--help`.
    Text(&'static str),
    /// One entry a line; as a flag it may be repeated.
    Lines(&'static str),
    /// `true` or `false`, each also capitalised or in capitals.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
}

const fn input(name: &'static str, about: &'static str, kind: Kind) -> Input {
    Input {
        name,
        about,
        default: "",
        kind,
        in_action: false,
    }
}

impl Input {
    const fn or(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    const fn or_in_action(mut self, default: &'static str) -> Self {
        self.in_action = true;
        self.or(default)
    }

    /// The variable in which GitHub's runner passes it: blanks become `_`,
    /// hyphens stay.
    pub fn runner_variable(&self) -> String {
        format!("INPUT_{}", self.name.replace(' ', "_").to_uppercase())
    }

    /// The same with underscores: hyphens are not for shells, and are easily mistyped.
    fn runner_variable_of_shells(&self) -> String {
        self.runner_variable().replace('-', "_")
    }

    /// The variable for other places, a name that every shell can set.
    pub fn variable(&self) -> String {
        format!(
            "MCPROBE_{}",
            self.name.replace([' ', '-'], "_").to_uppercase()
        )
    }
}

/// Every input, in the order of the documents.
pub const INPUTS: [Input; 23] = [
    input(
        "url",
        "Address of the server (http or https). With `command`, the server that the command starts.",
        Kind::Text("URL"),
    ),
    input(
        "command",
        "Command line of a stdio server; no shell is used. With `url`, it starts the HTTP server to audit.",
        Kind::Text("COMMAND"),
    ),
    input(
        "setup",
        "Shell lines to run in the workspace before `command`, such as `npm ci && npm run build`.",
        Kind::Text("LINES"),
    ),
    input(
        "working-directory",
        "Folder for `setup` and `command`, relative to the workspace.",
        Kind::Text("DIR"),
    ),
    input(
        "env",
        "Variables for `setup` and `command`, one NAME=VALUE a line; values are masked.",
        Kind::Lines("NAME=VALUE"),
    ),
    input(
        "headers",
        "HTTP headers for `url`, one `Name: value` a line; values are masked.",
        Kind::Lines("NAME: VALUE"),
    ),
    input(
        "transport",
        "How to reach the server - auto, http, sse or stdio.",
        Kind::Word(&["auto", "http", "sse", "stdio"]),
    )
    .or("auto"),
    input(
        "fuzz",
        "Which tools to call with good and bad input - false, safe (same as true), writes or destructive.",
        Kind::Word(&["true", "safe", "writes", "destructive", "false"]),
    )
    .or_in_action("true"),
    input(
        "max-tools",
        "Call at most this many tools.",
        Kind::Text("N"),
    ),
    input(
        "min-score",
        "Fail below this score (0 to 100, decimals allowed); empty means no limit.",
        Kind::Text("SCORE"),
    ),
    input(
        "fail-on",
        "Fail on findings of this severity or worse - none, error, warning or info.",
        Kind::Text("SEVERITY"),
    )
    .or("none"),
    input(
        "allow-partial",
        "true lets a score without any measured behaviour pass `min-score`.",
        Kind::Switch,
    )
    .or("false"),
    input(
        "on-unauthorized",
        "When the server asks for credentials - fail, or skip (for forks without secrets; never passed=true).",
        Kind::Word(&["fail", "skip"]),
    )
    .or("fail"),
    input(
        "score-model",
        "The score that gates - contract or classic; both are always shown.",
        Kind::Text("MODEL"),
    )
    .or("contract"),
    input(
        "settings",
        "Settings file, relative to the workspace; mcprobe.toml is found by itself.",
        Kind::Text("FILE"),
    ),
    input(
        "timeout",
        "Limit of the whole audit, such as 300s or 5m.",
        Kind::Text("SPAN"),
    )
    .or("300s"),
    input(
        "startup-timeout",
        "Limit from the start of the server to the end of the handshake.",
        Kind::Text("SPAN"),
    )
    .or("60s"),
    input(
        "call-timeout",
        "Limit of one call.",
        Kind::Text("SPAN"),
    )
    .or("30s"),
    input(
        "report",
        "Where to write the JSON report, relative to the workspace.",
        Kind::Text("FILE"),
    )
    .or("mcprobe-report.json"),
    input(
        "summary",
        "false leaves the job summary alone.",
        Kind::Switch,
    )
    .or("true"),
    input(
        "annotations",
        "false prints no annotations.",
        Kind::Switch,
    )
    .or("true"),
    input(
        "fail",
        "false sets the outputs and never fails the job.",
        Kind::Switch,
    )
    .or("true"),
    input(
        "token",
        "Key of a dashboard to push the report to; empty means no push.",
        Kind::Text("TOKEN"),
    ),
];

/// The values of one run, each from the strongest source that gives one.
#[derive(Debug, Clone, Default)]
pub struct Given {
    values: BTreeMap<&'static str, String>,
}

impl Given {
    /// Looks up every input: `flags` by name, then `variables` of the process.
    pub fn read(flags: &BTreeMap<String, String>, variables: &BTreeMap<String, String>) -> Self {
        let value = |input: &Input| {
            [
                flags.get(input.name),
                variables.get(&input.runner_variable()),
                variables.get(&input.runner_variable_of_shells()),
                variables.get(&input.variable()),
            ]
            .into_iter()
            .flatten()
            .find(|value| !value.trim().is_empty())
            .cloned()
        };
        Self {
            values: INPUTS
                .iter()
                .filter_map(|input| Some((input.name, value(input)?)))
                .collect(),
        }
    }

    /// A value as it was written.
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// A value without blanks around it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.raw(name).map(str::trim)
    }

    /// The lines of a value, empty ones left out; nothing else is trimmed at
    /// their ends but a carriage return.
    pub fn lines(&self, name: &str) -> Vec<&str> {
        self.raw(name)
            .unwrap_or_default()
            .lines()
            .map(str::trim_start)
            .filter(|line| !line.trim_end().is_empty())
            .collect()
    }

    /// A switch.
    pub fn switch(&self, name: &str) -> Result<Option<bool>, ConfigError> {
        match self.text(name) {
            None => Ok(None),
            Some("true" | "True" | "TRUE") => Ok(Some(true)),
            Some("false" | "False" | "FALSE") => Ok(Some(false)),
            Some(other) => Err(ConfigError::new(format!(
                "{name}: `{}` is neither true nor false",
                shown(other)
            ))),
        }
    }

    /// One of the words of an input; the spellings of a switch are words too.
    pub fn word(&self, name: &str) -> Result<Option<&'static str>, ConfigError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let known = INPUTS
            .iter()
            .find(|input| input.name == name)
            .and_then(|input| match input.kind {
                Kind::Word(words) => Some(words),
                Kind::Text(_) | Kind::Lines(_) | Kind::Switch => None,
            })
            .unwrap_or_default();
        let wanted = match text {
            "True" | "TRUE" => "true",
            "False" | "FALSE" => "false",
            text => text,
        };
        known
            .iter()
            .copied()
            .find(|word| *word == wanted)
            .map(Some)
            .ok_or_else(|| {
                ConfigError::new(format!(
                    "{name}: `{}` is no choice; {}",
                    shown(text),
                    nearest_or_all(text, known)
                ))
            })
    }
}

/// Variables that are ours and stand for no input.
const OTHER_VARIABLES: [&str; 1] = ["MCPROBE_TARGET_TOKEN"];

/// Refuses variables that were meant as inputs and would not be heard: a gate that
/// nobody reads would pass. `unreadable` are names whose values are no text.
pub fn check_variables<'a>(
    names: impl Iterator<Item = &'a String>,
    unreadable: &'a [String],
) -> Result<(), ConfigError> {
    let known: Vec<String> = INPUTS
        .iter()
        .flat_map(|input| {
            [
                input.runner_variable(),
                input.runner_variable_of_shells(),
                input.variable(),
            ]
        })
        .chain(OTHER_VARIABLES.map(str::to_owned))
        .collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    if let Some(name) = unreadable
        .iter()
        .find(|name| known.contains(&name.as_str()))
    {
        return Err(ConfigError::new(format!(
            "{name}: its value is no UTF-8 text"
        )));
    }
    let ours = |name: &&String| name.starts_with("INPUT_") || name.starts_with("MCPROBE_");
    for name in names.chain(unreadable).filter(ours) {
        // What is like none of them is somebody else's.
        let near = nearest_or_all(name, &known);
        if !known.contains(&name.as_str()) && near.starts_with("did you mean") {
            return Err(ConfigError::new(format!(
                "the variable {} stands for no input; {near}",
                shown(name)
            )));
        }
    }
    Ok(())
}

fn shown(text: &str) -> String {
    cut(text, 80).escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn the_strongest_source_that_says_something_wins() {
        let flags = map(&[("min-score", "1"), ("report", "")]);
        let variables = map(&[
            ("INPUT_MIN-SCORE", "2"),
            ("MCPROBE_MIN_SCORE", "3"),
            ("INPUT_REPORT", " \n"),
            ("MCPROBE_REPORT", "r.json"),
            ("INPUT_ON-UNAUTHORIZED", " skip "),
            ("INPUT_MIN_SCORE", "4"),
            ("INPUT_FAIL_ON", "error"),
        ]);
        let given = Given::read(&flags, &variables);
        assert_eq!(given.text("min-score"), Some("1"));
        assert_eq!(given.text("report"), Some("r.json"));
        assert_eq!(given.word("on-unauthorized"), Ok(Some("skip")));
        assert_eq!(given.text("url"), None);
        let given = Given::read(&BTreeMap::new(), &variables);
        assert_eq!(given.text("min-score"), Some("2"));
        assert_eq!(given.text("fail-on"), Some("error"));
    }

    #[test]
    fn variables_that_nobody_would_hear_are_refused() {
        let check = |names: &[&str], unreadable: &[&str]| {
            let own = |names: &[&str]| -> Vec<String> {
                names.iter().map(|&name| name.to_owned()).collect()
            };
            check_variables(own(names).iter(), &own(unreadable)).map_err(|error| error.message)
        };
        assert_eq!(
            check(&["MCPROBE_MIN_SCOR"], &[]),
            Err("the variable MCPROBE_MIN_SCOR stands for no input; did you mean `MCPROBE_MIN_SCORE`?".to_owned())
        );
        assert!(check(&["INPUT_MINSCORE"], &[]).is_err());
        assert_eq!(
            check(&[], &["INPUT_MIN-SCORE"]),
            Err("INPUT_MIN-SCORE: its value is no UTF-8 text".to_owned())
        );
        let fine = [
            "MCPROBE_TARGET_TOKEN",
            "MCPROBE_IMAGE_OF_OURS",
            "INPUT_SOMETHING-ELSE",
            "MIN_SCORE",
            "INPUT_FAIL_ON",
        ];
        assert_eq!(check(&fine, &["LANG", "OTHER"]), Ok(()));
    }

    #[test]
    fn switches_take_the_spellings_of_the_toolkit() {
        for (text, expected) in [
            ("true", Some(true)),
            ("True", Some(true)),
            ("TRUE", Some(true)),
            ("false", Some(false)),
            ("False", Some(false)),
            ("FALSE", Some(false)),
            ("", None),
        ] {
            let given = Given::read(&map(&[("fail", text)]), &BTreeMap::new());
            assert_eq!(given.switch("fail"), Ok(expected), "{text}");
        }
        for text in ["yes", "1", "tRue", "on"] {
            let given = Given::read(&map(&[("fail", text)]), &BTreeMap::new());
            let error = given.switch("fail").expect_err(text).message;
            assert_eq!(error, format!("fail: `{text}` is neither true nor false"));
        }
    }

    #[test]
    fn unknown_words_name_the_near_ones() {
        let given = Given::read(
            &map(&[("fuzz", "write"), ("transport", "pigeon")]),
            &BTreeMap::new(),
        );
        assert_eq!(
            given.word("fuzz").expect_err("no level").message,
            "fuzz: `write` is no choice; did you mean `writes`?"
        );
        assert_eq!(
            given.word("transport").expect_err("no way").message,
            "transport: `pigeon` is no choice; use one of `auto`, `http`, `sse`, `stdio`"
        );
    }

    #[test]
    fn lists_have_one_entry_a_line() {
        let given = Given::read(&map(&[("env", "A=1\r\n\n  B= x \n")]), &BTreeMap::new());
        assert_eq!(given.lines("env"), ["A=1", "B= x "]);
    }

    #[test]
    fn names_of_variables() {
        let names: Vec<String> = INPUTS
            .iter()
            .filter(|input| input.name.contains("min"))
            .flat_map(|input| [input.runner_variable(), input.variable()])
            .collect();
        assert_eq!(names, ["INPUT_MIN-SCORE", "MCPROBE_MIN_SCORE"]);
    }
}
