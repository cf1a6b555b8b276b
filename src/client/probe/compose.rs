//! The messages of the script as text.

use super::script::Script;
use crate::model::contact::Era;
use crate::protocol::jsonrpc::quote;
use crate::protocol::modern::{META_CAPABILITIES, META_CLIENT, META_VERSION};

const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// The revision of the modern era.
pub(super) const MODERN: &str = "2026-07-28";

/// A revision that never was.
pub(super) const NEVER: &str = "1900-01-01";

/// Members of `params`, the values raw JSON.
pub(super) type Members<'a> = &'a [(&'a str, &'a str)];

/// What a request's `_meta` is to hold in the modern era. In the legacy era it is
/// left out but for a progress token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meta {
    Whole,
    /// None at all.
    None,
    WithoutVersion,
    WithoutCapabilities,
    WithoutClient,
    /// With this revision.
    Version(&'static str),
    /// With this log level.
    LogLevel(&'static str),
    /// With a progress token, in both eras.
    Progress,
}

impl Script<'_> {
    /// A request of the connection's era. `members` are those of `params`, the
    /// values raw.
    pub(super) fn request(&mut self, method: &str, members: Members<'_>, meta: Meta) -> String {
        let id = self.next_id().to_string();
        request(self.era, &id, method, members, meta)
    }

    /// A request that every server of the era answers.
    pub(super) fn simple(&mut self) -> String {
        self.request(simple_method(self.era), &[], Meta::Whole)
    }

    /// The list of tools where the server has one: what a client asks for most.
    pub(super) const fn common_method(&self) -> &'static str {
        if self.inventory.tools.pages == 0 {
            simple_method(self.era)
        } else {
            "tools/list"
        }
    }
}

/// The method of a request that every server of an era answers.
pub(super) const fn simple_method(era: Era) -> &'static str {
    match era {
        Era::Legacy => "ping",
        Era::Modern => "server/discover",
    }
}

/// A request; the id and the members of `params` are raw JSON.
pub(super) fn request(
    era: Era,
    id: &str,
    method: &str,
    members: Members<'_>,
    meta: Meta,
) -> String {
    let mut params: Vec<String> = Vec::new();
    params.extend(meta.text(era).map(|meta| format!(r#""_meta":{meta}"#)));
    let members = members.iter();
    params.extend(members.map(|(name, value)| format!("{}:{value}", quote(name))));
    let params = match params.as_slice() {
        [] => String::new(),
        members => format!(r#","params":{{{}}}"#, members.join(",")),
    };
    let method = quote(method);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method}{params}}}"#)
}

impl Meta {
    /// The raw `_meta`; `None` where there is to be none.
    fn text(self, era: Era) -> Option<String> {
        let token = r#""progressToken":"mcprobe""#.to_owned();
        if era == Era::Legacy {
            return (self == Self::Progress).then(|| format!("{{{token}}}"));
        }
        if self == Self::None {
            return None;
        }
        let version = match self {
            Self::Version(version) => version,
            _ => MODERN,
        };
        let mut members = Vec::new();
        if self != Self::WithoutVersion {
            members.push(format!(r#""{META_VERSION}":"{version}""#));
        }
        if self != Self::WithoutClient {
            members.push(format!(
                r#""{META_CLIENT}":{{"name":"mcprobe","version":"{}"}}"#,
                env!("CARGO_PKG_VERSION")
            ));
        }
        if self != Self::WithoutCapabilities {
            members.push(format!(r#""{META_CAPABILITIES}":{{}}"#));
        }
        if let Self::LogLevel(level) = self {
            members.push(format!(r#""{LOG_LEVEL}":"{level}""#));
        }
        if self == Self::Progress {
            members.push(token);
        }
        Some(format!("{{{}}}", members.join(",")))
    }
}

/// `initialize` as a legacy client sends it.
pub(super) fn initialize(id: &str, version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"mcprobe","version":"{}"}}}}}}"#,
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_of_its_era() {
        let legacy =
            |members: &[(&str, &str)], meta| request(Era::Legacy, "7", "tools/list", members, meta);
        assert_eq!(
            legacy(&[], Meta::Whole),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#
        );
        assert_eq!(
            legacy(&[("cursor", "\"x\"")], Meta::Progress),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"progressToken":"mcprobe"},"cursor":"x"}}"#
        );
        for (meta, version, client, capabilities) in [
            (Meta::Whole, Some(MODERN), true, true),
            (Meta::WithoutVersion, None, true, true),
            (Meta::WithoutClient, Some(MODERN), false, true),
            (Meta::WithoutCapabilities, Some(MODERN), true, false),
            (Meta::Version(NEVER), Some(NEVER), true, true),
        ] {
            let text = request(Era::Modern, "1", "a", &[], meta);
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let found = &value["params"]["_meta"];
            assert_eq!(found[META_VERSION].as_str(), version, "{text}");
            assert_eq!(found[META_CLIENT].is_object(), client, "{text}");
            assert_eq!(found[META_CAPABILITIES].is_object(), capabilities, "{text}");
        }
        assert!(!request(Era::Modern, "1", "a", &[], Meta::None).contains("_meta"));
    }
}
