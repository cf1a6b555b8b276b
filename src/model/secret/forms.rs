//! What is searched for: every value that a credential consists of, in each of
//! its alphabets. Spellings within an alphabet are the matching's affair.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Shorter values are found as whole words only: they would blank ordinary text.
const SHORTEST: usize = 4;

/// The shortest value that is searched for at all.
const SHORTEST_WORD: usize = 2;

/// From this length on a value is found though white space cuts it, and a line
/// of a longer value is a value of its own.
const LOOSE: usize = 8;

/// In which alphabet a needle is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Alphabet {
    /// The value itself.
    Plain,
    /// The value itself, standing alone.
    Word,
    /// Hexadecimal, in either case.
    Hex,
    /// Base64, standard or URL-safe.
    Base64,
}

impl Alphabet {
    /// The byte that stands for all its equals.
    pub(super) const fn canonical(self, byte: u8) -> u8 {
        match (self, byte) {
            (Self::Hex, _) => byte.to_ascii_lowercase(),
            (Self::Base64, b'-') => b'+',
            (Self::Base64, b'_') => b'/',
            _ => byte,
        }
    }
}

/// One thing to search for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Needle {
    pub(super) alphabet: Alphabet,
    /// Canonical, not empty; a loose one has no white space.
    pub(super) bytes: Vec<u8>,
    /// Whether white space may cut it.
    pub(super) loose: bool,
}

impl Needle {
    fn new(alphabet: Alphabet, text: &str) -> Option<Self> {
        let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
        for byte in text.bytes() {
            // A run of backslashes is as good as one: each escaping doubles it.
            if byte != b'\\' || bytes.last() != Some(&b'\\') {
                bytes.push(alphabet.canonical(byte));
            }
        }
        let inked = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
        let loose = alphabet != Alphabet::Word && inked.count() >= LOOSE;
        if loose {
            bytes.retain(|byte| !byte.is_ascii_whitespace());
        }
        (!bytes.is_empty()).then_some(Self {
            alphabet,
            bytes,
            loose,
        })
    }

    /// How much of it at a torn edge is taken for the credential.
    pub(super) fn telling(&self) -> usize {
        (self.bytes.len() / 4).clamp(SHORTEST, 12)
    }
}

/// Everything to search for because of one credential.
pub(super) fn needles(secret: &str) -> BTreeSet<Needle> {
    let mut needles = BTreeSet::new();
    for value in values(secret) {
        if value.len() < SHORTEST {
            let word = (value.len() >= SHORTEST_WORD && value == secret)
                .then(|| Needle::new(Alphabet::Word, &value));
            needles.extend(word.flatten());
            continue;
        }
        needles.extend(Needle::new(Alphabet::Plain, &value));
        let hex = value.bytes().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        needles.extend(Needle::new(Alphabet::Hex, &hex));
        needles
            .extend(base64_cores(&value).filter_map(|core| Needle::new(Alphabet::Base64, &core)));
    }
    needles
}

/// The credential and those parts of it that are credentials by themselves.
pub(super) fn values(secret: &str) -> BTreeSet<String> {
    let mut values = BTreeSet::from([secret.to_owned(), secret.trim().to_owned()]);
    // `Bearer abc`: the part after the scheme alone, too.
    if let Some((scheme, token)) = secret.trim().split_once(' ') {
        let token = token.trim();
        values.insert(token.to_owned());
        if scheme.eq_ignore_ascii_case("basic") {
            values.extend(basic(token));
        }
    }
    let lines = secret
        .split(['\n', '\r'])
        .flat_map(|line| line.split("\\n"));
    values.extend(
        lines
            .map(str::trim)
            .filter(|line| line.len() >= LOOSE)
            .map(str::to_owned),
    );
    values
}

/// `user:password` and the password of basic authentication.
fn basic(token: &str) -> Vec<String> {
    let bare = token.trim_end_matches('=');
    let decoded = STANDARD_NO_PAD
        .decode(bare)
        .or_else(|_| URL_SAFE_NO_PAD.decode(bare))
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(pair) = decoded else {
        return Vec::new();
    };
    let password = pair
        .split_once(':')
        .map(|(_, password)| password.to_owned());
    password.into_iter().chain([pair]).collect()
}

/// A base64 text shows a value at one of three alignments; the characters that
/// also depend on its neighbours are left out at both ends.
fn base64_cores(value: &str) -> impl Iterator<Item = String> {
    (0..3_usize).filter_map(move |shift| {
        let mut padded = vec![0_u8; shift];
        padded.extend_from_slice(value.as_bytes());
        let first = (shift * 8).div_ceil(6);
        let last = padded.len() * 8 / 6;
        let text = STANDARD_NO_PAD.encode(&padded);
        (last > first + SHORTEST).then(|| text[first..last].to_owned())
    })
}
