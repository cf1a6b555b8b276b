//! One pass over a text that finds every place where a needle stands.

use std::collections::BTreeSet;
use std::ops::Range;

use super::forms::{Alphabet, Needle};
use super::spelling::{self, Followed};

/// What following needles in vain may cost for each byte of text, and at least.
/// A text that costs more is given up from there on: all of it goes.
const EFFORT_PER_BYTE: usize = 16;
const LEAST_EFFORT: usize = 1 << 20;

/// How many bytes of a cut escape may stand before a torn needle.
const TORN_ESCAPE: usize = 12;

/// Where a text was cut before it came here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Torn {
    /// Nowhere.
    Nowhere,
    /// Its beginning is missing.
    Start,
    /// Its end is missing.
    End,
    /// It is a piece out of something longer.
    Both,
}

/// The needles, sorted by the bytes that they can begin with.
#[derive(Clone)]
pub(super) struct Scanner {
    needles: Vec<Needle>,
    /// For each first byte of a match the needles that may begin so.
    by_first: Vec<Vec<usize>>,
    /// Whether two bytes can begin a match, as a set of bits.
    pairs: Vec<u64>,
}

impl Scanner {
    pub(super) fn new(needles: BTreeSet<Needle>) -> Self {
        let needles: Vec<Needle> = needles.into_iter().collect();
        let mut by_first = vec![Vec::new(); 256];
        let mut pairs = vec![0_u64; 1024];
        for (index, needle) in needles.iter().enumerate() {
            for first in spelt_by(needle, 0) {
                by_first[usize::from(first)].push(index);
                for second in spelt_by(needle, 1).chain(after_first(needle)) {
                    let pair = usize::from(first) << 8 | usize::from(second);
                    pairs[pair / 64] |= 1 << (pair % 64);
                }
                // A byte that begins an escape may be escaped itself.
                if b"%&\\".contains(&first) {
                    pairs[usize::from(first) * 4..][..4].fill(u64::MAX);
                }
            }
        }
        Self {
            needles,
            by_first,
            pairs,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.needles.len()
    }

    /// Where credentials stand, in order, without overlaps, between characters.
    pub(super) fn places(&self, text: &str, torn: Torn) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        if self.needles.is_empty() {
            return places;
        }
        if matches!(torn, Torn::Start | Torn::Both)
            && let Some(end) = self.torn_start(text.as_bytes())
        {
            places.push(0..text.ceil_char_boundary(end));
        }
        let torn_end = matches!(torn, Torn::End | Torn::Both);
        let bytes = text.as_bytes();
        let mut effort = LEAST_EFFORT + EFFORT_PER_BYTE * bytes.len();
        for at in 0..bytes.len() {
            if !self.may_begin(bytes, at) {
                continue;
            }
            let Some(end) = self.match_at(bytes, at, torn_end, &mut effort) else {
                continue;
            };
            add(
                &mut places,
                text.floor_char_boundary(at)..text.ceil_char_boundary(end),
            );
            if end == bytes.len() {
                break;
            }
        }
        places
    }

    /// Whether these two bytes begin a needle or an escape: nearly none do.
    fn may_begin(&self, text: &[u8], at: usize) -> bool {
        let byte = text[at];
        if matches!(byte, b'\\' | b'%' | b'&') {
            return true;
        }
        text.get(at + 1).is_none_or(|second| {
            let pair = usize::from(byte) << 8 | usize::from(*second);
            self.pairs[pair / 64] >> (pair % 64) & 1 == 1
        })
    }

    /// The end of the longest match that begins here.
    fn match_at(
        &self,
        text: &[u8],
        at: usize,
        torn_end: bool,
        effort: &mut usize,
    ) -> Option<usize> {
        let byte = text[at];
        let literal = match text.get(at + 1) {
            Some(second) => {
                let pair = usize::from(byte) << 8 | usize::from(*second);
                self.pairs[pair / 64] >> (pair % 64) & 1 == 1
            }
            None => torn_end,
        };
        let escaped = matches!(byte, b'\\' | b'%' | b'&')
            .then(|| spelling::escaped_first(text, at))
            .flatten()
            .filter(|first| !literal || *first != byte);
        // What is a backslash first may begin an escape of its own, or not.
        let backslash = (byte == b'%' && escaped != Some(b'\\')).then_some(b'\\');
        let firsts = [literal.then_some(byte), escaped, backslash];
        let mut longest = None;
        for index in firsts
            .into_iter()
            .flatten()
            .flat_map(|first| &self.by_first[usize::from(first)])
        {
            let needle = &self.needles[*index];
            if !may_follow(needle, byte, text.get(at + 1)) {
                continue;
            }
            longest = longest.max(end_of(needle, text, at, torn_end, effort));
            if *effort == 0 {
                return Some(text.len());
            }
        }
        longest
    }

    /// The end of a needle whose beginning was cut off.
    fn torn_start(&self, text: &[u8]) -> Option<usize> {
        // The rest of an escape may come first.
        let escape_end = text
            .iter()
            .take(TORN_ESCAPE)
            .take_while(|byte| byte.is_ascii_hexdigit() || b"ux#{};".contains(byte))
            .count();
        let mut longest = None;
        for needle in &self.needles {
            let telling = needle.telling();
            let last = needle.bytes.len().saturating_sub(telling);
            for from in 1..=last {
                for at in 0..=escape_end {
                    let followed = spelling::follow(text, at, needle, from);
                    if from + followed.matched == needle.bytes.len() {
                        longest = longest.max(Some(followed.end));
                    }
                }
            }
        }
        longest
    }
}

/// Where this needle ends that begins here.
fn end_of(
    needle: &Needle,
    text: &[u8],
    at: usize,
    torn_end: bool,
    effort: &mut usize,
) -> Option<usize> {
    let Followed {
        matched,
        end,
        ran_off,
        steps,
    } = spelling::follow(text, at, needle, 0);
    if matched == needle.bytes.len() {
        let stands = needle.alphabet != Alphabet::Word || is_word(text, at, end);
        return stands.then_some(end);
    }
    *effort = effort.saturating_sub(steps.saturating_sub(4));
    (torn_end && ran_off && matched >= needle.telling()).then_some(text.len())
}

fn is_word(text: &[u8], start: usize, end: usize) -> bool {
    let joins = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    !joins(before) && !joins(text.get(end))
}

/// Whether the second byte of a literal beginning may belong to this needle.
fn may_follow(needle: &Needle, first: u8, second: Option<&u8>) -> bool {
    let Some(second) = second.filter(|byte| byte.is_ascii_alphanumeric()) else {
        return true;
    };
    let escapes = b"\\%&".contains(&first);
    let prefix = needle.alphabet == Alphabet::Hex && *second == b'0';
    escapes || prefix || needle.bytes.get(1) == Some(&needle.alphabet.canonical(*second))
}

/// The bytes that literally spell one byte of a needle.
fn spelt_by(needle: &Needle, index: usize) -> impl Iterator<Item = u8> {
    let alphabet = needle.alphabet;
    let wanted = needle.bytes.get(index).copied();
    (0..=u8::MAX).filter(move |byte| Some(alphabet.canonical(*byte)) == wanted)
}

/// What else may follow the first byte of a match.
fn after_first(needle: &Needle) -> impl Iterator<Item = u8> {
    let always: &[u8] = b"\\%&+";
    let loose: &[u8] = if needle.loose { b" \t\r\n\x0c" } else { b"" };
    let hex: &[u8] = if needle.alphabet == Alphabet::Hex {
        b":,-_.0"
    } else {
        b""
    };
    always.iter().chain(loose).chain(hex).copied()
}

/// Adds a place, joined with those it overlaps.
fn add(places: &mut Vec<Range<usize>>, place: Range<usize>) {
    match places.last_mut() {
        Some(last) if place.start < last.end => last.end = last.end.max(place.end),
        _ => places.push(place),
    }
}
