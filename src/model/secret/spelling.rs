//! How a byte may be spelt: literally, percent-encoded, behind backslashes, as
//! a JSON or HTML escape; and what may stand between two bytes.
//!
//! Every function reads at a position, never panics, and looks only a few bytes
//! ahead (past runs of backslashes).

use super::forms::{Alphabet, Needle};

/// How much may stand between two bytes of a needle, in steps.
const GAP: usize = 64;

/// How many backslashes one escape may begin with: five levels of quoting.
const LONGEST_RUN: usize = 32;

/// No escape that can be told by its beginning is longer.
const LONGEST_ESCAPE: usize = 12;

/// How many readings of one place are tried, besides some for each byte.
const READINGS: usize = 512;

/// How far a needle was followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Followed {
    /// How many of its bytes were found.
    pub(super) matched: usize,
    /// Where the text after them begins.
    pub(super) end: usize,
    /// Whether the text ended before the needle did.
    pub(super) ran_off: bool,
    /// How many readings were tried.
    pub(super) steps: usize,
}

/// Follows a needle, from its byte `from`, through the text at `at`. What can be
/// read in several ways, `%41` say, is read in each, within bounds.
pub(super) fn follow(text: &[u8], at: usize, needle: &Needle, from: usize) -> Followed {
    let wanted = &needle.bytes[from..];
    let most = READINGS + 8 * wanted.len();
    let mut best = Followed {
        matched: 0,
        end: at,
        ran_off: false,
        steps: 0,
    };
    let mut untried: Vec<Reading> = Vec::new();
    let mut reading = Some(Reading {
        here: at,
        end: at,
        matched: 0,
        gap: 0,
    });
    while let Some(now) = reading.or_else(|| untried.pop()) {
        best.steps += 1;
        if now.matched > best.matched {
            (best.matched, best.end) = (now.matched, now.end);
        }
        if now.matched == wanted.len() || best.steps > most {
            break;
        }
        best.ran_off |= is_cut(text, now.here) && now.matched == best.matched;
        let to_unit = |(taken, next): (usize, usize)| Reading {
            here: next,
            end: next,
            matched: now.matched + taken,
            gap: 0,
        };
        let left = &wanted[now.matched..];
        let in_gap = now.matched > 0 && now.gap < GAP;
        let over = if in_gap {
            between(text, now.here, needle)
        } else {
            None
        };
        let mut ways = [
            over.map(|next| Reading {
                here: next,
                gap: now.gap + 1,
                ..now
            }),
            literal(text, now.here, left, needle.alphabet).map(to_unit),
            fits_percent(text, now.here, left, needle.alphabet, Levels::Many)
                .filter(|_| left[0] == b'%')
                .map(to_unit),
            decoded(text, now.here, left, needle.alphabet).map(to_unit),
        ]
        .into_iter()
        .flatten();
        // The last way is the likeliest; the others wait.
        reading = ways.next_back();
        untried.extend(ways);
    }
    best
}

/// One way to read the text so far.
#[derive(Debug, Clone, Copy)]
struct Reading {
    here: usize,
    end: usize,
    matched: usize,
    gap: usize,
}

/// How many levels of percent encoding are taken off a `%25`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Levels {
    Few,
    Many,
}

/// Whether the text ends here, or within an escape that begins here.
fn is_cut(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let Some((first, more)) = rest.split_first() else {
        return true;
    };
    let in_escape = |byte: &u8| byte.is_ascii_alphanumeric() || b"\\#{".contains(byte);
    rest.len() < LONGEST_ESCAPE && b"%\\&".contains(first) && more.iter().all(in_escape)
}

/// The first byte that an escape at `at` stands for.
pub(super) fn escaped_first(text: &[u8], at: usize) -> Option<u8> {
    let (spelt, next) = match text.get(at)? {
        b'\\' => {
            let after = backslashes(text, at);
            match behind_backslashes(text, after) {
                Some(found) => found,
                None => {
                    return text
                        .get(after)
                        .copied()
                        .filter(|b| !b.is_ascii_alphanumeric());
                }
            }
        }
        b'%' => percent(text, at)?,
        b'&' => entity(text, at)?,
        _ => return None,
    };
    if spelt == '\\' && !text[at..].starts_with(b"&") {
        return escaped_behind(text, at, next);
    }
    Some(first_byte(spelt))
}

/// `%5Cu0073`: an escaped backslash that begins an escape itself.
fn escaped_behind(text: &[u8], at: usize, next: usize) -> Option<u8> {
    let after = backslashes(text, at).max(next);
    behind_backslashes(text, after).map_or(Some(b'\\'), |(spelt, _)| Some(first_byte(spelt)))
}

/// The next wanted byte as itself: how many bytes it covers, and where it ends.
fn literal(text: &[u8], at: usize, wanted: &[u8], alphabet: Alphabet) -> Option<(usize, usize)> {
    let first = *wanted.first()?;
    if first == b'\\' {
        let after = backslashes(text, at);
        return (after > at).then_some((1, after));
    }
    (alphabet.canonical(*text.get(at)?) == first).then_some((1, at + 1))
}

/// The next wanted bytes in some escaped form.
fn decoded(text: &[u8], at: usize, wanted: &[u8], alphabet: Alphabet) -> Option<(usize, usize)> {
    let first = *wanted.first()?;
    let fits = |found: Option<(char, usize)>| {
        let (spelt, next) = found?;
        covered(spelt, wanted, alphabet).map(|taken| (taken, next))
    };
    let after = backslashes(text, at);
    if after > at {
        if let Some(escape) = behind_backslashes(text, after) {
            return fits(Some(escape));
        }
        let bare = alphabet.canonical(*text.get(after)?) == first;
        return bare
            .then_some((1, after + 1))
            .or_else(|| fits_percent(text, after, wanted, alphabet, Levels::Few));
    }
    match text.get(at)? {
        b'%' => fits_percent(text, at, wanted, alphabet, Levels::Few),
        b'&' => fits(entity(text, at)),
        b'+' if first == b' ' => Some((1, at + 1)),
        _ => None,
    }
}

/// A percent-encoded byte, encoded once or more often: the first reading that
/// fits, or the last. They differ for `%25` only.
fn fits_percent(
    text: &[u8],
    at: usize,
    wanted: &[u8],
    alphabet: Alphabet,
    levels: Levels,
) -> Option<(usize, usize)> {
    if text.get(at) != Some(&b'%') {
        return None;
    }
    let mut digits = at + 1;
    let mut found = None;
    for _ in 0..4 {
        let Some(byte) = hex_byte(text, digits) else {
            break;
        };
        digits += 2;
        if wanted.first() == Some(&alphabet.canonical(byte)) {
            found = Some((1, digits));
        }
        if byte != b'%' || (found.is_some() && levels == Levels::Few) {
            break;
        }
    }
    found
}

/// What may stand between two bytes of a needle: the position after it.
fn between(text: &[u8], at: usize, needle: &Needle) -> Option<usize> {
    if !needle.loose {
        return None;
    }
    let byte = *text.get(at)?;
    let is_white = |spelt: char| spelt.is_whitespace();
    let after = backslashes(text, at);
    if after > at {
        return match behind_backslashes(text, after) {
            Some((spelt, next)) => is_white(spelt).then_some(next),
            None => text
                .get(after)
                .is_some_and(u8::is_ascii_whitespace)
                .then_some(after),
        };
    }
    let is_hex = needle.alphabet == Alphabet::Hex;
    match byte {
        _ if byte.is_ascii_whitespace() => Some(at + 1),
        b'+' if needle.alphabet == Alphabet::Plain => Some(at + 1),
        b':' | b',' | b'-' | b'_' | b'.' if is_hex => Some(at + 1),
        b'0' if is_hex && matches!(text.get(at + 1), Some(b'x' | b'X')) => Some(at + 2),
        b'%' => percent(text, at)
            .filter(|(spelt, _)| is_white(*spelt))
            .map(|(_, next)| next),
        b'&' => entity(text, at)
            .filter(|(spelt, _)| is_white(*spelt))
            .map(|(_, next)| next),
        _ => None,
    }
}

/// The end of a run of backslashes, however each of them is spelt; of a long run
/// a part, so that no text costs its length squared.
fn backslashes(text: &[u8], at: usize) -> usize {
    let mut here = at;
    for _ in 0..LONGEST_RUN {
        let rest = text.get(here..).unwrap_or_default();
        let is = |spelling: &[u8]| {
            rest.get(..spelling.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(spelling))
        };
        if is(b"\\") {
            here += 1;
        } else if is(b"%5c") {
            here += 3;
        } else if here > at && is(b"u005c") {
            here += 5;
        } else {
            break;
        }
    }
    here
}

/// What an escape means whose backslashes end at `at`, and where it ends.
fn behind_backslashes(text: &[u8], at: usize) -> Option<(char, usize)> {
    let plain = |spelt| Some((spelt, at + 1));
    match text.get(at)? {
        b'n' => plain('\n'),
        b'r' => plain('\r'),
        b't' => plain('\t'),
        b'b' => plain('\u{8}'),
        b'f' => plain('\u{c}'),
        b'x' => hex_byte(text, at + 1).map(|byte| (char::from(byte), at + 3)),
        b'u' if text.get(at + 1) == Some(&b'{') => {
            let digits = text.get(at + 2..)?.iter().take(8);
            let count = digits.take_while(|b| b.is_ascii_hexdigit()).count();
            let end = at + 2 + count;
            let spelt = char::from_u32(number(text.get(at + 2..end)?, 16)?)?;
            (text.get(end) == Some(&b'}')).then_some((spelt, end + 1))
        }
        b'u' => {
            let unit = number(text.get(at + 1..at + 5)?, 16)?;
            if let Some(spelt) = char::from_u32(unit) {
                return Some((spelt, at + 5));
            }
            let low_at = backslashes(text, at + 5);
            let low = (text.get(low_at) == Some(&b'u'))
                .then(|| number(text.get(low_at + 1..low_at + 5)?, 16))??;
            let pair = [u16::try_from(unit).ok()?, u16::try_from(low).ok()?];
            let spelt = char::decode_utf16(pair).next()?.ok()?;
            Some((spelt, low_at + 5))
        }
        _ => None,
    }
}

fn percent(text: &[u8], at: usize) -> Option<(char, usize)> {
    let mut digits = at + 1;
    let mut byte = hex_byte(text, digits)?;
    for _ in 0..3 {
        match hex_byte(text, digits + 2) {
            Some(inner) if byte == b'%' => {
                byte = inner;
                digits += 2;
            }
            _ => break,
        }
    }
    Some((char::from(byte), digits + 2))
}

/// A numeric HTML entity or one of the named ones that escaping makes.
fn entity(text: &[u8], at: usize) -> Option<(char, usize)> {
    const NAMED: [(&[u8], char); 6] = [
        (b"amp;", '&'),
        (b"lt;", '<'),
        (b"gt;", '>'),
        (b"quot;", '"'),
        (b"apos;", '\''),
        (b"nbsp;", ' '),
    ];
    let rest = text.get(at + 1..)?;
    if let Some((name, spelt)) = NAMED.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((*spelt, at + 1 + name.len()));
    }
    let rest = rest.strip_prefix(b"#")?;
    let (rest, radix, start) = match rest.strip_prefix(b"x").or_else(|| rest.strip_prefix(b"X")) {
        Some(hex) => (hex, 16, at + 3),
        None => (rest, 10, at + 2),
    };
    let count = rest
        .iter()
        .take(8)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let spelt = char::from_u32(number(&rest[..count], radix)?)?;
    (rest.get(count) == Some(&b';')).then_some((spelt, start + count + 1))
}

fn hex_byte(text: &[u8], at: usize) -> Option<u8> {
    u8::try_from(number(text.get(at..at + 2)?, 16)?).ok()
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |sum, byte| {
        let digit = char::from(*byte).to_digit(radix)?;
        sum.checked_mul(radix)?.checked_add(digit)
    })
}

/// How many wanted bytes a character covers; `None` when it is another one.
/// `\xc3` may be a byte of a character as well.
fn covered(spelt: char, wanted: &[u8], alphabet: Alphabet) -> Option<usize> {
    let code = u32::from(spelt);
    if let Ok(byte) = u8::try_from(code)
        && wanted.first() == Some(&alphabet.canonical(byte))
    {
        return Some(1);
    }
    let mut buffer = [0; 4];
    let bytes = spelt.encode_utf8(&mut buffer).as_bytes();
    wanted.starts_with(bytes).then_some(bytes.len())
}

fn first_byte(spelt: char) -> u8 {
    spelt.encode_utf8(&mut [0; 4]).as_bytes()[0]
}
