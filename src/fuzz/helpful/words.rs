//! Finding names and words in the text of a refusal.

/// Names shorter than this may be any word, so they must be marked as a name.
const PLAIN_NAME: usize = 3;

/// What stands before a name to mark it as one.
const INTRODUCTIONS: [&str; 8] = [
    "argument",
    "arguments",
    "field",
    "key",
    "option",
    "parameter",
    "params",
    "property",
];

/// Whether a text names a field.
pub fn names_field(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_short = name.chars().count() < PLAIN_NAME;
    places(&text, &name).any(|at| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !is_short || is_marked(before, after)
    })
}

/// Whether the text holds the word as a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty() && places(text, word).next().is_some()
}

/// Whether the text holds any of these, wherever.
pub(super) fn has_any(text: &str, all: &[&str]) -> bool {
    all.iter().any(|one| text.contains(one))
}

/// Where a name stands as a whole word.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_inner = |char: char| char.is_alphanumeric() || char == '_';
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |&at| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
        })
}

/// Whether a word between these is set apart as a name.
fn is_marked(before: &str, after: &str) -> bool {
    let opens = before.ends_with(['"', '\'', '`', '/', '.', '[', '‘', '“', '$', '<']);
    let closes = after.starts_with(['"', '\'', '`', ':', ']', '=', '’', '”', '>']);
    let introduced = before
        .trim_end_matches([' ', ':'])
        .rsplit(|char: char| !char.is_alphanumeric())
        .next()
        .is_some_and(|word| INTRODUCTIONS.contains(&word));
    opens || closes || introduced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_must_be_marked_and_long_ones_be_whole() {
        for text in [
            "'n' is wrong",
            "n: wrong",
            "bad argument n",
            "missing argument: n",
            "$.n",
            "[\"n\"]",
        ] {
            assert!(names_field(text, "n"), "{text}");
        }
        assert!(!names_field("a thing is wrong", "a"));
        assert!(names_field("the Path is wrong", "path"));
        assert!(!names_field("the file_path is wrong", "path"));
        assert!(!names_field("x", ""));
        assert!(names_field("größe: fehlt", "größe"));
    }
}
