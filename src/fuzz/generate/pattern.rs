//! Texts for a `pattern`: read as ECMA-262, its structure walked, one text a try.
//!
//! Look-around cannot be walked. It is left out of the structure, and what a
//! positive look-ahead asks for is put in front of the text; a validator has the
//! last word on every text anyway.

use std::fmt::Write as _;

use rand_chacha::ChaCha8Rng;
use rand_core::Rng as _;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Texts tried for one pattern.
const TRIES: usize = 12;
/// The longest text that is made, in characters.
const LONGEST: usize = 20_000;
/// Nodes visited for one text.
const STEPS: usize = 100_000;

/// Texts that probably match, the plainest first. `min` and `max` are lengths
/// in characters that the texts aim at; `salt` makes the members of a set differ.
pub(super) fn texts(
    pattern: &str,
    (min, max): (usize, usize),
    salt: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<String> {
    let Translation { body, ahead } = translate(pattern);
    let Some(hir) = parse(&body) else {
        return Vec::new();
    };
    let ahead: Vec<Hir> = ahead
        .iter()
        .filter_map(|inner| parse(&translate(inner).body))
        .collect();
    let ends_open = !body.ends_with('$') || body.ends_with("\\$");
    let mut found = Vec::new();
    for attempt in 0..TRIES {
        let mut maker = Maker {
            rng,
            attempt,
            spare: 0,
            steps_left: STEPS,
            text: String::new(),
        };
        let mut made = maker.make(&hir);
        let length = maker.text.chars().count();
        if made && length < min.max(attempt / 3) {
            // Once more, now with what is missing put into the repetitions.
            maker.spare = min.max(attempt / 3).min(max) - length.min(max);
            maker.text.clear();
            made = maker.make(&hir);
        }
        let body_text = maker.text.clone();
        maker.text.clear();
        let made_ahead = ahead.iter().all(|inner| maker.make(inner));
        let prefix = maker.text;
        if !made {
            continue;
        }
        let mut texts = vec![body_text.clone()];
        if made_ahead && !prefix.is_empty() {
            texts.push(format!("{prefix}{body_text}"));
            let rest: String = body_text.chars().skip(prefix.chars().count()).collect();
            texts.push(format!("{prefix}{rest}"));
        }
        for mut text in texts {
            let length = text.chars().count();
            if ends_open && length < min && min <= LONGEST {
                text.extend(std::iter::repeat_n('a', min - length));
            }
            if ends_open && salt > 0 {
                let _ = write!(text, "{}", salt + 1);
            }
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    let turns = salt % found.len().max(1);
    found.rotate_left(turns);
    found
}

fn parse(pattern: &str) -> Option<Hir> {
    regex_syntax::ParserBuilder::new()
        .nest_limit(50)
        .build()
        .parse(pattern)
        .ok()
}

struct Translation {
    body: String,
    ahead: Vec<String>,
}

/// An ECMA pattern in the parser's dialect, without look-around.
fn translate(pattern: &str) -> Translation {
    let chars: Vec<char> = pattern.chars().collect();
    let (mut body, mut ahead) = (String::new(), Vec::new());
    let (mut at, mut in_class) = (0, false);
    while at < chars.len() {
        let rest = &chars[at..];
        match rest {
            ['\\', 'd', ..] => at += push(&mut body, if in_class { "0-9" } else { "[0-9]" }, 2),
            ['\\', 'w', ..] => {
                let class = if in_class {
                    "0-9A-Za-z_"
                } else {
                    "[0-9A-Za-z_]"
                };
                at += push(&mut body, class, 2);
            }
            [
                '\\',
                letter @ ('D' | 'W' | 's' | 'S' | 'b' | 'B' | 'n' | 'r' | 't' | 'f' | 'v'),
                ..,
            ] => {
                // Inside a class `\b` is a backspace.
                if in_class && matches!(letter, 'b' | 'B') {
                    body.push_str("\\x08");
                } else {
                    body.extend(['\\', *letter]);
                }
                at += 2;
            }
            ['\\', 'x' | 'u' | 'p' | 'P', ..] => {
                body.extend(&rest[..2]);
                at += 2;
            }
            ['\\', '0', ..] => at += push(&mut body, "\\x00", 2),
            ['\\', escaped, ..] => {
                let mut buffer = [0; 4];
                let literal = regex_syntax::escape(escaped.encode_utf8(&mut buffer));
                body.push_str(&literal);
                // `-` in a class needs its backslash, and `escape` gives it one.
                at += 2;
            }
            ['[', '^', ']', ..] if !in_class => at += push(&mut body, "(?s:.)", 3),
            ['[', ..] if !in_class => {
                in_class = true;
                at += push(&mut body, "[", 1);
                if chars.get(at) == Some(&'^') {
                    at += push(&mut body, "^", 1);
                }
            }
            [']', ..] if in_class => {
                in_class = false;
                at += push(&mut body, "]", 1);
            }
            [sign @ ('[' | '&' | '~'), ..] if in_class => {
                let _ = write!(body, "\\{sign}");
                at += 1;
            }
            ['(', '?', '=' | '!', ..] if !in_class => {
                let end = group_end(&chars, at);
                if chars[at + 2] == '=' {
                    ahead.push(chars[at + 3..end].iter().collect());
                }
                at = end + 1;
            }
            ['(', '?', '<', '=' | '!', ..] if !in_class => at = group_end(&chars, at) + 1,
            [char, ..] => {
                body.push(*char);
                at += 1;
            }
            [] => break,
        }
    }
    Translation { body, ahead }
}

fn push(body: &mut String, text: &str, consumed: usize) -> usize {
    body.push_str(text);
    consumed
}

/// Index of the bracket that closes the group opened at `open`, or the end.
fn group_end(chars: &[char], open: usize) -> usize {
    let (mut depth, mut at, mut in_class) = (0_usize, open, false);
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    chars.len()
}

struct Maker<'a> {
    rng: &'a mut ChaCha8Rng,
    attempt: usize,
    /// Characters that repetitions may still add above their minimum.
    spare: usize,
    steps_left: usize,
    text: String,
}

impl Maker<'_> {
    /// Appends a text for the node. False when there is none, or it grows too long.
    fn make(&mut self, hir: &Hir) -> bool {
        if self.steps_left == 0 || self.text.len() > LONGEST * 4 {
            return false;
        }
        self.steps_left -= 1;
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => true,
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => {
                    self.text.push_str(text);
                    true
                }
                Err(_) => false,
            },
            HirKind::Class(class) => match self.pick(class) {
                Some(char) => {
                    self.text.push(char);
                    true
                }
                None => false,
            },
            HirKind::Capture(group) => self.make(&group.sub),
            HirKind::Concat(parts) => parts.iter().all(|part| self.make(part)),
            HirKind::Alternation(ways) => {
                let way = if self.attempt == 0 {
                    0
                } else {
                    self.below(ways.len())
                };
                self.make(&ways[way])
            }
            HirKind::Repetition(repetition) => {
                let least = repetition.min as usize;
                let most = repetition.max.map_or(usize::MAX, |max| max as usize);
                // `*` and `?` are filled once: an empty text says little.
                let mut times = least.max(1).min(most);
                if self.attempt > 0 && least == 0 && self.below(3) == 0 {
                    times = 0;
                }
                let width = repetition
                    .sub
                    .properties()
                    .minimum_len()
                    .unwrap_or(1)
                    .max(1);
                let more = (self.spare / width).min(most - times);
                self.spare -= more * width;
                (0..times + more).all(|_| self.make(&repetition.sub))
            }
        }
    }

    /// A character of the class: plain ones rather than odd ones.
    fn pick(&mut self, class: &Class) -> Option<char> {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => class.iter().map(|r| (r.start(), r.end())).collect(),
            Class::Bytes(class) => class
                .iter()
                .map(|r| (char::from(r.start()), char::from(r.end())))
                .collect(),
        };
        for (from, to) in [('a', 'z'), ('1', '9'), ('A', 'Z'), ('!', '~'), (' ', '~')] {
            let plain: Vec<(char, char)> = ranges
                .iter()
                .map(|&(start, end)| (start.max(from), end.min(to)))
                .filter(|(start, end)| start <= end)
                .collect();
            // Later tries sometimes pass over the plainest kind.
            if plain.is_empty() || (self.attempt > 3 && self.below(3) == 0) {
                continue;
            }
            let (start, end) = plain[self.below(plain.len())];
            let offset = self.below(end as usize - start as usize + 1);
            return char::from_u32(start as u32 + u32::try_from(offset).ok()?);
        }
        ranges.first().map(|&(start, _)| start)
    }

    fn below(&mut self, bound: usize) -> usize {
        let drawn = self.rng.next_u32() as usize;
        drawn % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng as _;
    use serde_json::{Value, json};

    fn first_match(pattern: &str, min: usize) -> Option<String> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let schema = json!({"pattern": pattern, "minLength": min});
        let validator = crate::schema::compile::compile(&schema).ok()?;
        texts(pattern, (min, 200), 0, &mut rng)
            .into_iter()
            .find(|text| validator.accepts(&Value::from(text.as_str())) == Some(true))
    }

    #[test]
    fn patterns_of_real_tools_are_matched() {
        for pattern in [
            r"^[a-zA-Z0-9][a-zA-Z0-9._-]*$",
            r"^#[a-fA-F0-9]{6}$",
            r"^I?\d+[:|-]\d+(?:;\d+[:|-]\d+)*$",
            r"^(pid|process|tag)!?=.+$",
            r"^[a-zA-Z0-9_.-]+\.(png|svg|gif)$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$",
            r"^(?!admin)[a-z]+$",
            r"^[^\s/]+\/[^\s/]+$",
            r"^\p{L}+$",
            r"^(?<year>\d{4})$",
            r"foo|bar",
            r"^$",
        ] {
            assert!(first_match(pattern, 0).is_some(), "{pattern}");
        }
        assert!(first_match("^[a-z]+(-[a-z]+)*$", 40).is_some());
        assert!(first_match("^x", 30).is_some());
    }

    #[test]
    fn hostile_patterns_end() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for pattern in [
            "((a{1000}){1000}){1000}",
            "((){60000}){60000}",
            "(((((((",
            "[z-a]",
            "(?=",
            "\\",
            "[",
        ] {
            let texts = texts(pattern, (0, 10), 0, &mut rng);
            assert!(
                texts.iter().all(|text| text.len() <= LONGEST * 5),
                "{pattern}"
            );
        }
        let nested = "(".repeat(5000) + &")".repeat(5000);
        assert!(texts(&nested, (0, 10), 0, &mut rng).is_empty());
    }
}
