//! Credentials in a text, by the shapes that their issuers give them.
//!
//! Careful rather than complete: a shape must have its prefix, its length and its
//! alphabet, and what the client sent itself is none.

/// What was found, and how it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Credential<'a> {
    pub(super) what: &'static str,
    pub(super) head: &'a str,
}

/// Characters of a credential that may be shown.
const SHOWN: usize = 4;

/// A prefix, and what must follow it.
struct Shape {
    what: &'static str,
    prefix: &'static str,
    /// The least number of characters after the prefix.
    least: usize,
    /// Besides letters and digits.
    also: &'static str,
}

const fn shape(
    what: &'static str,
    prefix: &'static str,
    least: usize,
    also: &'static str,
) -> Shape {
    Shape {
        what,
        prefix,
        least,
        also,
    }
}

const SHAPES: [Shape; 20] = [
    shape("an AWS access key", "AKIA", 16, ""),
    shape("an AWS access key", "ASIA", 16, ""),
    shape("a GitHub token", "ghp_", 36, ""),
    shape("a GitHub token", "gho_", 36, ""),
    shape("a GitHub token", "ghu_", 36, ""),
    shape("a GitHub token", "ghs_", 36, ""),
    shape("a GitHub token", "github_pat_", 22, "_"),
    shape("a GitLab token", "glpat-", 20, "-_"),
    shape("a Slack token", "xoxb-", 20, "-"),
    shape("a Slack token", "xoxp-", 20, "-"),
    shape("a Google API key", "AIza", 35, "-_"),
    shape("an Anthropic API key", "sk-ant-", 20, "-_"),
    shape("an OpenAI API key", "sk-proj-", 20, "-_"),
    shape("an API key", "sk-", 32, ""),
    shape("a Stripe key", "sk_live_", 16, ""),
    shape("a Stripe key", "rk_live_", 16, ""),
    shape("an npm token", "npm_", 36, ""),
    shape("a PyPI token", "pypi-", 32, "-_"),
    shape("a Hugging Face token", "hf_", 30, ""),
    shape("a SendGrid key", "SG.", 40, "-_."),
];

/// The first credential of a text. `known` are texts that the client knows.
pub(super) fn find<'a>(text: &'a str, known: &[&str]) -> Option<Credential<'a>> {
    let found = private_key(text)
        .or_else(|| words(text).find_map(|(word, before)| of_word(word, before)))
        .filter(|(_, whole)| !known.iter().any(|text| text.contains(whole)));
    found.map(|(what, whole)| {
        let end = whole
            .char_indices()
            .nth(SHOWN)
            .map_or(whole.len(), |(at, _)| at);
        Credential {
            what,
            head: &whole[..end],
        }
    })
}

fn private_key(text: &str) -> Option<(&'static str, &str)> {
    let start = text.find("-----BEGIN ")?;
    let line = text[start..].lines().next().unwrap_or_default();
    line.ends_with("PRIVATE KEY-----")
        .then_some(("a private key", line))
}

/// The words of a text, each with the one before it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut before = "";
    text.split(|char: char| {
        char.is_whitespace() || matches!(char, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '<' | '>')
    })
    .filter(|word| !word.is_empty())
    .map(move |word| {
        let pair = (word, before);
        before = word;
        pair
    })
}

fn of_word<'a>(word: &'a str, before: &str) -> Option<(&'static str, &'a str)> {
    // `key=…`, `token:…`
    let value = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let parts = [
        word,
        value,
        value.rsplit_once(':').map_or(value, |(_, v)| v),
    ];
    for part in parts {
        if let Some(what) = by_prefix(part) {
            return Some((what, part));
        }
        if is_web_token(part) {
            return Some(("a JSON web token", part));
        }
    }
    if has_password(word) {
        // Of the whole address, so that nothing of the password is shown.
        return Some(("a password in an address", word));
    }
    let is_bearer = before.eq_ignore_ascii_case("bearer")
        && word.len() >= 20
        && word.bytes().all(is_token_byte)
        && word.bytes().any(|byte| byte.is_ascii_digit());
    is_bearer.then_some(("a bearer token", word))
}

fn by_prefix(word: &str) -> Option<&'static str> {
    SHAPES.iter().find_map(|shape| {
        let rest = word.strip_prefix(shape.prefix)?;
        let length = rest
            .chars()
            .take_while(|char| char.is_ascii_alphanumeric() || shape.also.contains(*char))
            .count();
        let body = rest.get(..length)?;
        // An example such as `sk-xxxxxxxx…` has no digit.
        (length >= shape.least && body.bytes().any(|byte| byte.is_ascii_digit()))
            .then_some(shape.what)
    })
}

/// Three base64url parts, the first two of which are JSON objects.
fn is_web_token(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let [head, body, signature] = parts.as_slice() else {
        return false;
    };
    head.starts_with("eyJ")
        && body.starts_with("eyJ")
        && signature.len() >= 16
        && word.bytes().all(|byte| byte == b'.' || is_token_byte(byte))
}

const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'+' | b'=' | b'~')
}

/// Whether a word is an address such as `scheme://user:password@host`.
fn has_password(word: &str) -> bool {
    let login = word
        .split_once("://")
        .and_then(|(_, rest)| rest.split('/').next())
        .and_then(|rest| rest.rsplit_once('@'));
    let Some((login, host)) = login else {
        return false;
    };
    let Some((_, password)) = login.split_once(':') else {
        return false;
    };
    let is_placeholder = password.contains(['*', '<', '[', '{', '$', '%'])
        || password.to_ascii_lowercase().contains("password")
        || password.to_ascii_lowercase().contains("redacted")
        || password.chars().all(|char| matches!(char, 'x' | 'X' | '.'));
    !host.is_empty() && password.len() >= 4 && !is_placeholder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&'static str, &str)> {
        find(text, &["{\"key\":\"AKIAABCDEFGHIJKLMNO1\"}"]).map(|found| (found.what, found.head))
    }

    #[test]
    fn well_known_shapes_are_found_and_only_their_head_is_shown() {
        let token =
            |prefix: &str, length: usize| format!("{prefix}{}", "a1B2".repeat(length / 4 + 1));
        for (text, what) in [
            (
                "denied for AKIAIOSFODNN7EXAMPLE".to_owned(),
                "an AWS access key",
            ),
            (
                format!("401 with Authorization: token {}", token("ghp_", 36)),
                "a GitHub token",
            ),
            (
                format!("OPENAI_API_KEY={}", token("sk-proj-", 40)),
                "an OpenAI API key",
            ),
            (
                format!("{{\"key\":\"{}\"}}", token("sk_live_", 24)),
                "a Stripe key",
            ),
            (
                "eyJhbGciOi.eyJzdWIiOiIx.abcdefghij0123456789".to_owned(),
                "a JSON web token",
            ),
            (
                "cannot reach postgres://app:hunter22@db.local:5432/x".to_owned(),
                "a password in an address",
            ),
            (
                "sent Bearer abcdef0123456789abcdef".to_owned(),
                "a bearer token",
            ),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE".to_owned(),
                "a private key",
            ),
        ] {
            let (found, head) = found(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found, what, "{text}");
            assert_eq!(head.len(), 4, "{text}");
        }
    }

    #[test]
    fn plain_refusals_and_examples_hold_none() {
        for text in [
            "AKIAABCDEFGHIJKLMNO1 is no known key",
            "the key must begin with sk- and have 48 characters",
            "use sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "use postgres://user:password@host/db or postgres://u:***@h/db",
            "Bearer token is missing",
            "see https://example.com/a:b@c",
            "commit 0123456789abcdef0123456789abcdef01234567 is unknown",
            "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
