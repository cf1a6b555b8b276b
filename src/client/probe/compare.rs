//! A list that was read again, held against the first reading.

use std::collections::BTreeMap;

use crate::fuzz::answer::digest;
use crate::model::inventory::Listing;
use crate::model::probe::ListComparison;
use crate::protocol::json;
use crate::protocol::message::string;

/// The longest list that is compared.
pub(super) const MAX_ENTRIES: usize = 2_000;

/// How many names of a kind are kept.
const MAX_NAMES: usize = 20;

/// How much of a name is kept, in characters.
const NAME_CHARS: usize = 100;

/// What the second reading has that the first had not, and the other way round.
/// Members of an entry may come in any order.
pub(super) fn compare(first: &Listing, second: &Listing, key: &str) -> ListComparison {
    let longest = first.entries.len().max(second.entries.len());
    if longest > MAX_ENTRIES {
        return ListComparison {
            not_compared: Some(format!("it has more than {MAX_ENTRIES} entries")),
            ..ListComparison::default()
        };
    }
    let (before, after) = (entries(first, key), entries(second, key));
    let (old, new) = (by_name(&before), by_name(&after));
    let mut comparison = ListComparison::default();
    for (name, digests) in &new {
        match old.get(name) {
            None => comparison.added.push(shown(name)),
            Some(known) if known.len() < digests.len() => comparison.added.push(shown(name)),
            Some(known) if known.len() > digests.len() => comparison.removed.push(shown(name)),
            Some(known) if known != digests => comparison.changed.push(shown(name)),
            Some(_) => {}
        }
    }
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    comparison.removed.extend(gone.map(|name| shown(name)));
    comparison.reordered = comparison.same_entries() && before != after;
    for names in [
        &mut comparison.added,
        &mut comparison.removed,
        &mut comparison.changed,
    ] {
        names.truncate(MAX_NAMES);
    }
    comparison
}

/// Name and content of each entry, in order.
fn entries(list: &Listing, key: &str) -> Vec<(String, String)> {
    let read = |(index, raw): (usize, &serde_json::value::RawValue)| {
        let name = json::pick(raw.get(), [key])
            .and_then(|[name]| string(name?.get()))
            .unwrap_or_else(|| format!("[{index}]"));
        let reading = json::read(raw.get());
        let content = if reading.value.is_null() {
            digest(&serde_json::Value::from(raw.get()))
        } else {
            digest(&reading.value)
        };
        (name, content)
    };
    let raw = list.entries.iter().map(AsRef::as_ref);
    raw.enumerate().map(read).collect()
}

/// The contents under each name, sorted.
fn by_name(entries: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, content) in entries {
        named.entry(name).or_default().push(content);
    }
    for contents in named.values_mut() {
        contents.sort_unstable();
    }
    named
}

fn shown(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::inventory::ListEnd;

    fn list(entries: &[&str]) -> Listing {
        Listing {
            entries: entries
                .iter()
                .map(|text| serde_json::from_str(text).expect("JSON"))
                .collect(),
            pages: 1,
            end: ListEnd::Complete,
        }
    }

    #[test]
    fn every_difference_is_told() {
        let first = list(&[
            r#"{"name":"a","x":1}"#,
            r#"{"name":"b"}"#,
            r#"{"name":"c"}"#,
        ]);
        let same = list(&[
            r#"{"x":1,"name":"a"}"#,
            r#"{"name":"b"}"#,
            r#"{"name":"c"}"#,
        ]);
        assert_eq!(compare(&first, &same, "name"), ListComparison::default());
        let turned = list(&[
            r#"{"name":"b"}"#,
            r#"{"name":"a","x":1}"#,
            r#"{"name":"c"}"#,
        ]);
        let turned = compare(&first, &turned, "name");
        assert!(turned.reordered && turned.same_entries());
        let other = list(&[
            r#"{"name":"a","x":2}"#,
            r#"{"name":"b"}"#,
            r#"{"name":"b"}"#,
            "7",
        ]);
        let other = compare(&first, &other, "name");
        assert_eq!(other.added, ["[3]", "b"]);
        assert_eq!(other.removed, ["c"]);
        assert_eq!(other.changed, ["a"]);
        assert!(!other.reordered);
    }

    #[test]
    fn a_long_list_is_left_alone() {
        let long = list(&vec!["{}"; MAX_ENTRIES + 1]);
        let comparison = compare(&long, &long, "name");
        assert!(comparison.not_compared.is_some());
    }
}
