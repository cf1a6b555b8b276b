//! Text of a server inside a message: short, and with nothing hidden in it.

/// Characters of a quoted text that are kept.
const MAX_CHARS: usize = 120;

/// A text in double quotes, cut at 120 characters, its control and invisible
/// characters written out.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", visible(text, MAX_CHARS))
}

/// The first `max` characters of a text, its control and invisible characters
/// written out.
pub(crate) fn visible(text: &str, max: usize) -> String {
    let mut shown = String::new();
    for (at, char) in text.chars().enumerate() {
        if at == max {
            shown.push('…');
            break;
        }
        if is_hidden(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// The last `max` characters of a text, in the same way.
pub(crate) fn visible_end(text: &str, max: usize) -> String {
    let text = text.trim_end();
    let count = text.chars().count();
    if count <= max {
        return visible(text, max);
    }
    let end: String = text.chars().skip(count - max).collect();
    format!("…{}", visible(&end, max))
}

/// Control characters, and those that show nothing or turn the text around.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            u32::from(char),
            0xAD | 0x61C
                | 0x180E
                | 0x200B..=0x200F
                | 0x2028..=0x202E
                | 0x2060..=0x206F
                | 0xFE00..=0xFE0F
                | 0xFEFF
                | 0xE0000..=0xE0FFF
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_written_out_and_long_texts_cut() {
        assert_eq!(
            quote("a\n\u{1b}[31m\u{202e}b"),
            r#""a\n\u{1b}[31m\u{202e}b""#
        );
        assert_eq!(quote("größe 😀"), "\"größe 😀\"");
        assert_eq!(quote(&"x".repeat(121)).chars().count(), 123);
        assert_eq!(visible_end("abcdef\n", 3), "…def");
        assert_eq!(visible_end("abc\n", 3), "abc");
    }
}
