//! The target as it may be shown, and the credentials that hide in it.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use url::Url;

use crate::model::secret::Secret;
use crate::model::target::{ServerCommand, Target, TargetLabel, TransportKind};

/// What stands for a credential in a label.
const MASK: &str = "***";

/// The label of a target, and every credential found in the target itself.
pub fn label(target: &Target, name: Option<String>) -> (TargetLabel, Vec<Secret>) {
    let (transport, (display, secrets)) = match target {
        Target::Url(url) => (TransportKind::Http, url_label(url)),
        Target::Command(command) => (TransportKind::Stdio, command_label(command)),
    };
    let label = TargetLabel {
        transport,
        display,
        name,
    };
    (label, secrets)
}

/// The URL without userinfo and without secret query values.
fn url_label(url: &Url) -> (String, Vec<Secret>) {
    let mut secrets = Vec::new();
    let mut shown = url.clone();
    if !url.username().is_empty() || url.password().is_some() {
        // A user without a password is a token.
        let credential = url.password().unwrap_or(url.username());
        secrets.push(Secret::new(credential));
        secrets.push(Secret::new(percent_decoded(credential)));
        // Fails only for URLs without a host, which have no userinfo.
        let _ = shown.set_password(None);
        let _ = shown.set_username(MASK);
    }
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    if pairs.iter().any(|(key, _)| is_secret_name(key)) {
        let mut query = String::new();
        for (key, value) in pairs {
            let hidden = is_secret_name(&key) && !value.is_empty();
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(&encoded(&key));
            query.push('=');
            if hidden {
                query.push_str(MASK);
                secrets.push(Secret::new(value));
            } else {
                query.push_str(&encoded(&value));
            }
        }
        shown.set_query(Some(&query));
    }
    (shown.to_string(), secrets)
}

fn percent_decoded(text: &str) -> String {
    let form = text.replace('&', "%26").replace('+', "%2B");
    url::form_urlencoded::parse(form.replace('=', "%3D").as_bytes())
        .next()
        .map_or_else(String::new, |(decoded, _)| decoded.into_owned())
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The command line, quoted for a shell, without secret arguments. Variables
/// are not part of it.
fn command_label(command: &ServerCommand) -> (String, Vec<Secret>) {
    let mut secrets = Vec::new();
    let mut words = Vec::new();
    let mut next_is_secret = false;
    for (at, word) in command.argv.iter().enumerate() {
        let hide_word = std::mem::take(&mut next_is_secret) && !word.starts_with('-');
        if hide_word {
            secrets.push(Secret::new(word.as_str()));
            words.push(MASK.to_owned());
            continue;
        }
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word.as_str(), None),
        };
        let flag_name = flag.trim_start_matches('-');
        let is_flag = at > 0 && (flag.starts_with('-') || value.is_some());
        match value {
            Some(value) if is_flag && is_secret_name(flag_name) && !value.is_empty() => {
                secrets.push(Secret::new(value));
                words.push(format!("{}={MASK}", quoted(flag)));
                continue;
            }
            None if is_flag && is_secret_name(flag_name) => next_is_secret = true,
            _ => {}
        }
        match Url::parse(word) {
            Ok(url) if url.has_host() => {
                let (shown, found) = url_label(&url);
                // A URL without credentials keeps the user's own spelling.
                words.push(if found.is_empty() {
                    quoted(word)
                } else {
                    shown
                });
                secrets.extend(found);
            }
            _ => words.push(quoted(word)),
        }
    }
    (words.join(" "), secrets)
}

/// A word as a shell would take it.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

/// Words that make a parameter, flag or variable a credential by its name.
const SECRET_WORDS: [&str; 12] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "credential",
    "credentials",
    "key",
    "passwd",
    "password",
    "secret",
    "token",
    "pat",
];

/// Whether a name says that its value is a credential: `api_key`,
/// `--access-token`, `GITHUB_TOKEN`, `apiKey`.
pub fn is_secret_name(name: &str) -> bool {
    let mut words: Vec<String> = vec![String::new()];
    let mut last_was_lower = false;
    for c in name.chars() {
        let starts_word = last_was_lower && c.is_uppercase();
        if starts_word || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        last_was_lower = c.is_lowercase();
    }
    words
        .iter()
        .any(|word| SECRET_WORDS.contains(&word.as_str()))
}

/// Values that say nothing about anybody and would blank ordinary words.
const PUBLIC_VALUES: [&str; 14] = [
    "debug",
    "development",
    "error",
    "false",
    "http",
    "https",
    "info",
    "none",
    "null",
    "production",
    "stdio",
    "trace",
    "true",
    "warn",
];

/// The values of the user's variables that no output may hold: all but plain
/// numbers, a few ordinary words and values under four bytes, unless the name says
/// credential.
pub fn secrets_of_env<'a>(env: impl IntoIterator<Item = (&'a String, &'a String)>) -> Vec<Secret> {
    let is_public = |value: &str| {
        PUBLIC_VALUES.contains(&value.to_ascii_lowercase().as_str())
            || value.bytes().all(|b| b.is_ascii_digit())
            || value.len() < SHORTEST
    };
    env.into_iter()
        .filter(|(name, value)| is_secret_name(name) || !is_public(value))
        .map(|(_, value)| Secret::new(value.as_str()))
        .collect()
}

/// Shorter values are ordinary words, unless their name says credential.
const SHORTEST: usize = 4;

/// The values of HTTP headers that no output may hold; of `Cookie` each value by
/// itself as well.
pub fn secrets_of_headers(headers: &[(String, Secret)]) -> Vec<Secret> {
    let mut secrets = Vec::new();
    for (name, value) in headers {
        let is_cookie = name.eq_ignore_ascii_case("cookie");
        if is_secret_name(name) || is_cookie || value.expose().len() >= SHORTEST {
            secrets.push(value.clone());
        }
        if is_cookie {
            let pairs = value.expose().split(';').filter_map(|pair| {
                let (name, value) = pair.trim().split_once('=')?;
                (is_secret_name(name) || value.len() >= SHORTEST).then_some(value)
            });
            secrets.extend(pairs.map(|value| Secret::new(value.trim_matches('"'))));
        }
    }
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(target: &Target) -> (String, Vec<String>) {
        let (label, secrets) = label(target, None);
        let plain = secrets.iter().map(|s| s.expose().to_owned()).collect();
        (label.display, plain)
    }

    fn url(text: &str) -> Target {
        Target::Url(Url::parse(text).expect("a URL"))
    }

    fn command(words: &[&str]) -> Target {
        Target::Command(ServerCommand {
            argv: words.iter().map(|&word| word.to_owned()).collect(),
            ..ServerCommand::default()
        })
    }

    #[test]
    fn urls_lose_userinfo_and_secret_query_values() {
        assert_eq!(
            shown(&url(
                "https://ann:pw123@h.example/mcp?api%5Fkey=abc%20d&page=2"
            )),
            (
                "https://***@h.example/mcp?api_key=***&page=2".to_owned(),
                vec!["pw123".to_owned(), "pw123".to_owned(), "abc d".to_owned()]
            )
        );
        assert_eq!(shown(&url("http://h/mcp?a=1")).0, "http://h/mcp?a=1");
    }

    #[test]
    fn command_lines_lose_secret_arguments() {
        assert_eq!(
            shown(&command(&[
                "srv",
                "--token",
                "t0p",
                "--api-key=k1",
                "--db",
                "pg://u:p4ss@h/db",
                "a b"
            ])),
            (
                "srv --token *** --api-key=*** --db pg://***@h/db 'a b'".to_owned(),
                ["t0p", "k1", "p4ss", "p4ss"].map(str::to_owned).to_vec()
            )
        );
        assert_eq!(
            shown(&command(&["node", "--keyboard", "us"])).0,
            "node --keyboard us"
        );
    }

    #[test]
    fn users_decoded_passwords_and_cookies_are_secrets() {
        assert_eq!(shown(&url("http://tok%2B1@h/")).1, ["tok%2B1", "tok+1"]);
        let headers = [
            ("cookie", "theme=dark; session=\"abc123\"; n=1"),
            ("X-Flag", "on"),
            ("X-Token", "t1"),
        ]
        .map(|(name, value)| (name.to_owned(), Secret::new(value)));
        let secrets = secrets_of_headers(&headers);
        let plain: Vec<&str> = secrets.iter().map(Secret::expose).collect();
        assert_eq!(plain[1..], ["dark", "abc123", "t1"]);
    }

    #[test]
    fn names_of_credentials() {
        for name in [
            "apiKey",
            "API_KEY",
            "--access-token",
            "GITHUB_TOKEN",
            "x-auth",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["keyboard", "monkey", "author", "path", "tokens_per_day"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
