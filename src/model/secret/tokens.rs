//! Credentials inside raw JSON. What a string says is cleaned, not how it is
//! spelt: an escape can hide any byte. Everything else stays byte for byte.

use std::borrow::Cow;

use super::{REDACTED, Redactor};
use crate::protocol::jsonrpc;
use crate::protocol::message;

/// The JSON text without credentials; JSON again when it was JSON. Linear,
/// without recursion, and total for any text.
pub(super) fn clean<'t>(redactor: &Redactor, raw: &'t str) -> Cow<'t, str> {
    let spelt = redactor.clean(raw);
    let untouched = matches!(spelt, Cow::Borrowed(_));
    if redactor.is_empty() || untouched && !raw.contains('\\') {
        return spelt;
    }
    let mut out = String::with_capacity(raw.len());
    let (mut at, mut changed) = (0, false);
    while at < raw.len() {
        let end = end_of_token(raw.as_bytes(), at);
        let token = &raw[at..end];
        at = end;
        // Where nothing was found only an escape can hide something.
        let plain = untouched && !token.contains('\\');
        match (!plain).then(|| cleaned_token(redactor, token)).flatten() {
            Some(clean) => {
                changed = true;
                out.push_str(&clean);
            }
            None => out.push_str(token),
        }
    }
    if !changed {
        return match spelt {
            // One that reaches over several tokens, a JSON text say.
            Cow::Owned(clean) => Cow::Owned(as_json(clean)),
            Cow::Borrowed(_) => spelt,
        };
    }
    match redactor.clean(&out) {
        Cow::Owned(clean) => Cow::Owned(as_json(clean)),
        Cow::Borrowed(_) => Cow::Owned(out),
    }
}

/// The text where it is JSON, else as a JSON string.
fn as_json(text: String) -> String {
    if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() {
        text
    } else {
        jsonrpc::quote(&text)
    }
}

fn cleaned_token(redactor: &Redactor, token: &str) -> Option<String> {
    if !token.starts_with('"') {
        let found = matches!(redactor.clean(token), Cow::Owned(_));
        return found.then(|| jsonrpc::quote(REDACTED));
    }
    let said = message::string(token)?;
    match redactor.clean(&said) {
        Cow::Owned(clean) => Some(jsonrpc::quote(&clean)),
        Cow::Borrowed(_) => None,
    }
}

/// The end of the string, the scalar, or the run of other bytes at `at`.
fn end_of_token(raw: &[u8], at: usize) -> usize {
    let is_scalar = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let rest = &raw[at..];
    let length = match rest[0] {
        b'"' => {
            let mut escaped = false;
            rest.iter()
                .skip(1)
                .position(|byte| {
                    let closes = *byte == b'"' && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    closes
                })
                .map(|at| at + 2)
        }
        first if is_scalar(first) => rest.iter().position(|byte| !is_scalar(*byte)),
        _ => rest
            .iter()
            .position(|byte| *byte == b'"' || is_scalar(*byte)),
    };
    length.map_or(raw.len(), |length| at + length)
}
