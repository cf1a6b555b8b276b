//! Credentials, and removing them from everything that is kept.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

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
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What stands in a credential's place.
pub const REDACTED: &str = "[redacted]";

/// The shortest credential that is searched for. Shorter ones would blank
/// ordinary words.
const SHORTEST: usize = 4;

/// Removes credentials from text, in plain, JSON-escaped, percent-encoded,
/// hexadecimal and base64 form.
#[derive(Clone, Default)]
pub struct Redactor {
    needles: Vec<String>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} forms)", self.needles.len())
    }
}

impl Redactor {
    /// A redactor for these credentials. Ones under four bytes are passed over.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut needles = Vec::new();
        for secret in secrets {
            let whole = secret.expose();
            needles.extend(forms(whole));
            // `Authorization: Bearer abc` — the part after the scheme alone, too.
            if let Some((_, token)) = whole.split_once(' ') {
                needles.extend(forms(token));
            }
        }
        needles.retain(|needle| needle.len() >= SHORTEST);
        // The longest first, so that a whole form goes before a part of it.
        needles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        needles.dedup();
        Self { needles }
    }

    /// The text without any credential in it.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut cleaned = Cow::Borrowed(text);
        for needle in &self.needles {
            if cleaned.contains(needle.as_str()) {
                cleaned = Cow::Owned(cleaned.replace(needle.as_str(), REDACTED));
            }
        }
        cleaned
    }
}

/// The forms in which a credential may come back.
fn forms(secret: &str) -> Vec<String> {
    if secret.len() < SHORTEST {
        return Vec::new();
    }
    let mut forms = vec![secret.to_owned()];
    if let Ok(quoted) = serde_json::to_string(secret) {
        forms.push(quoted[1..quoted.len() - 1].to_owned());
    }
    let percent: String = secret
        .bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() || b"-_.~".contains(&b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect();
    forms.push(percent);
    let hex = secret.bytes().fold(String::new(), |mut hex, b| {
        let _ = write!(hex, "{b:02x}");
        hex
    });
    forms.push(hex.to_ascii_uppercase());
    forms.push(hex);
    // A base64 text shows the secret at one of three alignments; the characters
    // that also depend on its neighbours are left out at both ends.
    for shift in 0..3_usize {
        let mut padded = vec![0_u8; shift];
        padded.extend_from_slice(secret.as_bytes());
        let first = (shift * 8).div_ceil(6);
        let last = padded.len() * 8 / 6;
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            let text = engine.encode(&padded);
            if last > first + SHORTEST {
                forms.push(text[first..last].to_owned());
            }
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    #[test]
    fn short_values_are_left_alone_and_debug_is_blank() {
        let secret = Secret::new("abc");
        assert_eq!(Redactor::new([&secret]).clean("abc"), "abc");
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }

    proptest! {
        #[test]
        fn no_form_of_a_secret_survives(token in "[A-Za-z0-9+/=_ \"\\\\-]{8,40}", before in "[a-z]{0,5}", after in "[a-z]{0,5}") {
            let secret = Secret::new(token.clone());
            let redactor = Redactor::new([&secret]);
            let joined = format!("{before}{token}{after}");
            prop_assert!(!redactor.clean(&joined).contains(&token));
            let encoded = STANDARD.encode(&joined);
            let cleaned = redactor.clean(&encoded).into_owned();
            prop_assert!(cleaned.contains(REDACTED), "{encoded} -> {cleaned}");
            let quoted = serde_json::to_string(&joined).unwrap_or_default();
            prop_assert!(redactor.clean(&quoted).contains(REDACTED));
        }
    }
}
