//! From words to a destination.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use url::Url;

use super::{DEFAULT_ADDRESS, Destination};
use crate::config::ConfigError;
use crate::model::secret::Secret;
use crate::model::target::is_loopback;

/// The destination of these words. `address` is what the flag or input says, else
/// what the environment says; `source` names the one that was said.
///
/// # Errors
///
/// A token or an address that cannot be used, in one line without the token.
pub fn destination(
    token: &str,
    address: Option<&str>,
    source: &str,
) -> Result<Destination, ConfigError> {
    let token = token.trim();
    if token.bytes().any(|byte| !byte.is_ascii_graphic()) {
        return Err(ConfigError::new(
            "the token for the dashboard holds blanks or characters that no header takes; give the key alone, without `Bearer`",
        ));
    }
    let address = address.map(str::trim).filter(|address| !address.is_empty());
    let address = address.unwrap_or(DEFAULT_ADDRESS);
    let url = Url::parse(address)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or_else(|| {
            ConfigError::new(format!(
                "{source}: it is no http:// or https:// address; write it whole, such as {DEFAULT_ADDRESS}"
            ))
        })?;
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(ConfigError::new(format!(
            "{source}: over plain HTTP the token could be read on its way; use an https:// address"
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ConfigError::new(format!(
            "{source}: the address holds a user or a password; the token alone is sent"
        )));
    }
    Ok(Destination {
        url,
        token: Secret::new(token),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_tokens_that_would_leak_are_refused() {
        let told = |token: &str, address: Option<&str>| match destination(token, address, "--to") {
            Ok(to) => format!("{} {}", to.url, to.token.expose()),
            Err(error) => error.message,
        };
        let lines = [
            told("k-1", None),
            told(" k-1\n", Some("http://127.0.0.1:9/in")),
            told("k-1", Some("http://dash.example.com/in")),
            told("k-1", Some("https://me:pw@dash.example.com/in")),
            told("k-1", Some("dash.example.com")),
            told("k-1", Some(" ")),
            told("Bearer k-1", None),
            told("k\u{e9}", None),
        ];
        insta::assert_snapshot!(lines.join("\n"));
        assert!(!lines[2..].iter().any(|line| line.contains("pw@")));
    }
}
