//! `[[suppress]]` of the settings file, checked.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;

use super::file::SuppressEntry;
use super::merge::nearest_rule;
use super::{ConfigError, LoadedFile, parse};
use crate::model::finding::Family;
use crate::model::suppression::{Suppression, Suppressions};
use crate::rules;

/// What is suppressed: every rule exists, every entry has a reason, every day is one of
/// the calendar, and no entry says what another one says.
pub(super) fn read(file: &LoadedFile) -> Result<Suppressions, ConfigError> {
    let mut entries: Vec<Suppression> = Vec::new();
    let mut places = BTreeMap::new();
    for (at, entry) in file.config.suppress.iter().enumerate() {
        let place = (&entry.rule, &entry.tool, &entry.pointer);
        let read = checked(entry).and_then(|suppression| match places.insert(place, at) {
            None => Ok(suppression),
            Some(first) => Err(format!(
                "it concerns the same rule, tool and pointer as entry {}; keep one",
                first + 1
            )),
        });
        entries.push(read.map_err(|why| {
            ConfigError::new(format!(
                "[[suppress]] of the settings file, entry {}: {why}",
                at + 1
            ))
        })?);
    }
    Ok(Suppressions {
        entries,
        today: file.read_on,
    })
}

fn checked(entry: &SuppressEntry) -> Result<Suppression, String> {
    let code = &entry.rule;
    let Some(rule) = rules::rule(code) else {
        return Err(format!(
            "there is no rule `{}`; {}",
            parse::shown(code),
            nearest_rule(code)
        ));
    };
    if rule.family == Family::Settings {
        return Err(format!(
            "`{code}` is about suppressions themselves; turn it off under [rules], or remove the entry that it names"
        ));
    }
    if entry.reason.trim().is_empty() {
        return Err(format!(
            "the reason of `{code}` is blank; say why it may stay"
        ));
    }
    if entry.tool.as_deref() == Some("") {
        return Err(format!(
            "the tool of `{code}` is blank; name one, or leave it out for all"
        ));
    }
    if let Some(pointer) = &entry.pointer {
        check_pointer(pointer)?;
    }
    let expires = match &entry.expires {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|why| format!("expires: `{}` is no day; {why}", parse::shown(text)))?,
        ),
    };
    Ok(Suppression {
        code: code.clone(),
        tool: entry.tool.clone(),
        pointer: entry.pointer.clone(),
        reason: entry.reason.trim().to_owned(),
        expires,
    })
}

fn check_pointer(pointer: &str) -> Result<(), String> {
    let escapes = pointer.split('~').skip(1);
    let is_escaped = |rest: &str| rest.starts_with(['0', '1']);
    if pointer.starts_with('/') && escapes.clone().all(is_escaped) {
        return Ok(());
    }
    Err(format!(
        "`{}` is no JSON pointer; write one such as /inputSchema/properties/path (`~1` for a slash in a name, `~0` for a tilde), or leave it out for every place",
        parse::shown(pointer)
    ))
}
