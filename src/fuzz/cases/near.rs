//! Names that are nearly right: the plural for the singular, `max_depth` for
//! `maxDepth`, a common synonym. A model sends them; a server that drops them
//! answers as if nothing had been said.

use super::bench::Bench;
use super::fields::Field;
use super::optional::telling_value;
use super::{case, labels};
use crate::model::fuzz::{Case, CaseClass};
use crate::rules::verbs;

/// Properties that the valid arguments leave out and that are tried.
const MOST_LEFT_OUT: usize = 3;
/// Properties that the valid arguments hold and that are tried.
const MOST_GIVEN: usize = 2;

/// The valid arguments with one more key, nearly that of a declared property,
/// where the object is open to it.
pub(super) fn cases(bench: &Bench<'_>) -> Vec<Case> {
    let top = || bench.fields.iter().filter(|field| field.is_top());
    let left_out = top()
        .filter(|field| !field.required && field.value(&bench.valid).is_none())
        .filter_map(|field| near_miss(bench, field))
        .take(MOST_LEFT_OUT);
    let required = top()
        .filter(|field| field.required)
        .filter_map(|field| near_miss(bench, field))
        .take(MOST_GIVEN);
    left_out.chain(required).collect()
}

fn near_miss(bench: &Bench<'_>, field: &Field) -> Option<Case> {
    // Another property that is called much the same is no near miss but a hit.
    let taken = |name: &str| {
        let words = verbs::words(name);
        let mut declared = bench.fields.iter().filter(|other| other.is_top());
        declared.any(|other| {
            other.name == name || (other.name != field.name && verbs::words(&other.name) == words)
        }) || bench.valid.get(name).is_some()
    };
    let name = near_names(&field.name)
        .into_iter()
        .find(|name| !taken(name))?;
    let mut bent = bench.valid.clone();
    bent.as_object_mut()?
        .insert(name.clone(), telling_value(bench, field)?);
    // Where the object is closed the unknown key is a case of its own.
    let label = format!("{}{name}->{}", labels::NEAR_MISS, field.name);
    bench
        .takes(&bent)
        .then(|| case(&label, CaseClass::ExtraKey, &bent))
}

/// Names for the same thing, each way round.
const SYNONYMS: [(&str, &str); 22] = [
    ("query", "q"),
    ("search", "query"),
    ("limit", "max_results"),
    ("count", "limit"),
    ("per_page", "page_size"),
    ("path", "file_path"),
    ("directory", "dir"),
    ("folder", "directory"),
    ("filename", "file_name"),
    ("depth", "max_depth"),
    ("length", "max_length"),
    ("url", "uri"),
    ("text", "content"),
    ("message", "text"),
    ("name", "title"),
    ("language", "lang"),
    ("timezone", "tz"),
    ("offset", "start"),
    ("from", "start_date"),
    ("to", "end_date"),
    ("id", "identifier"),
    ("pattern", "regex"),
];

/// Words in front of a name that are easily left out.
const LOOSE_FIRST: [&str; 8] = [
    "max", "min", "num", "file", "target", "search", "include", "is",
];

/// How the name is easily missed, the likeliest first.
fn near_names(name: &str) -> Vec<String> {
    let words = verbs::words(name);
    let [first, rest @ ..] = words.as_slice() else {
        return Vec::new();
    };
    let style = Style::of(name);
    let snake = words.join("_");
    let mut found = Vec::new();
    for (one, other) in SYNONYMS {
        for (known, near) in [(one, other), (other, one)] {
            if snake == known {
                let near: Vec<String> = near.split('_').map(str::to_owned).collect();
                found.push(style.join(&near));
            }
        }
    }
    if !rest.is_empty() {
        if LOOSE_FIRST.contains(&first.as_str()) {
            found.push(style.join(rest));
        }
        found.push(style.other().join(&words));
    }
    let mut other_number = words.clone();
    if let Some(last) = other_number.last_mut() {
        *last = other_number_of(last);
        found.push(style.join(&other_number));
    }
    found.retain(|near| near != name && !near.is_empty());
    found
}

/// The plural of a singular, the singular of a plural.
fn other_number_of(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    match word.strip_suffix('s') {
        Some(singular) if !singular.is_empty() && !singular.ends_with('s') => singular.to_owned(),
        Some(_) => format!("{word}es"),
        None => match word.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{word}s"),
        },
    }
}

/// How the words of a name are joined.
#[derive(Debug, Clone, Copy)]
enum Style {
    Snake,
    Kebab,
    Camel,
}

impl Style {
    fn of(name: &str) -> Self {
        if name.contains('-') {
            Self::Kebab
        } else if name.chars().any(char::is_uppercase) {
            Self::Camel
        } else {
            Self::Snake
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Snake => Self::Camel,
            Self::Kebab | Self::Camel => Self::Snake,
        }
    }

    fn join(self, words: &[String]) -> String {
        match self {
            Self::Snake => words.join("_"),
            Self::Kebab => words.join("-"),
            Self::Camel => {
                let mut name = String::new();
                for (at, word) in words.iter().enumerate() {
                    let mut letters = word.chars();
                    match letters.next() {
                        Some(first) if at > 0 => name.extend(first.to_uppercase()),
                        Some(first) => name.push(first),
                        None => {}
                    }
                    name.push_str(letters.as_str());
                }
                name
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_missed_as_models_miss_them() {
        for (name, near) in [
            ("maxDepth", "depth"),
            ("file_path", "path"),
            ("path", "filePath"),
            ("q", "query"),
            ("limit", "max_results"),
            ("max_results", "limit"),
            ("start_line", "startLine"),
            ("startLine", "start_line"),
            ("start-line", "start_line"),
            ("tags", "tag"),
            ("city", "cities"),
            ("address", "addresses"),
            ("categories", "category"),
        ] {
            let all = near_names(name);
            let wanted = if name == "path" { "file_path" } else { near };
            assert_eq!(
                all.first().map(String::as_str),
                Some(wanted),
                "{name}: {all:?}"
            );
        }
        for odd in ["", "_", "💥", "ſ", "a", "1"] {
            assert!(!near_names(odd).contains(&odd.to_owned()), "{odd}");
        }
    }
}
