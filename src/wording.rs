//! Counts and lists of names as they stand in sentences.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// A count with its noun: "1 tool", "2 tools". The noun takes a plain `s`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// Names for a sentence, each once and in backticks (in quotes where the name
/// itself has some), at most `most` of them:
/// "`a`, `b` and 3 more".
pub fn names<'a>(all: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut unique: Vec<&str> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for name in all {
        if seen.insert(name) {
            unique.push(name);
        }
    }
    let shown: Vec<String> = unique
        .iter()
        .take(most)
        .map(|name| {
            let name = cut(name, 64);
            if name.contains('`') {
                format!("“{name}”")
            } else {
                format!("`{name}`")
            }
        })
        .collect();
    match (shown.as_slice(), unique.len().saturating_sub(most)) {
        ([], _) => String::new(),
        ([one], 0) => one.clone(),
        ([head @ .., last], 0) => format!("{} and {last}", head.join(", ")),
        (some, rest) => format!("{} and {rest} more", some.join(", ")),
    }
}

/// The text up to `most` characters; a cut one ends in "…".
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_a_person_would_write_them() {
        assert_eq!(names([], 3), "");
        assert_eq!(names(["a", "a"], 3), "`a`");
        assert_eq!(names(["a", "b"], 3), "`a` and `b`");
        assert_eq!(names(["a", "b", "c", "d"], 3), "`a`, `b`, `c` and 1 more");
        assert_eq!(count(1, "tool"), "1 tool");
        assert_eq!(count(0, "tool"), "0 tools");
    }

    #[test]
    fn a_cut_keeps_its_promise_about_length() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüx", 3), "äö…");
        assert_eq!(cut("abc", 0), "…");
    }
}
