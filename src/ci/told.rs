//! Sentences in the words of the inputs, for people who wrote those and no flags.
//!
//! Other rooms speak of flags. Whole sentences of ours are put in other words
//! wherever they stand; single flags only where the text is ours alone, because
//! what a server says is not to be changed.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use crate::model::checked::CheckState;
use crate::model::report::Report;

/// Parts of our sentences that name flags, and what to say instead.
const SENTENCES: [(&str, &str); 13] = [
    (
        "no target: give a URL, --stdio \"COMMAND\", or -- COMMAND; for a look without a server: mcprobe demo",
        "no target: give `url` or `command`, or name one under [target] in mcprobe.toml",
    ),
    (
        "more than one target: give a URL, or --stdio \"COMMAND\", or -- COMMAND",
        "more than one target: give `url` or `command`",
    ),
    (
        "--env and --cwd are for servers",
        "`env` and `working-directory` are for servers",
    ),
    (
        "--header and --bearer are for URL targets; give a stdio server its credentials with --env NAME=VALUE",
        "`headers` is for `url`; give a stdio server its credentials with `env`",
    ),
    (
        "give them with --bearer or --header",
        "give them with `headers`",
    ),
    ("with `--bearer` or `--header`", "with `headers`"),
    (
        "--header takes \"Name: value\"",
        "every line is `Name: value`",
    ),
    (
        "--env takes NAME=VALUE",
        "every line of `env` is NAME=VALUE",
    ),
    (
        "or `-- COMMAND` for a stdio server",
        "or `command` for a stdio server",
    ),
    (
        "such as --stdio \"node server.js\"",
        "such as `node server.js`",
    ),
    ("`--allow-partial` lets", "`allow-partial: true` lets"),
    ("`--fuzz` calls the tools", "`fuzz: safe` calls the tools"),
    ("`--fuzz` makes them", "`fuzz: safe` makes them"),
];

/// Where a sentence about an address goes on to name a command line.
const OR_COMMAND: &str = " for a server, or `-- ";

/// Flags, a longer one before those that it begins with, and the words for them.
const FLAGS: [(&str, &str); 17] = [
    ("--fuzz-destructive", "fuzz: destructive"),
    ("--fuzz-writes", "fuzz: writes"),
    ("--fuzz", "fuzz: safe"),
    ("--allow-partial", "allow-partial: true"),
    ("--max-tools", "max-tools"),
    ("--transport", "transport"),
    ("--protocol", "protocol"),
    ("--era", "era"),
    ("--header", "headers"),
    ("--bearer", "headers"),
    ("--stdio", "command"),
    ("--cwd", "working-directory"),
    ("--env", "env"),
    ("--budget", "budget"),
    ("--cases", "cases"),
    ("--jobs", "jobs"),
    ("--no-probe", "probe = false"),
];

/// Those among them that only the settings file knows.
const IN_FILE: [&str; 6] = [
    "budget",
    "cases",
    "era",
    "jobs",
    "probe = false",
    "protocol",
];

/// The report in the words of the inputs.
pub(super) fn in_inputs(report: &Report) -> Report {
    let mut told = report.clone();
    if let Some(failure) = &mut told.failure {
        failure.message = sentence(&failure.message);
    }
    // They may quote the failure, in which a server speaks.
    for reason in &mut told.verdict.reasons {
        *reason = of_gate(reason);
    }
    for reason in &mut told.completeness.reasons {
        *reason = flags(&sentence(reason));
    }
    for untested in &mut told.untested {
        untested.because = flags(&sentence(&untested.because));
    }
    for check in told
        .protocol
        .iter_mut()
        .flat_map(|section| &mut section.checks)
    {
        if let CheckState::NotTested { because } = &mut check.state {
            *because = flags(&sentence(because));
        }
    }
    for finding in &mut told.findings {
        finding.hint = flags(&sentence(&finding.hint)).into();
        finding.why = flags(&sentence(&finding.why)).into();
    }
    told
}

/// A sentence in which somebody else may speak too.
pub(super) fn sentence(text: &str) -> String {
    let mut told = text.to_owned();
    if let Some(at) = told.find(OR_COMMAND)
        && told.ends_with("for a command")
    {
        told.truncate(at);
    }
    for (ours, instead) in SENTENCES {
        if told.contains(ours) {
            told = told.replace(ours, instead);
        }
    }
    told
}

/// A reason of the gate: of the flags only the levels stand in them.
fn of_gate(text: &str) -> String {
    let mut told = sentence(text);
    for (flag, word) in &FLAGS[..4] {
        told = told.replace(&format!("`{flag}`"), &format!("`{word}`"));
    }
    // The levels that would include a tool are listed without marks.
    if told.contains("would include some") {
        told = flags(&told);
    }
    told
}

/// A text of ours alone.
fn flags(text: &str) -> String {
    let mut told = text.to_owned();
    for (flag, word) in FLAGS {
        if !told.contains(flag) {
            continue;
        }
        let words = if IN_FILE.contains(&word) {
            format!("`{word}` in mcprobe.toml")
        } else {
            format!("`{word}`")
        };
        told = told
            .replace(&format!("`{flag}`"), &words)
            .replace(flag, &words);
    }
    told
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// A flag of the command line, or words after `--`.
    fn names_a_flag(text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = rest.find("--") {
            let before = rest[..at].chars().next_back();
            let after = rest[at + 2..].chars().next();
            let begins = before.is_none_or(|letter| " `(\"".contains(letter));
            if begins && after.is_some_and(|letter| letter.is_ascii_lowercase() || letter == ' ') {
                return true;
            }
            rest = &rest[at + 2..];
        }
        false
    }

    fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, into);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                into.push(path);
            }
        }
    }

    #[test]
    fn every_hint_and_reason_of_a_rule_names_no_flag() {
        for rule in crate::rules::RULES {
            for text in [rule.hint, rule.why] {
                let told = flags(&sentence(text));
                assert!(!names_a_flag(&told), "{}: {told}", rule.code);
            }
        }
    }

    /// Whatever text is added to a room that a step runs through: either it names
    /// no flag, or this room knows what to say instead.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the sources are what is tested")]
    fn every_text_of_the_sources_can_be_told_without_flags() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        for room in [
            "audit",
            "client",
            "config",
            "fuzz",
            "judge",
            "model",
            "rules",
            "score",
            "transport",
        ] {
            if root.join(room).is_dir() {
                sources(&root.join(room), &mut files);
            }
        }
        files.extend([root.join("gate.rs")]);
        let mut seen = 0;
        for file in files {
            if file.ends_with("tests.rs")
                || file.components().any(|part| part.as_os_str() == "tests")
            {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().map(str::trim) {
                let Some((_, literal)) = line.split_once('"') else {
                    continue;
                };
                if line.starts_with("//") || !names_a_flag(literal) {
                    continue;
                }
                seen += 1;
                let literal = literal.replace("\\\"", "\"");
                let literal = literal.trim_end_matches(['"', ',', ')', ';', '.']);
                let told = flags(&sentence(literal));
                assert!(!names_a_flag(&told), "{}: {told}", file.display());
            }
        }
        assert!(seen > 10, "only {seen} texts were found");
    }

    #[test]
    fn what_a_server_says_stays_as_it_is() {
        let said = "`initialize` was refused: unknown option --env";
        assert_eq!(sentence(said), said);
        assert_eq!(of_gate(said), said);
        assert_eq!(
            flags("a higher --max-tools, or a larger `--budget`"),
            "a higher `max-tools`, or a larger `budget` in mcprobe.toml"
        );
        assert_eq!(
            sentence(
                "`a.b/c` has no scheme; write http://a.b/c for a server, or `-- a.b/c` for a command"
            ),
            "`a.b/c` has no scheme; write http://a.b/c"
        );
    }
}
