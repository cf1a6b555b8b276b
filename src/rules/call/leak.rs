//! Traces of a server's inside in a text: stack traces and absolute paths.
//!
//! Careful rather than complete: what the client sent itself is no leak, and
//! neither is a path of a URL or a word with a slash.

/// What was found, and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leak<'a> {
    pub(super) what: &'static str,
    pub(super) text: &'a str,
}

/// The first leak of a text. `known` are texts that the client knows already:
/// the request, and how the server was started.
pub(super) fn find<'a>(text: &'a str, known: &[&str]) -> Option<Leak<'a>> {
    let trace = text.lines().find(|line| is_trace(line)).map(|line| Leak {
        what: "a stack trace",
        text: line.trim(),
    });
    trace.or_else(|| {
        let path = paths(text).find(|path| !is_known(path, known))?;
        Some(Leak {
            what: "an absolute path",
            text: path,
        })
    })
}

/// Whether a line is one that only a stack trace has.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with("Traceback (most recent call last)")
        || line.starts_with("goroutine ") && line.trim_end().ends_with("]:")
        || line.starts_with("thread '") && line.contains(" panicked at ")
        || line.starts_with("stack backtrace:")
    {
        return true;
    }
    // Python: `File "x.py", line 3, in f`.
    if line.starts_with("File \"") && line.contains("\", line ") {
        return true;
    }
    // Node, Java, .NET: `at f (x.js:1:2)`, `at a.B.c(B.java:12)`, `at A.B() in x.cs:line 3`.
    line.strip_prefix("at ").is_some_and(|frame| {
        let place = frame
            .rsplit(['(', ' '])
            .next()
            .unwrap_or_default()
            .trim_end()
            .trim_end_matches(')');
        let numbered = place
            .rsplit_once(':')
            .is_some_and(|(file, line)| !file.is_empty() && is_number(line));
        numbered || frame.contains(":line ")
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Folders at a root under which programs and homes lie.
const ROOTS: [&str; 12] = [
    "/Users/",
    "/etc/",
    "/home/",
    "/mnt/",
    "/opt/",
    "/private/",
    "/root/",
    "/srv/",
    "/tmp/",
    "/usr/",
    "/var/",
    "/workspace/",
];

/// Absolute paths of at least two names.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().filter_map(move |(at, char)| {
        let opens = text[..at]
            .chars()
            .next_back()
            .is_none_or(|before| before.is_whitespace() || "\"'`([{<=,;:".contains(before));
        if !opens {
            return None;
        }
        let rest = &text[at..];
        let rooted = char == '/' && ROOTS.iter().any(|root| rest.starts_with(root));
        let drive = char.is_ascii_alphabetic() && rest[1..].starts_with(":\\")
            || char.is_ascii_uppercase()
                && rest[1..].starts_with(":/")
                && !rest[1..].starts_with("://");
        if !rooted && !drive {
            return None;
        }
        let end = rest
            .find(|char: char| char.is_whitespace() || "\"'`)]}>,;*|".contains(char))
            .unwrap_or(rest.len());
        let path = rest[..end].trim_end_matches(['.', ':', '/', '\\', '…']);
        (names_in(path) >= 2).then_some(path)
    })
}

/// Whether the client knows a path: it stands in what it sent, as it is or as JSON
/// writes it, or is a name that it sent inside a folder that it knows.
fn is_known(path: &str, known: &[&str]) -> bool {
    let stands = |part: &str| {
        let quoted = serde_json::Value::from(part).to_string();
        let escaped = quoted.trim_matches('"');
        let stands = |text: &&str| text.contains(part) || text.contains(escaped);
        !part.is_empty() && known.iter().any(stands)
    };
    stands(path)
        || path.match_indices(['/', '\\']).any(|(at, _)| {
            let (folder, name) = (&path[..at], &path[at + 1..]);
            names_in(folder) >= 2 && stands(folder) && stands(name)
        })
}

fn names_in(path: &str) -> usize {
    let names = path.split(['/', '\\']);
    names.filter(|name| !name.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&'static str, &str)> {
        find(
            text,
            &[
                "{\"path\":\"/home/me/sent.txt\",\"name\":\"a\\u0000b\"}",
                "node C:\\srv\\index.js",
            ],
        )
        .map(|leak| (leak.what, leak.text))
    }

    #[test]
    fn stack_traces_of_common_languages_are_found() {
        for trace in [
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>",
            "TypeError: x\n    at Object.call (file:///app/index.js:10:5)",
            "java.lang.Error\n\tat com.acme.Tool.run(Tool.java:12)",
            "at Acme.Tool.Run() in Tool.cs:line 40",
            "thread 'main' panicked at src/main.rs:3:5:",
            "goroutine 1 [running]:",
        ] {
            assert_eq!(
                found(trace).map(|(what, _)| what),
                Some("a stack trace"),
                "{trace}"
            );
        }
    }

    #[test]
    fn absolute_paths_are_found() {
        let what = "an absolute path";
        for (text, path) in [
            (
                "ENOENT: no such file, open '/home/bob/app/x.db'",
                "/home/bob/app/x.db",
            ),
            ("cannot read /usr/lib/acme/a.so.", "/usr/lib/acme/a.so"),
            ("no such file: /home/me/inner", "/home/me/inner"),
            (
                "file C:\\Users\\bob\\x.txt is missing",
                "C:\\Users\\bob\\x.txt",
            ),
            ("bad path:/etc/acme/conf", "/etc/acme/conf"),
        ] {
            assert_eq!(found(text), Some((what, path)), "{text}");
        }
    }

    #[test]
    fn plain_refusals_are_no_leaks() {
        for innocent in [
            "cannot read /home/me/sent.txt",
            "cannot load C:\\srv\\index.js",
            // A name that was sent, in a folder that was.
            "no such file: /home/me/path",
            "no such file: /home/me/a\u{0}b",
            "see https://example.com/home/docs/errors",
            "use either/or, and/home/but",
            "the path must not start with /tmp/",
            "expected a date at position 5, at most 3 values",
            "meet at 10:30",
            "either a:/b/c or a://b/c",
            "unknown endpoint /users/list",
            "",
        ] {
            assert_eq!(found(innocent), None, "{innocent}");
        }
    }
}
