//! GitHub's runner as far as a step can tell, rebuilt from its source (2.336.0:
//! `ActionCommand.cs`, `ActionCommandManager.cs`, `OutputManager.cs`,
//! `FileCommandManager.cs`): the oracle for hostile text.

use std::collections::BTreeMap;

/// The commands that it knows.
const COMMANDS: [&str; 15] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

/// A line that it took as a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) properties: BTreeMap<String, String>,
    pub(crate) data: String,
}

/// Every command in a stream, in order.
pub(crate) fn scan(stream: &str) -> Vec<Command> {
    lines(stream)
        .filter_map(|line| {
            // Its comparison of text overlooks letters without a shape.
            let bare: String = line
                .chars()
                .filter(|letter| !is_overlooked(*letter))
                .collect();
            command(line).or_else(|| command(&bare))
        })
        .collect()
}

/// Lines as .NET's reader cuts them: at LF, CR LF and a lone CR.
pub(crate) fn lines(stream: &str) -> impl Iterator<Item = &str> {
    stream.split('\n').flat_map(|line| line.split('\r'))
}

fn is_overlooked(letter: char) -> bool {
    matches!(letter,
        '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn command(line: &str) -> Option<Command> {
    new_form(line).or_else(|| old_form(line))
}

/// `::name key=value,key=value::data`, after blanks.
fn new_form(line: &str) -> Option<Command> {
    let (head, data) = line.trim().strip_prefix("::")?.split_once("::")?;
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let codes = [
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ];
    known(name, properties, ',', data, &codes)
}

/// `##[name key=value;key=value]data`, anywhere in a line.
fn old_form(line: &str) -> Option<Command> {
    let (head, data) = line[line.find("##[")? + 3..].split_once(']')?;
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let codes = [
        ("%3B", ";"),
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%5D", "]"),
        ("%25", "%"),
    ];
    known(name, properties, ';', data, &codes)
}

fn known(
    name: &str,
    properties: &str,
    separator: char,
    data: &str,
    codes: &[(&str, &str)],
) -> Option<Command> {
    let name = name.to_ascii_lowercase();
    let plain = |text: &str| {
        codes.iter().fold(text.to_owned(), |text, (code, letter)| {
            text.replace(code, letter)
        })
    };
    COMMANDS.contains(&name.as_str()).then(|| Command {
        name,
        properties: properties
            .split(separator)
            .filter_map(|pair| pair.trim().split_once('='))
            .map(|(key, value)| (key.to_ascii_lowercase(), plain(value)))
            .collect(),
        data: plain(data),
    })
}

/// The outputs in a file, or why the runner fails the step for it.
pub(crate) fn outputs(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    let mut rest = text;
    while let Some((line, after)) = next_line(rest) {
        rest = after;
        if line.is_empty() {
            continue;
        }
        match (line.find('='), line.find("<<")) {
            (Some(equals), heredoc) if heredoc.is_none_or(|at| equals < at) => {
                let (name, value) = (&line[..equals], &line[equals + 1..]);
                found.insert(named(name)?, value.to_owned());
            }
            (_, Some(at)) => {
                let (name, delimiter) = (&line[..at], &line[at + 2..]);
                let name = named(name)?;
                if delimiter.is_empty() {
                    return Err(format!("{name} has no delimiter"));
                }
                let mut value: Vec<&str> = Vec::new();
                loop {
                    let (line, after) = next_line(rest).ok_or("a delimiter is missing")?;
                    rest = after;
                    if line == delimiter {
                        break;
                    }
                    value.push(line);
                }
                found.insert(name, value.join("\n"));
            }
            _ => return Err(format!("a line of neither form: {line}")),
        }
    }
    Ok(found)
}

fn named(name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Err("a value without a name".to_owned());
    }
    Ok(name.to_owned())
}

fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

#[test]
fn the_oracle_sees_every_form() {
    let seen = |text: &str| {
        scan(text)
            .into_iter()
            .map(|c| (c.name, c.data))
            .collect::<Vec<_>>()
    };
    let one = |name: &str, data: &str| vec![(name.to_owned(), data.to_owned())];
    assert_eq!(
        seen("x\n  ::Error file=a%2Cb::c%250A\n"),
        one("error", "c%0A")
    );
    assert_eq!(seen("x\r::warning::y"), one("warning", "y"));
    assert_eq!(seen("any text ##[notice]z"), one("notice", "z"));
    assert_eq!(seen("\u{200b}::debug::q"), one("debug", "q"));
    assert_eq!(seen("#\u{200b}#[error]q"), one("error", "q"));
    assert_eq!(seen("\u{2028}::error::q"), one("error", "q"));
    assert!(seen("a ::error::b\n::unknown::x\n::error\n##[no]y").is_empty());
    let command = &scan("::error file=a%2Cb,line=1::c")[0];
    assert_eq!(command.properties["file"], "a,b");

    let read = outputs("a=1\n\nb<<D\nx\n=\nD\nc<<E\nE\n").expect("good");
    assert_eq!(read["a"], "1");
    assert_eq!(read["b"], "x\n=");
    assert_eq!(read["c"], "");
    for bad in ["a<<D\nx\n", "neither\n", "=x\n", "a<<\nx\n", "a<<D\nxD"] {
        assert!(outputs(bad).is_err(), "{bad:?}");
    }
}
