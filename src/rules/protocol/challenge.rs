//! Parameters of a `WWW-Authenticate` challenge (RFC 9110, section 11.6.1).

/// The value of a parameter, quoted or not; the name is compared without regard to
/// case. Total: a challenge that cannot be read has none.
pub(super) fn parameter(challenge: &str, name: &str) -> Option<String> {
    let mut rest = challenge;
    while let Some(at) = rest.find('=') {
        let before = rest.get(..at)?.trim_end();
        let key = before.rsplit([' ', ',', '\t']).next().unwrap_or_default();
        let (value, after) = value(rest.get(at + 1..)?.trim_start());
        if key.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// The value at the start of a text, and what comes after it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        let (value, rest) = text.split_at(end);
        return (value.to_owned(), rest);
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            letter => value.push(letter),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::parameter;

    #[test]
    fn parameters_are_read_quoted_or_not() {
        let text = r#"Bearer realm="a, scope=x \"q\"", Scope = "files:read b", resource_metadata=https://a/b"#;
        assert_eq!(parameter(text, "scope").as_deref(), Some("files:read b"));
        assert_eq!(
            parameter(text, "resource_metadata").as_deref(),
            Some("https://a/b")
        );
        assert_eq!(
            parameter(text, "realm").as_deref(),
            Some(r#"a, scope=x "q""#)
        );
        assert_eq!(parameter(text, "error"), None);
        for odd in ["", "=", "Bearer", "a=\"", "a=\"\\", "ä=ö"] {
            assert_eq!(parameter(odd, "scope"), None, "{odd}");
        }
    }
}
