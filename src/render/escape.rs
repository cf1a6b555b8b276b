//! Makes text that a server wrote safe for the place where it is shown.
//!
//! Nothing is lost: what cannot be shown as it is, is shown as its code point
//! (`\u{1b}`). Nothing escapes its line, its table cell or its JSON string, and
//! nothing reads as a command to a workflow runner, which takes any line that
//! begins with `::` (after blanks) or holds `##[`.

use std::fmt::Write as _;

/// Characters that have no shape of their own, or that reorder their
/// neighbours: controls, bidirectional controls, zero-width and filler
/// characters, tags, and the signs that a runner's comparison of text overlooks.
/// The variation selectors of emoji stay where a letter is before them.
pub const fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// One line for a terminal.
pub fn terminal(text: &str) -> String {
    unruly(&seen(text))
}

/// A line that commands no runner: a command is only taken at the start of a
/// line, where this text may stand; `##[` is taken anywhere.
fn unruly(line: &str) -> String {
    let line = if line.trim_start().starts_with("::") {
        line.replacen("::", "\\u{3a}:", 1)
    } else {
        line.to_owned()
    };
    line.replace("##[", "##\\u{5b}")
}

/// A finished page that may be printed in a workflow: no line of it commands the
/// runner, however it was laid out.
pub fn workflow_page(page: &str) -> String {
    let mut shown = String::with_capacity(page.len());
    for line in page.split_inclusive('\n') {
        shown.push_str(&unruly(line));
    }
    shown
}

/// The data of a workflow command, after its last `::`.
pub fn workflow_data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a workflow command's property.
pub fn workflow_property(text: &str) -> String {
    workflow_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Lines for a terminal: line feeds are kept, everything else as in
/// [`terminal`].
pub fn terminal_lines(text: &str) -> Vec<String> {
    text.split('\n').map(terminal).collect()
}

/// One line of Markdown, safe in running text, in a heading and in a table
/// cell. No markup, HTML, link, mention or reference in it comes alive.
pub fn markdown(text: &str) -> String {
    let seen = seen(text);
    let letters: Vec<char> = seen.chars().collect();
    let start = letters.iter().position(|letter| !letter.is_whitespace());
    let mut shown = String::with_capacity(seen.len());
    for (place, &letter) in letters.iter().enumerate() {
        let before = letters[..place].last().copied();
        let after = letters.get(place + 1).copied();
        // What only means something at the start of a line.
        if start == Some(place) && matches!(letter, ':' | '-' | '+' | '=') {
            shown.push('\\');
        }
        push_markdown(&mut shown, before, letter, after);
    }
    shown
}

/// One line of Markdown in which pairs of backticks make code, for sentences of
/// ours that hold names of theirs.
pub fn markdown_prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return markdown(text);
    }
    parts
        .iter()
        .enumerate()
        .map(|(place, part)| {
            if place % 2 == 0 {
                markdown(part)
            } else {
                markdown_code(part)
            }
        })
        .collect()
}

/// Code in running Markdown. An element and not backticks, because within
/// backticks nothing can be escaped.
pub fn markdown_code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<code>{}</code>", markdown(text))
}

/// A block of code in Markdown, indented by two columns to stand in a list. Its
/// fence is longer than any run of backticks inside.
pub fn markdown_block(language: &str, text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut block = format!("  {fence}{language}\n");
    for line in terminal_lines(text) {
        let _ = writeln!(block, "  {line}");
    }
    let _ = writeln!(block, "  {fence}");
    block
}

/// Adds a piece of a JSON document to what may be shown on a terminal or in a
/// workflow: unseen characters become `\uXXXX`, and `##[` is broken, also across
/// pieces. The value stays the same, because all of these only occur within
/// strings.
pub fn push_json(shown: &mut String, piece: &str) {
    // The line feeds of the layout are outside of strings.
    let needs_none = |letter: char| letter == '\n' || !is_unseen(letter);
    if piece.chars().all(needs_none) && !piece.contains('[') {
        shown.push_str(piece);
        return;
    }
    for letter in piece.chars() {
        if needs_none(letter) && !(letter == '[' && shown.ends_with("##")) {
            shown.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(shown, "\\u{unit:04x}");
        }
    }
}

/// Every letter shown, on one line.
fn seen(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    for letter in text.chars() {
        let is_selector = matches!(letter, '\u{fe0e}' | '\u{fe0f}');
        // Within `##[` or `::` it hides the command from us, not from a runner.
        let hides = before.is_none_or(|before: char| {
            matches!(before, '#' | ':' | '[' | '\u{fe0e}' | '\u{fe0f}') || before.is_whitespace()
        });
        if is_selector && hides {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
        } else {
            push_seen(&mut shown, letter);
        }
        before = Some(letter);
    }
    shown
}

fn push_seen(shown: &mut String, letter: char) {
    match letter {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        letter if is_unseen(letter) => {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
        }
        letter => shown.push(letter),
    }
}

fn push_markdown(shown: &mut String, before: Option<char>, letter: char, after: Option<char>) {
    /// Stands between two characters that must not be read together.
    const GAP: &str = "&#8203;";
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    match letter {
        '&' => shown.push_str("&amp;"),
        '<' => shown.push_str("&lt;"),
        '>' => shown.push_str("&gt;"),
        // An entity, because a table splits at a bar before it looks at escapes
        // and not every reader of tables knows the escape.
        '|' => shown.push_str("&#124;"),
        '`' => shown.push_str("&#96;"),
        '@' => {
            shown.push('@');
            shown.push_str(GAP);
        }
        '#' => {
            shown.push_str("\\#");
            if is_word(after) {
                shown.push_str(GAP);
            }
        }
        // `https://` and `www.` become links by themselves.
        ':' if after == Some('/') => {
            shown.push(':');
            shown.push_str(GAP);
        }
        '.' if matches!(before, Some('w' | 'W')) => {
            shown.push_str(GAP);
            shown.push('.');
        }
        '_' if is_word(before) && is_word(after) => shown.push('_'),
        '\\' | '*' | '_' | '[' | ']' | '~' | '$' | '!' | '^' => {
            shown.push('\\');
            shown.push(letter);
        }
        letter => shown.push(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn controls_are_shown_and_commands_broken() {
        assert_eq!(terminal("a\u{1b}[31mb\r\n\tc"), "a\\u{1b}[31mb\\r\\n\\tc");
        assert_eq!(terminal("\u{202e}x\u{200b}"), "\\u{202e}x\\u{200b}");
        assert_eq!(terminal("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(terminal("a ##[error]"), "a ##\\u{5b}error]");
        assert_eq!(terminal("##\u{fe0f}[x]"), "##\\u{fe0f}[x]");
        assert_eq!(terminal(":\u{600}:error::x"), ":\\u{600}:error::x");
        assert_eq!(terminal("naïve ✓ 日本 ⚠\u{fe0f}"), "naïve ✓ 日本 ⚠\u{fe0f}");
    }

    #[test]
    fn workflow_commands_keep_their_parts_apart() {
        assert_eq!(workflow_data("50%0A\r\n::x"), "50%250A%0D%0A::x");
        assert_eq!(workflow_property("a:b,c%"), "a%3Ab%2Cc%25");
        assert_eq!(
            workflow_page("one\n  ::error::x\n## ##[error]\n"),
            "one\n  \\u{3a}:error::x\n## ##\\u{5b}error]\n"
        );
    }

    #[test]
    fn markdown_stays_text() {
        insta::assert_snapshot!(markdown("a|b `c` <img src=x> @everyone [l](j) #12 ##[error] **x** _y_ z_z https://x.y www.x.y $a$ ::b"), @r#"a&#124;b &#96;c&#96; &lt;img src=x&gt; @&#8203;everyone \[l\](j) \#&#8203;12 \#\#\[error\] \*\*x\*\* \_y\_ z_z https:&#8203;//x.y www&#8203;.x.y \$a\$ ::b"#);
        insta::assert_snapshot!(markdown("::error::x\nnext"), @r#"\::error::x\\nnext"#);
        insta::assert_snapshot!(markdown_prose("call `a|b` and `c` now"), @"call <code>a&#124;b</code> and <code>c</code> now");
        insta::assert_snapshot!(markdown_prose("one ` only"), @"one &#96; only");
        insta::assert_snapshot!(markdown_block("toml", "a = '```'\n::x"), @r#"
        ````toml
        a = '```'
        \u{3a}:x
        ````
        "#);
    }

    fn hostile() -> impl Strategy<Value = String> {
        prop::collection::vec(
            prop_oneof![
                any::<char>().prop_map(String::from),
                prop::sample::select(vec![
                    "::", "##[", "|", "`", "\n", "\r", "\u{1b}[", "<", "@", "#", "[", " ",
                    "\u{9b}",
                ])
                .prop_map(str::to_owned),
            ],
            0..30,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn nothing_leaves_its_line_or_commands_a_runner(text in hostile()) {
            for shown in [terminal(&text), markdown(&text), markdown_prose(&text)] {
                prop_assert!(!shown.chars().any(is_unseen));
                prop_assert!(!shown.trim_start().starts_with("::"), "{shown}");
                prop_assert!(!shown.contains("##["), "{shown}");
            }
            for shown in [markdown(&text), markdown_prose(&text)] {
                prop_assert!(!shown.contains(['|', '`']));
            }
            let bare = markdown(&text);
            prop_assert!(!bare.contains(['<', '>']));
        }

        #[test]
        fn json_keeps_its_value(text in hostile(), at in any::<prop::sample::Index>()) {
            let document = serde_json::to_string_pretty(&[&text]).expect("JSON");
            let (one, other) = document.split_at(document.floor_char_boundary(at.index(document.len())));
            let mut shown = String::new();
            push_json(&mut shown, one);
            push_json(&mut shown, other);
            prop_assert!(!shown.contains("##["));
            prop_assert!(!shown.chars().any(|letter| letter != '\n' && is_unseen(letter)));
            let back: Vec<String> = serde_json::from_str(&shown).expect("JSON");
            prop_assert_eq!(back, vec![text]);
        }
    }
}
