//! Single words, checked: addresses, command lines, headers, spans of time.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::time::Duration;

use url::Url;

use super::ConfigError;
use crate::model::finding::{Family, Severity};
use crate::model::secret::Secret;

type Parsed<T> = Result<T, ConfigError>;

/// An address of the form `scheme://host…`.
pub fn url(text: &str) -> Parsed<Url> {
    let looks_local = text.contains(':') || text.contains('.') || text.contains('/');
    let url = Url::parse(text).map_err(|error| {
        if text.is_empty() {
            ConfigError::new("the URL is empty; give one such as http://127.0.0.1:3000/mcp")
        } else if looks_local && !text.contains("://") {
            ConfigError::new(format!(
                "`{}` has no scheme; write http://{0} for a server, or `-- {0}` for a command",
                shown(text)
            ))
        } else {
            ConfigError::new(format!(
                "`{}` is no URL ({error}); give http://… or https://…, or `-- COMMAND` for a stdio server",
                shown(text)
            ))
        }
    })?;
    // `localhost:3000/mcp` parses as a URL with the scheme `localhost`. An
    // address with another real scheme is a target that cannot be audited; the
    // transport says so.
    if !matches!(url.scheme(), "http" | "https") && !text.contains("://") {
        return Err(ConfigError::new(format!(
            "`{0}` has the scheme `{1}`; write http://{0}",
            shown(text),
            url.scheme()
        )));
    }
    Ok(url)
}

/// As [`url`], but any scheme will do where one was clearly meant.
pub fn url_of_any_scheme(text: &str) -> Parsed<Url> {
    match Url::parse(text) {
        Ok(url) if text.contains("://") && url.has_host() => Ok(url),
        _ => url(text),
    }
}

/// A command line with shell-style quoting.
pub fn command_line(text: &str) -> Parsed<Vec<String>> {
    let words = shlex::split(text).ok_or_else(|| {
        ConfigError::new(format!(
            "the command `{}` has an open quote or a trailing backslash; close it",
            shown(text)
        ))
    })?;
    argv(words)
}

/// Program and arguments; not empty.
pub fn argv(words: Vec<String>) -> Parsed<Vec<String>> {
    match words.first() {
        Some(program) if !program.trim().is_empty() => {}
        _ => {
            return Err(ConfigError::new(
                "the command is empty; give a program, such as --stdio \"node server.js\"",
            ));
        }
    }
    if words.iter().any(|word| word.contains('\0')) {
        return Err(ConfigError::new(
            "the command holds a NUL character; remove it",
        ));
    }
    Ok(words)
}

/// `NAME=VALUE`.
pub fn env_pair(text: &str) -> Parsed<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if is_variable(name) && !value.contains('\0') => {
            Ok((name.to_owned(), value.to_owned()))
        }
        // The text may be a bare credential: it is not repeated.
        _ => Err(ConfigError::new("--env takes NAME=VALUE")),
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// Headers that the transport sets itself.
const RESERVED: [&str; 7] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// `Name: value`; `None` when the value is empty.
pub fn header(text: &str) -> Parsed<Option<(String, Secret)>> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(ConfigError::new(
            "--header takes \"Name: value\"; there is no colon in one of them",
        ));
    };
    header_pair(name, value)
}

/// A header by name and value; `None` when the value is empty.
pub fn header_pair(name: &str, value: &str) -> Parsed<Option<(String, Secret)>> {
    let (name, value) = (name.trim(), value.trim());
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(ConfigError::new(format!(
            "`{}` is no header name; use letters, digits and dashes",
            shown(name)
        )));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(ConfigError::new(format!(
            "the header `{name}` is set by mcprobe itself; remove it"
        )));
    }
    if value.chars().any(char::is_control) {
        return Err(ConfigError::new(format!(
            "the value of the header `{name}` holds a control character; remove it"
        )));
    }
    Ok((!value.is_empty()).then(|| (name.to_owned(), Secret::new(value))))
}

/// Seconds, or text such as `90s`, `2m`.
pub fn span(what: &str, text: &str) -> Parsed<Duration> {
    let text = text.trim();
    if let Ok(count) = text.parse::<f64>() {
        return seconds(what, count);
    }
    match humantime::parse_duration(text) {
        Ok(span) if !span.is_zero() => seconds(what, span.as_secs_f64()),
        Ok(_) => seconds(what, 0.0),
        Err(_) => Err(ConfigError::new(format!(
            "{what}: `{}` is no span of time; use seconds or text such as 90s, 2m",
            shown(text)
        ))),
    }
}

/// The longest span that any limit may have: a day.
const LONGEST_SECONDS: f64 = 86_400.0;

/// A number of seconds above 0 and at most a day.
pub fn seconds(what: &str, count: f64) -> Parsed<Duration> {
    if count.is_finite() && count > 0.0 && count <= LONGEST_SECONDS {
        return Ok(Duration::from_secs_f64(count));
    }
    Err(ConfigError::new(format!(
        "{what}: must be above 0 and at most 24h"
    )))
}

/// A score threshold, 0 to 100, decimals allowed.
pub fn min_score(text: &str) -> Parsed<f64> {
    let score = text.trim().parse::<f64>().unwrap_or(f64::NAN);
    score_in_range(score).ok_or_else(|| {
        ConfigError::new(format!(
            "min-score: `{}` is no number from 0 to 100",
            shown(text)
        ))
    })
}

/// The number, where it is from 0 to 100.
pub fn score_in_range(score: f64) -> Option<f64> {
    (0.0..=100.0).contains(&score).then_some(score)
}

/// `none` or a severity; `Ok(None)` never fails.
pub fn fail_on(text: &str) -> Parsed<Option<Severity>> {
    if text == "none" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        ConfigError::new(format!(
            "fail-on: `{}` is no severity; use error, warning or info (or high, medium, low), or `none` for never",
            shown(text)
        ))
    })
}

/// A family of rules.
pub fn family(text: &str) -> Parsed<Family> {
    let known = Family::ALL.into_iter().find(|family| family.word() == text);
    known.ok_or_else(|| {
        let words: Vec<&str> = Family::ALL.iter().map(|family| family.word()).collect();
        ConfigError::new(format!(
            "family: there is no family `{}`; {}",
            shown(text),
            nearest_or_all(text, &words)
        ))
    })
}

/// "did you mean …?" where a known word is near, else all known words.
pub fn nearest_or_all(word: &str, known: &[&str]) -> String {
    let near = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance <= known.len().max(3) / 3)
        .min_by_key(|(distance, _)| *distance);
    match near {
        Some((_, known)) => format!("did you mean `{known}`?"),
        None if known.is_empty() => "no key is allowed here".to_owned(),
        None => {
            let all: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            format!("use one of {}", all.join(", "))
        }
    }
}

/// A word as it may stand in an error: one line, at most 80 characters.
pub(super) fn shown(text: &str) -> String {
    let mut line: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().nth(80).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(parsed: Parsed<T>) -> String {
        parsed.expect_err("must be refused").message
    }

    #[test]
    fn addresses() {
        assert!(url("https://example.com/mcp?x=1").is_ok());
        assert_eq!(
            message(url("localhost:3000/mcp")),
            "`localhost:3000/mcp` has the scheme `localhost`; write http://localhost:3000/mcp"
        );
        assert_eq!(
            message(url("example.com/mcp")),
            "`example.com/mcp` has no scheme; write http://example.com/mcp for a server, or `-- example.com/mcp` for a command"
        );
        assert!(url("ftp://127.0.0.1/mcp").is_ok());
    }

    #[test]
    fn command_lines_keep_quotes_and_use_no_shell() {
        let words = command_line(r#"node "a b.js" --x='1 2' $HOME"#).expect("words");
        assert_eq!(words, ["node", "a b.js", "--x=1 2", "$HOME"]);
        assert!(message(command_line("  ")).starts_with("the command is empty"));
        assert!(message(command_line("a \"b")).contains("open quote"));
    }

    #[test]
    fn headers_are_checked() {
        let (name, value) = header("X-Key:  abc:d ").expect("good").expect("not empty");
        assert_eq!((name.as_str(), value.expose()), ("X-Key", "abc:d"));
        assert!(header("X-Key:").expect("good").is_none());
        assert!(message(header("nonsense")).contains("no colon"));
        assert!(message(header("Host: a")).contains("set by mcprobe"));
        assert!(message(header("A b: c")).contains("no header name"));
        assert!(message(header("A: b\r\nC: d")).contains("control character"));
    }

    #[test]
    fn spans_scores_and_severities() {
        assert_eq!(span("x", "90").expect("seconds"), Duration::from_secs(90));
        assert_eq!(span("x", "2m").expect("minutes"), Duration::from_mins(2));
        for bad in ["0", "-1", "NaN", "inf", "soon", "0s", "200h"] {
            assert!(span("--timeout", bad).is_err(), "{bad}");
        }
        assert_eq!(min_score("75.5"), Ok(75.5));
        for bad in ["101", "-1", "NaN", "", "7O"] {
            assert!(min_score(bad).is_err(), "{bad}");
        }
        assert_eq!(fail_on("none"), Ok(None));
        assert_eq!(fail_on("medium"), Ok(Some(Severity::Warning)));
        assert!(fail_on("never").is_err());
    }

    #[test]
    fn near_words_are_offered() {
        assert_eq!(
            nearest_or_all("timout", &["timeout", "env"]),
            "did you mean `timeout`?"
        );
        assert_eq!(
            nearest_or_all("zzz", &["timeout", "env"]),
            "use one of `timeout`, `env`"
        );
    }
}
