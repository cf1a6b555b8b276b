//! Standard output of a server, cut into lines as the bytes come.
//!
//! LF and CRLF both end a line; a byte order mark at the very start is taken
//! off and remembered. A line beyond the bound is reported once, when it passes
//! the bound, and skipped to its end.

use super::MAX_MESSAGE_BYTES;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How much of an over-long line is kept to tell what it was.
const HEAD_BYTES: usize = 256;

/// One line, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A whole line.
    Whole(Vec<u8>),
    /// A line beyond the bound; its first bytes.
    TooLong(Vec<u8>),
}

/// Cuts a stream of bytes into lines, whatever the pieces it comes in.
#[derive(Debug)]
pub struct LineReader {
    limit: usize,
    pending: Vec<u8>,
    skipping: bool,
    at_start: bool,
    byte_order_mark: bool,
}

impl Default for LineReader {
    fn default() -> Self {
        Self::with_limit(MAX_MESSAGE_BYTES)
    }
}

impl LineReader {
    /// A reader for lines of up to `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            pending: Vec::new(),
            skipping: false,
            at_start: true,
            byte_order_mark: false,
        }
    }

    /// Takes the next bytes and gives the lines that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) => {
                    self.extend(end, &mut lines);
                    if !std::mem::take(&mut self.skipping) {
                        let line = self.take();
                        lines.push(line);
                    }
                }
                None => self.extend(piece, &mut lines),
            }
        }
        lines
    }

    /// Ends the stream: a last line without an end is a line as well.
    pub fn finish(&mut self) -> Option<Line> {
        if std::mem::take(&mut self.skipping) || self.pending.is_empty() {
            return None;
        }
        Some(self.take())
    }

    /// Whether the stream began with a UTF-8 byte order mark. Known as soon as
    /// the first line is.
    pub const fn had_byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    fn extend(&mut self, bytes: &[u8], lines: &mut Vec<Line>) {
        if self.skipping {
            return;
        }
        self.pending.extend_from_slice(bytes);
        // Two bytes of grace: a CR before the LF belongs to the line's end, and a
        // bound must not depend on how the bytes were cut.
        if self.pending.len() > self.limit + 1 {
            let mut head = std::mem::take(&mut self.pending);
            head.truncate(HEAD_BYTES);
            self.strip_mark(&mut head);
            self.skipping = true;
            lines.push(Line::TooLong(head));
        }
    }

    fn take(&mut self) -> Line {
        let mut line = std::mem::take(&mut self.pending);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        self.strip_mark(&mut line);
        Line::Whole(line)
    }

    fn strip_mark(&mut self, line: &mut Vec<u8>) {
        if std::mem::take(&mut self.at_start) && line.starts_with(BYTE_ORDER_MARK) {
            self.byte_order_mark = true;
            line.drain(..BYTE_ORDER_MARK.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn both_line_ends_and_a_mark_at_the_start() {
        let mut reader = LineReader::default();
        let lines = reader.push("\u{feff}a\r\n\nb\rc\n\u{feff}d".as_bytes());
        assert_eq!(lines, [whole("a"), whole(""), whole("b\rc")]);
        assert!(reader.had_byte_order_mark());
        assert_eq!(reader.finish(), Some(whole("\u{feff}d")));
        assert_eq!(reader.finish(), None);
    }

    #[test]
    fn an_over_long_line_is_reported_once_and_skipped() {
        let mut reader = LineReader::with_limit(4);
        let mut lines = reader.push(b"abcd\r\nabcdefgh");
        lines.extend(reader.push(b"ijkl"));
        lines.extend(reader.push(b"mn\nxy\n"));
        assert_eq!(lines[0], whole("abcd"));
        assert!(matches!(&lines[1], Line::TooLong(head) if head.starts_with(b"abcdef")));
        assert_eq!(lines[2..], [whole("xy")]);
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_lines(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xEF), Just(0xBB), Just(0xBF), Just(b'a')], 0..80),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..8),
        ) {
            let mut at_once = LineReader::with_limit(64);
            let mut expected = at_once.push(&text);
            expected.extend(at_once.finish());

            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut in_pieces = LineReader::with_limit(64);
            let mut found = Vec::new();
            for pair in cuts.windows(2) {
                found.extend(in_pieces.push(&text[pair[0]..pair[1]]));
            }
            found.extend(in_pieces.finish());
            prop_assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                match (found, expected) {
                    (Line::Whole(a), Line::Whole(b)) => prop_assert_eq!(a, b),
                    (Line::TooLong(_), Line::TooLong(_)) => {}
                    _ => prop_assert!(false, "{:?} is not {:?}", found, expected),
                }
            }
            prop_assert_eq!(in_pieces.had_byte_order_mark(), at_once.had_byte_order_mark());
        }
    }
}
