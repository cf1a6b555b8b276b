//! The house keeps its shape: who may import whom, which rooms are pure, how
//! long a file may be.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms in the order of the import rule: a room may import rooms of its own
/// rank and of lower ranks, never of a higher one.
const RANKS: [&[&str]; 8] = [
    &["protocol"],
    &["model"],
    &["schema", "wording"],
    &[
        "rules", "fuzz", "score", "gate", "judge", "render", "config", "capture", "demo", "replay",
    ],
    &["transport", "client", "progress", "upload"],
    &["fuzz::run", "audit"],
    &["ci"],
    &["cli"],
];

/// Rooms that may wait, read clocks, files and the environment.
const WORLDLY: [&str; 18] = [
    "upload/mod",
    "upload/send",
    "transport",
    "client",
    "progress",
    "audit",
    "ci/deliver",
    "ci/mod",
    "ci/programs",
    "ci/relay",
    "ci/serve",
    "ci/setup",
    "ci/workspace",
    "cli",
    "fuzz/run",
    "config/find",
    "config/mod",
    "demo",
];

/// Words that have no place in a pure room.
const IMPURE: [&str; 11] = [
    "tokio",
    "reqwest",
    "clap::",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "Instant::now",
    "SystemTime",
    "indicatif",
];

const MAX_LINES: usize = 600;

#[test]
fn rooms_import_only_rooms_before_them() {
    let mut broken = Vec::new();
    for (path, text) in sources() {
        let Some(own) = rank(&room(&path)) else {
            continue;
        };
        for (number, line) in code_lines(&text) {
            for target in imports(line) {
                if rank(&target).is_some_and(|other| other > own) {
                    broken.push(format!("{}:{number}: imports {target}", path.display()));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "imports against the order of the rooms:\n{}",
        broken.join("\n")
    );
}

#[test]
fn every_room_has_its_place_in_the_order() {
    let listed: Vec<&str> = RANKS.concat();
    let mut rooms: Vec<String> = sources()
        .into_keys()
        .map(|path| room(&path))
        .filter(|room| !matches!(room.as_str(), "lib" | "main"))
        .collect();
    rooms.dedup();
    for room in rooms {
        assert!(
            listed.contains(&room.as_str()),
            "src/{room} is in no rank of the import rule"
        );
    }
}

#[test]
fn pure_rooms_do_not_reach_for_the_world() {
    let mut broken = Vec::new();
    for (path, text) in sources() {
        let name = path.with_extension("").to_string_lossy().into_owned();
        if WORLDLY.iter().any(|room| name.starts_with(room))
            || matches!(name.as_str(), "lib" | "main")
        {
            continue;
        }
        for (number, line) in code_lines(&text) {
            for word in IMPURE.iter().filter(|word| line.contains(**word)) {
                broken.push(format!("{}:{number}: {word}", path.display()));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "pure rooms that reach for the world:\n{}",
        broken.join("\n")
    );
}

#[test]
fn pure_rooms_deny_the_impure_methods() {
    for (path, text) in sources() {
        let name = path.with_extension("").to_string_lossy().into_owned();
        let parent_denies = path.components().count() > 1 && {
            let root = path.components().next().expect("a component").as_os_str();
            let root = fs::read_to_string(src().join(root).join("mod.rs")).unwrap_or_default();
            root.contains(DENY)
        };
        // `fuzz` waits in `run` alone; its pure folders deny in their own `mod.rs`.
        let folder_denies = path.parent().is_some_and(|folder| {
            fs::read_to_string(src().join(folder).join("mod.rs"))
                .is_ok_and(|text| text.contains(DENY))
        });
        let worldly = WORLDLY.iter().any(|room| name.starts_with(room))
            || matches!(name.as_str(), "lib" | "main");
        // A mixed folder's `mod.rs` holds the module list and shared nouns only.
        let mixed_root = matches!(name.as_str(), "fuzz/mod" | "config/mod");
        if !worldly && !mixed_root {
            assert!(
                parent_denies || folder_denies || text.contains(DENY),
                "src/{} lacks `{DENY}`",
                path.display()
            );
        }
    }
}

const DENY: &str = "#![deny(clippy::disallowed_methods, clippy::disallowed_types)]";

#[test]
fn files_stay_short() {
    let long: Vec<String> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("src/{}: {lines} lines", path.display()))
        .collect();
    assert!(
        long.is_empty(),
        "files over {MAX_LINES} lines:\n{}",
        long.join("\n")
    );
}

#[test]
fn no_room_is_a_drawer() {
    for path in sources().into_keys() {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert!(
            !["utils", "util", "common", "misc", "helpers", "types"].contains(&name.as_str()),
            "src/{} needs a name that says what it holds",
            path.display()
        );
    }
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file, by its path below `src`.
fn sources() -> BTreeMap<PathBuf, String> {
    fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                found.insert(
                    path.strip_prefix(src()).expect("below src").to_owned(),
                    text,
                );
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&src(), &mut found);
    assert!(found.len() > 15, "src was not read");
    found
}

/// The room of a file: the top folder, or `fuzz::run` apart from `fuzz`.
fn room(path: &Path) -> String {
    let name = path.with_extension("").to_string_lossy().into_owned();
    if name.starts_with("fuzz/run") {
        return "fuzz::run".to_owned();
    }
    name.split('/').next().unwrap_or_default().to_owned()
}

fn rank(room: &str) -> Option<usize> {
    RANKS.iter().position(|rank| rank.contains(&room))
}

/// Lines of code before the file's own tests, without comments.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .map(|(at, line)| (at + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The rooms that a line names through `crate::`.
fn imports(line: &str) -> Vec<String> {
    line.split("crate::")
        .skip(1)
        .map(|rest| {
            if rest.starts_with("fuzz::run") {
                return "fuzz::run".to_owned();
            }
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .filter(|room: &String| !room.is_empty())
        .collect()
}
