//! Values that a description quotes as examples: `(e.g., 'Europe/Berlin')`,
//! `for example "abc"`, ``such as `foo` ``.

use crate::rules::verbs;

/// Bytes of a description that are read.
const READ: usize = 2_000;
/// Examples taken from one description.
const MOST: usize = 6;
/// The longest example, in characters.
const LONGEST: usize = 200;

/// Words that announce an example, the longer spellings first.
const MARKERS: [&str; 8] = [
    "for example",
    "for instance",
    "examples:",
    "example:",
    "such as",
    "e.g.",
    "e.g",
    "eg:",
];

const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('“', '”'), ('‘', '’')];

/// One example and what is said in front of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quoted {
    pub(super) text: String,
    /// The words of its sentence up to the example.
    pub(super) before: Vec<String>,
}

/// The examples of a description, in their order.
pub(super) fn examples(description: &str) -> Vec<Quoted> {
    let description = head(description);
    let lower = description.to_ascii_lowercase();
    let mut found: Vec<Quoted> = Vec::new();
    let mut at = 0;
    while found.len() < MOST {
        let Some((start, marker)) = next_marker(&lower, at) else {
            break;
        };
        at = start + marker.len();
        let before = verbs::words(sentence_before(&description[..start]));
        for text in values(&description[at..]) {
            if !is_placeholder(&text) {
                found.push(Quoted {
                    text,
                    before: before.clone(),
                });
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The start of the text, cut between characters.
fn head(text: &str) -> &str {
    let mut end = text.len().min(READ);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The first marker from here on that begins a word.
fn next_marker(lower: &str, from: usize) -> Option<(usize, &'static str)> {
    let mut nearest: Option<(usize, &'static str)> = None;
    for marker in MARKERS {
        let starts_word =
            |at: &usize| !lower[..*at].ends_with(|before: char| before.is_alphanumeric());
        let place = lower[from..]
            .match_indices(marker)
            .map(|(at, _)| from + at)
            .find(starts_word);
        if let Some(place) = place
            && nearest.is_none_or(|(known, _)| place < known)
        {
            nearest = Some((place, marker));
        }
    }
    nearest
}

fn sentence_before(text: &str) -> &str {
    let end = text.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    &text[end..]
}

/// The values right after a marker: one or more in quotes, or one bare word
/// that looks like a value.
fn values(after: &str) -> Vec<String> {
    let mut rest = after.trim_start_matches([' ', ',', ':', '(', '\t']);
    let mut found = Vec::new();
    while let Some((quoted, more)) = quoted(rest) {
        found.push(quoted.to_owned());
        rest = more.trim_start_matches([' ', ',', '/', ';']);
        for joiner in ["or ", "and "] {
            rest = rest.strip_prefix(joiner).unwrap_or(rest);
        }
        if found.len() == MOST {
            break;
        }
    }
    if found.is_empty() {
        found.extend(bare(rest).map(str::to_owned));
    }
    found
}

/// A text in quotes at the start, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let (_, close) = QUOTES.into_iter().find(|(known, _)| *known == open)?;
    let inside = &text[open.len_utf8()..];
    let end = inside.find(close)?;
    let (value, more) = (&inside[..end], &inside[end + close.len_utf8()..]);
    let fits = !value.is_empty() && !value.contains('\n') && value.chars().count() <= LONGEST;
    fits.then_some((value, more))
}

/// A value without quotes: one word that no sentence would have.
fn bare(text: &str) -> Option<&str> {
    let end = text
        .find([')', ']', ',', ';', '\n', ' '])
        .unwrap_or(text.len());
    let (word, more) = text.split_at(end);
    let word = word.trim_end_matches(['.', '!', '?']);
    // More words before the end of the clause: it is a description, no value.
    let alone = !more.starts_with(' ') || ["or ", "and "].iter().any(|j| more[1..].starts_with(j));
    let telling = word.starts_with(char::is_uppercase)
        || word.contains(|letter: char| letter.is_ascii_digit() || "/:_-@.".contains(letter));
    (alone
        && telling
        && word.len() > 1
        && word.chars().count() <= 80
        && !word.contains(['"', '\'']))
    .then_some(word)
}

/// Whether the example only shows a shape: `<your-key>`, `/path/to/file`.
fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("...")
        || lower.contains('…')
        || lower.contains("path/to")
        || lower.starts_with("your")
        || (lower.starts_with('<') && lower.ends_with('>'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(description: &str) -> Vec<String> {
        let found = examples(description).into_iter();
        found.map(|quoted| quoted.text).collect()
    }

    #[test]
    fn quoted_values_are_read_in_the_ways_people_write_them() {
        for (description, wanted) in [
            (
                "IANA timezone name (e.g., 'America/New_York', 'Europe/London'). Use 'UTC' otherwise.",
                vec!["America/New_York", "Europe/London"],
            ),
            ("The key, e.g. \"abc\".", vec!["abc"]),
            ("A symbol for example 'x y' or 'z'", vec!["x y", "z"]),
            ("Anything such as `foo`, not `bar`", vec!["foo"]),
            ("Zone (e.g., Europe/Berlin)", vec!["Europe/Berlin"]),
            ("A city, e.g. London", vec!["London"]),
            ("A number (e.g. 42).", vec!["42"]),
            ("Example: “B0001”", vec!["B0001"]),
            ("Filters such as the name of a city", vec![]),
            ("e.g. New York", vec![]),
            ("e.g. '/path/to/file' or '<id>'", vec![]),
            ("The leg. 'no' example", vec![]),
            ("It's what isn't one", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(texts(description), wanted, "{description}");
        }
    }

    #[test]
    fn the_words_in_front_are_kept() {
        let found = examples("Reads it. The zone, e.g. 'UTC', and more");
        assert_eq!(found[0].before, ["the", "zone"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([a-z .,('\"`“”é]|e\\.g\\.|such as|\\n){0,60}") {
            for quoted in examples(&text) {
                prop_assert!(!quoted.text.is_empty());
            }
        }
    }
}
