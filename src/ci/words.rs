//! From the inputs to what is merged with `mcprobe.toml`, and to what only
//! `mcprobe ci` knows. Also which values must be masked.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use url::Url;

use super::inputs::Given;
use crate::config::file::Level;
use crate::config::merge::{GateWords, Words};
use crate::config::{ConfigError, Limits, Settings, label, parse};
use crate::model::secret::Secret;
use crate::model::target::{ServerCommand, Target};

/// The inputs of a run, read once.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch as written")]
pub struct Choices {
    /// What is merged with the settings file.
    pub words: Words,
    /// Command line that starts the HTTP server which `words.url` names.
    pub start: Option<Vec<String>>,
    /// Whether a server at `words.url` that nobody starts here may take the startup
    /// limit to answer: only where somebody set that limit.
    pub waits: bool,
    /// Shell lines to run first.
    pub setup: Option<String>,
    /// Folder for `setup` and `command`, as written.
    pub folder: Option<String>,
    /// Variables for `setup` and `command`.
    pub env: BTreeMap<String, String>,
    /// The settings file, as written.
    pub settings: Option<String>,
    /// Where the report goes, as written.
    pub report: String,
    /// Whether the job summary is written.
    pub summary: bool,
    /// Whether annotations are printed.
    pub annotations: bool,
    /// Whether a server that wants credentials lets the step succeed.
    pub skips_unauthorized: bool,
    /// Whether a key of a dashboard was given.
    pub has_token: bool,
}

/// The default of `report`.
const REPORT: &str = "mcprobe-report.json";

/// The default of `startup-timeout`: a first start may well install packages.
const STARTUP: Duration = Duration::from_mins(1);

/// Whether the job may fail at all. Read apart, so that it also holds when
/// another input is wrong; its own mistakes are told by [`choices`].
pub fn may_fail(given: &Given) -> bool {
    given.switch("fail").ok().flatten().unwrap_or(true)
}

/// Reads the inputs.
pub fn choices(given: &Given) -> Result<Choices, ConfigError> {
    given.switch("fail")?;
    let owned = |name: &str| given.text(name).map(str::to_owned);
    let switch = |name: &str| given.switch(name).map(|said| said.unwrap_or(true));
    let env = env(given)?;
    let reached = reached(given)?;
    let words = Words {
        env: if reached.takes_env {
            env.iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect()
        } else {
            Vec::new()
        },
        url: reached.url,
        command: reached.command,
        headers: given
            .lines("headers")
            .into_iter()
            .map(str::to_owned)
            .collect(),
        transport: given
            .word("transport")?
            .filter(|word| *word != "auto")
            .map(str::to_owned),
        timeout: owned("timeout"),
        startup_timeout: owned("startup-timeout"),
        call_timeout: owned("call-timeout"),
        fuzz: fuzz(given)?,
        max_tools: max_tools(given)?,
        gate: GateWords {
            score_model: owned("score-model"),
            min_score: owned("min-score"),
            fail_on: owned("fail-on"),
            allow_partial: given.switch("allow-partial")?,
            families: Vec::new(),
            default_fail_on: None,
        },
        keeps_foreign_scheme: true,
        default_fuzz: Some(Level::Safe),
        default_limits: Limits {
            startup: STARTUP,
            ..Limits::default()
        },
        ..Words::default()
    };
    Ok(Choices {
        words,
        start: reached.start,
        waits: given.text("startup-timeout").is_some(),
        setup: given.raw("setup").map(str::to_owned),
        folder: owned("working-directory"),
        env,
        settings: owned("settings"),
        report: owned("report").unwrap_or_else(|| REPORT.to_owned()),
        summary: switch("summary")?,
        annotations: switch("annotations")?,
        skips_unauthorized: given.word("on-unauthorized")? == Some("skip"),
        has_token: given.text("token").is_some(),
    })
}

/// How the inputs name the target.
#[derive(Default)]
struct Reached {
    url: Option<String>,
    command: Vec<String>,
    start: Option<Vec<String>>,
    /// Whether the merge may see variables: it refuses them for a URL.
    takes_env: bool,
}

fn reached(given: &Given) -> Result<Reached, ConfigError> {
    let url = given.text("url").map(str::to_owned);
    if let Some(text) = &url {
        parse::url_of_any_scheme(text).map_err(|error| named("url", &error))?;
    }
    for line in given.lines("headers") {
        parse::header(line).map_err(|error| named("headers", &error))?;
    }
    let command = given.text("command").map(parse::command_line).transpose()?;
    let refuse = |why: &str| Err(ConfigError::new(format!("transport: {why}")));
    match (given.word("transport")?.unwrap_or("auto"), &url, &command) {
        ("http" | "sse", None, Some(_)) => {
            return refuse("http and sse need `url`, also for a server that `command` starts");
        }
        ("stdio", Some(_), _) => return refuse("stdio is for `command` alone; take `url` away"),
        _ => {}
    }
    if url.is_none() && command.is_some() && !given.lines("headers").is_empty() {
        return Err(ConfigError::new(
            "headers: they are for `url`; give a stdio server its credentials with `env`",
        ));
    }
    Ok(match (url, command) {
        (Some(url), start) => Reached {
            url: Some(url),
            start,
            ..Reached::default()
        },
        (None, Some(command)) => Reached {
            command,
            takes_env: true,
            ..Reached::default()
        },
        // The target comes from the settings file; it says what it is.
        (None, None) => Reached {
            takes_env: true,
            ..Reached::default()
        },
    })
}

/// An error of a single word, with the input that it stands in.
fn named(input: &str, error: &ConfigError) -> ConfigError {
    ConfigError::new(format!("{input}: {}", error.message))
}

fn env(given: &Given) -> Result<BTreeMap<String, String>, ConfigError> {
    given
        .lines("env")
        .into_iter()
        .map(|line| {
            parse::env_pair(line)
                .ok()
                .filter(|(name, _)| !name.contains(char::is_whitespace))
                // The line may be a bare credential: it is not repeated.
                .ok_or_else(|| {
                    ConfigError::new("env: every line is NAME=VALUE; one of them is not")
                })
        })
        .collect()
}

fn fuzz(given: &Given) -> Result<Option<Level>, ConfigError> {
    Ok(given.word("fuzz")?.map(|word| match word {
        "false" => Level::Off,
        "writes" => Level::Writes,
        "destructive" => Level::Destructive,
        _ => Level::Safe,
    }))
}

fn max_tools(given: &Given) -> Result<Option<usize>, ConfigError> {
    let parsed = given.text("max-tools").map(str::parse);
    parsed
        .transpose()
        .map_err(|_| ConfigError::new("max-tools: it takes a whole number"))
}

/// Values that the log must not show, as the inputs alone tell; the longest
/// first. Known before anything is checked.
pub fn masks_of_inputs(given: &Given) -> Vec<String> {
    let mut secrets = Vec::new();
    let mut pairs = BTreeMap::new();
    for line in given.lines("env") {
        match line.split_once('=') {
            Some((name, value)) => {
                pairs.insert(name.to_owned(), value.to_owned());
            }
            None => secrets.push(Secret::new(line)),
        }
    }
    secrets.extend(secrets_of_env(&pairs));
    for line in given.lines("headers") {
        let (name, value) = line.split_once(':').unwrap_or(("", line));
        if name.is_empty() || is_hidden(name, value.trim()) {
            secrets.push(Secret::new(value));
        }
        let header = (name.trim().to_owned(), Secret::new(value.trim()));
        secrets.extend(label::secrets_of_headers(&[header]));
    }
    secrets.extend(given.text("token").map(Secret::new));
    secrets.extend(secrets_of_target(given));
    masks(&secrets)
}

/// Credentials in an address or a command line, also in an address that will be
/// refused: the refusal quotes it.
fn secrets_of_target(given: &Given) -> Vec<Secret> {
    let mut secrets = Vec::new();
    if let Some(text) = given.text("url") {
        let user = text.rsplit_once('@').map(|(user, _)| user);
        let password = user.and_then(|user| user.rsplit_once(':'));
        let password = password.filter(|(_, password)| !password.contains('/'));
        secrets.extend(password.map(|(_, password)| Secret::new(password)));
        if let Ok(url) = Url::parse(text) {
            secrets.extend(label::label(&Target::Url(url), None).1);
        }
    }
    let argv = given.text("command").map(parse::command_line);
    if let Some(Ok(argv)) = argv {
        let command = ServerCommand {
            argv,
            ..ServerCommand::default()
        };
        secrets.extend(label::label(&Target::Command(command), None).1);
    }
    secrets
}

/// Values that the log must not show, as the settings tell: those of
/// `mcprobe.toml` too, and those in an address or a command line.
pub fn masks_of_settings(settings: &Settings) -> Vec<String> {
    let (_, mut secrets) = label::label(&settings.target, None);
    // Without their names, short values of variables are ordinary words.
    let hidden = settings
        .hidden
        .iter()
        .filter(|hidden| hidden.expose().len() >= SHORTEST);
    secrets.extend(hidden.cloned());
    for (name, value) in &settings.headers {
        if is_hidden(name, value.expose()) {
            secrets.push(value.clone());
        }
    }
    secrets.extend(label::secrets_of_headers(&settings.headers));
    masks(&secrets)
}

/// The values of variables that no output may hold. A short ordinary word is
/// none: masking `en` or `1` would blank half the log, and the runner drops
/// every output in which a masked value occurs.
pub fn secrets_of_env(env: &BTreeMap<String, String>) -> Vec<Secret> {
    label::secrets_of_env(env.iter().filter(|(name, value)| is_hidden(name, value)))
}

fn is_hidden(name: &str, value: &str) -> bool {
    label::is_secret_name(name) || value.len() >= SHORTEST
}

/// The shortest value that is hidden without a name that says credential.
const SHORTEST: usize = 4;

fn masks(secrets: &[Secret]) -> Vec<String> {
    let mut masks = BTreeSet::new();
    for secret in secrets {
        for line in secret.expose().lines() {
            let line = line.trim();
            let parts = Secret::new(line).parts();
            // A short part that was decoded is an ordinary word elsewhere.
            masks.extend(
                parts
                    .into_iter()
                    .filter(|part| line.ends_with(part.as_str()) || part.len() >= SHORTEST),
            );
        }
    }
    masks.remove("");
    let mut masks: Vec<String> = masks.into_iter().collect();
    masks.sort_by_key(|mask| std::cmp::Reverse(mask.len()));
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> Given {
        let flags = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Given::read(&flags, &BTreeMap::new())
    }

    fn refusal(pairs: &[(&str, &str)]) -> String {
        choices(&given(pairs)).expect_err("refused").message
    }

    #[test]
    fn a_command_with_a_url_is_started_and_the_url_is_the_target() {
        let read = choices(&given(&[
            ("command", "node s.js"),
            ("url", "http://127.0.0.1:1/mcp"),
            ("env", "A=b"),
        ]))
        .expect("good");
        assert_eq!(read.start, Some(vec!["node".to_owned(), "s.js".to_owned()]));
        assert!(read.words.command.is_empty() && read.words.env.is_empty());
        assert_eq!(read.env["A"], "b");
        let read = choices(&given(&[("command", "node s.js"), ("env", "A=b")])).expect("good");
        assert_eq!((read.start, read.words.env), (None, vec!["A=b".to_owned()]));
    }

    #[test]
    fn wrong_words_are_told_by_their_input() {
        let told = [
            refusal(&[("transport", "http"), ("command", "a")]),
            refusal(&[("transport", "stdio"), ("url", "http://a")]),
            refusal(&[("command", "a"), ("headers", "A: b")]),
            refusal(&[("url", "a.b/c")]),
            refusal(&[("url", "http://a"), ("headers", "nonsense")]),
            refusal(&[("url", "http://a"), ("headers", "A b: c")]),
            refusal(&[("env", "secret-alone")]),
            refusal(&[("max-tools", "-1")]),
            refusal(&[("fail", "perhaps")]),
            refusal(&[("summary", "2")]),
        ];
        insta::assert_snapshot!(told.join("\n"), @r#"
        transport: http and sse need `url`, also for a server that `command` starts
        transport: stdio is for `command` alone; take `url` away
        headers: they are for `url`; give a stdio server its credentials with `env`
        url: `a.b/c` has no scheme; write http://a.b/c for a server, or `-- a.b/c` for a command
        headers: --header takes "Name: value"; there is no colon in one of them
        headers: `A b` is no header name; use letters, digits and dashes
        env: every line is NAME=VALUE; one of them is not
        max-tools: it takes a whole number
        fail: `perhaps` is neither true nor false
        summary: `2` is neither true nor false
        "#);
    }

    #[test]
    fn levels_and_switches() {
        for (word, level) in [
            ("true", Level::Safe),
            ("TRUE", Level::Safe),
            ("safe", Level::Safe),
            ("writes", Level::Writes),
            ("destructive", Level::Destructive),
            ("False", Level::Off),
        ] {
            assert_eq!(fuzz(&given(&[("fuzz", word)])), Ok(Some(level)), "{word}");
        }
        assert!(!may_fail(&given(&[("fail", "False")])));
        assert!(may_fail(&given(&[("fail", "perhaps")])));
    }

    #[test]
    fn credentials_of_a_target_are_masked_also_where_it_is_refused() {
        let masks = masks_of_inputs(&given(&[
            ("url", "ann:pw123@example.com/mcp"),
            ("command", "srv --token t0p"),
        ]));
        assert_eq!(masks, ["pw123", "t0p"]);
        let masks = masks_of_inputs(&given(&[("url", "https://u:pw456@h/mcp?api_key=abcd")]));
        assert_eq!(masks, ["pw456", "abcd"]);
    }

    #[test]
    fn values_of_cookies_and_passwords_of_basic_authentication_are_masked_alone() {
        let masks = masks_of_inputs(&given(&[(
            "headers",
            "Cookie: theme=dark; sid=abc12345\nAuthorization: Basic YW5uOm9wZW4tc2VzYW1l",
        )]));
        for mask in [
            "abc12345",
            "ann:open-sesame",
            "open-sesame",
            "YW5uOm9wZW4tc2VzYW1l",
        ] {
            assert!(masks.iter().any(|has| has == mask), "{mask}: {masks:?}");
        }
    }

    #[test]
    fn what_is_masked() {
        let masks = masks_of_inputs(&given(&[
            (
                "env",
                "API_KEY=k1\nLEVEL=debug\nLANG=en\nDSN=pg://u:p@h/db\nbare-credential",
            ),
            ("headers", "Authorization: Bearer abc.def\nX-N: 1"),
            ("token", "dash-1"),
        ]));
        assert_eq!(
            masks,
            [
                "bare-credential",
                "Bearer abc.def",
                "pg://u:p@h/db",
                "abc.def",
                "dash-1",
                "k1"
            ]
        );
    }
}
