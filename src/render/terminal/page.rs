//! Lines, colours and columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Style;

/// The narrowest page; a narrower terminal wraps by itself.
const NARROWEST: usize = 40;

/// The widest line of running text; longer ones are hard to read.
const WIDEST: usize = 100;

/// A colour, or weight, of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
    Cyan,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Red => "31",
            Self::Yellow => "33",
            Self::Green => "32",
            Self::Cyan => "36",
        }
    }
}

/// A page that is written from the top down. What is put on it is escaped
/// before.
pub(super) struct Page {
    text: String,
    color: bool,
    width: usize,
}

impl Page {
    pub(super) fn new(style: &Style) -> Self {
        Self {
            text: String::new(),
            color: style.color,
            width: style.width.clamp(NARROWEST, WIDEST),
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// The text in this ink.
    pub(super) fn ink(&self, ink: Ink, text: &str) -> String {
        if !self.color || ink == Ink::Plain || text.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{}m{text}\u{1b}[0m", ink.code())
    }

    /// One line as it is, but never one that a workflow runner takes for a
    /// command: wrapping may bring `::` to the front.
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if line.trim_start().starts_with("::") {
            self.text.push_str(&line.replacen("::", "\\u{3a}:", 1));
        } else {
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A heading of a section, with a dim remark after it.
    pub(super) fn heading(&mut self, title: &str, remark: &str) {
        self.gap();
        let line = format!(
            "{}  {}",
            self.ink(Ink::Bold, title),
            self.ink(Ink::Dim, remark)
        );
        self.line(&line);
    }

    /// Running text, wrapped. The first line begins with `lead` (which may be
    /// coloured and takes `lead_width` columns), the next ones are indented as far.
    pub(super) fn text(&mut self, lead: &str, lead_width: usize, ink: Ink, text: &str) {
        let room = self.width.saturating_sub(lead_width).max(16);
        let indent = " ".repeat(lead_width);
        for (place, part) in wrap(text, room).iter().enumerate() {
            let start = if place == 0 { lead } else { &indent };
            let line = format!("{start}{}", self.ink(ink, part));
            self.line(&line);
        }
    }
}

/// The columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The text cut or filled up to this many columns.
pub(super) fn fit(text: &str, wanted: usize) -> String {
    let mut fitted = String::new();
    let mut taken = 0;
    let cut = columns(text) > wanted;
    let room = if cut {
        wanted.saturating_sub(1)
    } else {
        wanted
    };
    for letter in text.chars() {
        let width = letter.width().unwrap_or(0);
        if taken + width > room {
            break;
        }
        taken += width;
        fitted.push(letter);
    }
    if cut && wanted > 0 {
        fitted.push('…');
        taken += 1;
    }
    fitted.push_str(&" ".repeat(wanted.saturating_sub(taken)));
    fitted
}

/// Lines of at most `room` columns; at least one. A longer word is broken.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(2);
    let mut lines = vec![String::new()];
    let mut taken = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = columns(word);
        if taken > 0 && taken + 1 + width > room {
            lines.push(String::new());
            taken = 0;
        }
        let Some(line) = lines.last_mut() else {
            return lines;
        };
        if taken > 0 {
            line.push(' ');
            taken += 1;
        }
        if width <= room {
            line.push_str(word);
            taken += width;
            continue;
        }
        for letter in word.chars() {
            let width = letter.width().unwrap_or(0);
            if taken + width > room {
                lines.push(String::new());
                taken = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(letter);
            }
            taken += width;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_words_are_broken_and_wide_letters_counted() {
        assert_eq!(wrap("ab cd", 4), ["ab", "cd"]);
        assert_eq!(wrap("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("ab", 4), "ab  ");
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_its_room(text in "\\PC{0,80}", room in 2_usize..40) {
            for line in wrap(&text, room) {
                let letters: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
                prop_assert!(letters <= room);
            }
            let letters: usize = fit(&text, room).chars().filter_map(UnicodeWidthChar::width).sum();
            prop_assert!(letters <= room + 1);
        }
    }
}
