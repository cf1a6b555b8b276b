//! Credentials, and removing them from everything that is kept.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use scan::Scanner;

mod forms;
mod scan;
mod spelling;
mod tokens;

pub use scan::Torn;

/// A credential. Its debug form is blank and it has no display form.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a credential.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The credential itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The credential and those parts of it that are credentials by themselves: what
    /// stands after a scheme, and the password of basic authentication.
    pub fn parts(&self) -> std::collections::BTreeSet<String> {
        forms::values(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What stands in a credential's place.
pub const REDACTED: &str = "[redacted]";

/// Removes credentials from text: the value itself, hexadecimal and base64, each
/// however it is escaped, percent-encoded or cut by white space.
#[derive(Clone)]
pub struct Redactor {
    scanner: Arc<Scanner>,
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new([])
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} forms)", self.scanner.len())
    }
}

impl Redactor {
    /// A redactor for these credentials. Ones of two or three bytes are found as
    /// whole words; one of a single byte is passed over.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let needles = secrets
            .into_iter()
            .flat_map(|secret| forms::needles(secret.expose()))
            .collect();
        Self {
            scanner: Arc::new(Scanner::new(needles)),
        }
    }

    /// Whether there is nothing to remove.
    pub(crate) fn is_empty(&self) -> bool {
        self.scanner.len() == 0
    }

    /// The text without any credential in it.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.clean_torn(text, Torn::Nowhere)
    }

    /// The same for a text that was cut before: a credential that the cut goes
    /// through is removed as well.
    pub fn clean_torn<'t>(&self, text: &'t str, torn: Torn) -> Cow<'t, str> {
        let places = self.scanner.places(text, torn);
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut cleaned = String::with_capacity(text.len());
        let mut from = 0;
        for place in places {
            cleaned.push_str(&text[from..place.start]);
            cleaned.push_str(REDACTED);
            from = place.end;
        }
        cleaned.push_str(&text[from..]);
        Cow::Owned(cleaned)
    }

    /// Raw JSON without any credential in what its strings say, however they are
    /// escaped. JSON stays JSON.
    pub fn clean_json<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        tokens::clean(self, raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    fn redactor(secret: &str) -> Redactor {
        Redactor::new([&Secret::new(secret)])
    }

    fn spelt<T>(units: impl Iterator<Item = T>, spelling: impl Fn(T) -> String) -> String {
        units.map(spelling).collect()
    }

    #[test]
    fn short_values_are_whole_words_and_debug_is_blank() {
        let cleaned = redactor("ab1")
            .clean("ab1, xab1 ab1x, a b1 (ab1)")
            .into_owned();
        assert_eq!(cleaned, "[redacted], xab1 ab1x, a b1 ([redacted])");
        assert_eq!(redactor("x").clean("x"), "x");
        assert_eq!(format!("{:?}", Secret::new("abc")), "Secret(…)");
    }

    #[test]
    fn every_spelling_is_found() {
        let secret = "p/q+r s&t<u\"v\\w=é~xyz!9%41";
        let redactor = redactor(secret);
        for spelt in [
            secret,
            r#"p\/q+r s&t<u\"v\\w=é~xyz!9%41"#,
            r#"p/q+r s\u0026t\u003cu\"v\\w=\u00e9~xyz!9%41"#,
            r#"p\\/q+r s\\u0026t\\u003Cu\\\"v\\\\w=\\u00e9~xyz!9%41"#,
            r"\u0070/q+r s&t<u\x22v\u005cw=\u{e9}~xyz!9%41",
            r"\\\\u0070/q+r s&t<u\\\\x22v\\\\w=\\\\u00e9~xyz!9%41",
            "p%2Fq%2Br%20s%26t%3Cu%22v%5Cw%3D%C3%A9~xyz%219%2541",
            "p%2fq%2br+s%26t%3cu%22v%5cw%3d%c3%a9%7exyz%219%2541",
            "p%252Fq%252Br%2520s%2526t%253Cu%2522v%255Cw%253D%25C3%25A9~xyz%25219%252541",
            "p/q+r s&amp;t&lt;u&quot;v\\w=&#233;~xyz!9%41",
            "p/q+r s&t&#x3c;u&#34;v\\w=é~xyz!9%41",
            "p/q+\r\n  r s&t<u\"v\\w=é\\n~xyz!9%41",
            "702f712b7220732674 3c7522765c773dc3a97e78797a2139253431",
            "70:2F:71:2b:72:20:73:26:74:3c:75:22:76:5c:77:3d:c3:a9:7e:78:79:7a:21:39:25:34:31",
            "70, 0x2f, 0x71, 0x2b, 0x72, 0x20, 0x73, 0x26, 0x74, 0x3c, 0x75, 0x22, 0x76, 0x5c, 0x77, 0x3d, 0xc3, 0xa9, 0x7e, 0x78, 0x79, 0x7a, 0x21, 0x39, 0x25, 0x34, 0x31",
        ] {
            let text = format!("a {spelt} z");
            assert_eq!(redactor.clean(&text), "a [redacted] z", "{spelt}");
        }
    }

    #[test]
    fn parts_that_are_credentials_are_found_alone() {
        let basic = format!("Basic {}", STANDARD.encode("user:pass-word"));
        assert_eq!(redactor(&basic).clean("is pass-word"), "is [redacted]");
        assert_eq!(redactor(&basic).clean("user:pass-word"), REDACTED);
        assert_eq!(redactor("Token abcd-efgh").clean("abcd-efgh"), REDACTED);
        let pem = redactor("-----BEGIN-----\nMIIEabcdefgh\nZZTOPqrstu\n-----END-----");
        assert_eq!(pem.clean("x ZZTOPqrstu y"), "x [redacted] y");
        let crlf = "-----BEGIN-----\r\nMIIEabcdefgh\r\nZZTOPqrstu\r\n-----END-----";
        assert_eq!(pem.clean(crlf), REDACTED);
    }

    #[test]
    fn a_cut_leaves_no_half_behind() {
        let redactor = redactor("sk-Abc123Def456");
        let torn = |text: &str, torn| redactor.clean_torn(text, torn).into_owned();
        assert_eq!(torn("is sk-Abc123", Torn::End), "is [redacted]");
        assert_eq!(torn("is sk\\u002dAbc1\\u00", Torn::End), "is [redacted]");
        assert_eq!(torn("23Def456 was", Torn::Start), "[redacted] was");
        assert_eq!(torn("is sk-Abc123", Torn::Start), "is sk-Abc123");
        assert_eq!(torn("Def456 sk-Abc", Torn::Both), "[redacted] [redacted]");
        assert_eq!(torn("is so", Torn::Both), "is so");
    }

    #[test]
    fn json_stays_json_and_other_tokens_their_bytes() {
        let redactor = Redactor::new([&Secret::new("s3cr/t"), &Secret::new("12345678")]);
        for (raw, clean) in [
            (
                r#"{"a" : 1e999, "b":"\ud800"}"#,
                r#"{"a" : 1e999, "b":"\ud800"}"#,
            ),
            (
                r#"{"as3cr\/t":[ "\u0073\u0033cr/t" ]}"#,
                r#"{"a[redacted]":[ "[redacted]" ]}"#,
            ),
            (r#""\u005cu0073\u005cu0033cr/t""#, r#""[redacted]""#),
            (
                r#"{"n": 12345678, "d":1e999}"#,
                r#"{"n": "[redacted]", "d":1e999}"#,
            ),
            ("s3cr/t", "\"[redacted]\""),
        ] {
            let cleaned = redactor.clean_json(raw).into_owned();
            assert_eq!(cleaned, clean);
            assert!(serde_json::from_str::<serde::de::IgnoredAny>(&cleaned).is_ok());
        }
        let whole = Redactor::new([&Secret::new(r#"{"k":"v","l":2}"#)]);
        assert_eq!(
            whole.clean_json(r#"{"x":{"k":"v","l":2}}"#),
            r#""{\"x\":[redacted]}""#
        );
        let deep = format!("{}\"\\u00733cr/t\"", "[".repeat(100_000));
        assert!(redactor.clean_json(&deep).ends_with("[redacted]\""));
    }

    #[test]
    fn a_text_made_to_be_slow_is_given_up() {
        let redactor = redactor(&format!("{}b", "a".repeat(4000)));
        let text = "a".repeat(400_000);
        let cleaned = redactor.clean(&text);
        assert!(cleaned.len() < text.len() && cleaned.ends_with(REDACTED));
        let slashes = "\\".repeat(400_000);
        assert_eq!(redactor.clean(&slashes), slashes);
    }

    proptest! {
        #[test]
        fn no_form_of_a_secret_survives(token in "[A-Za-z0-9+/=_ \"\\\\%&é-]{8,40}", before in "[a-z]{0,5}", after in "[a-z]{0,5}") {
            let redactor = redactor(&token);
            let joined = format!("{before}{token}{after}");
            prop_assert!(!redactor.clean(&joined).contains(&token));
            let encoded = STANDARD.encode(&joined);
            let cleaned = redactor.clean(&encoded).into_owned();
            prop_assert!(cleaned.contains(REDACTED), "{encoded} -> {cleaned}");
            let quoted = serde_json::to_string(&joined).unwrap_or_default();
            prop_assert!(redactor.clean(&quoted).contains(REDACTED));
            let twice = serde_json::to_string(&quoted).unwrap_or_default();
            prop_assert!(redactor.clean(&twice).contains(REDACTED));
            let units: String = spelt(joined.encode_utf16(), |unit| format!("\\u{unit:04x}"));
            prop_assert_eq!(redactor.clean_json(&format!("\"{units}\"")).contains(REDACTED), true);
            for form in [
                spelt(joined.bytes(), |byte| format!("%{byte:02x}")),
                spelt(joined.bytes(), |byte| format!("%{byte:02X}")),
                url::form_urlencoded::byte_serialize(joined.as_bytes()).collect(),
            ] {
                prop_assert!(redactor.clean(&form).contains(REDACTED), "{}", form);
            }
        }

        #[test]
        fn any_text_is_cleaned(secret in "[ab\\\\%&u0é]{1,12}", text in "[ab\\\\%&u0é\"{}:,#x ]{0,60}") {
            let redactor = redactor(&secret);
            for torn in [Torn::Nowhere, Torn::Start, Torn::End, Torn::Both] {
                let _ = redactor.clean_torn(&text, torn);
            }
            let cleaned = redactor.clean_json(&text).into_owned();
            let valid = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            prop_assert!(!valid(&text) || valid(&cleaned), "{} -> {}", text, cleaned);
        }
    }
}
