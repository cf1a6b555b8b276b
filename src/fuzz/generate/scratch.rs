//! Paths that the server can have: those inside the folders that it was given.

/// Whether the tool is known to leave things as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Touch {
    /// It reads: it may be pointed at what is there.
    Reads,
    /// It may change what it is pointed at.
    #[default]
    Changes,
}

/// Words in a tool's name that make its `path` a folder.
const OF_FOLDERS: [&str; 7] = [
    "dir",
    "directory",
    "directories",
    "folder",
    "tree",
    "list",
    "ls",
];

/// Endings of files that hold text.
const TEXTS: [&str; 12] = [
    "txt", "md", "json", "toml", "yaml", "yml", "csv", "py", "js", "ts", "rs", "html",
];

/// Paths to put into arguments; empty where the server has no folder.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    /// Files, those that hold text first.
    files: Vec<String>,
    folder: Option<String>,
    /// A name beside them that nothing has.
    fresh: Option<String>,
    /// What a parameter called just `path` means.
    path_is_folder: bool,
}

impl Paths {
    /// Sorts the paths; those of folders end in a slash.
    pub(super) fn new(paths: &[String], touch: Touch, tool_words: &[String]) -> Self {
        let folder = paths.iter().find_map(|path| path.strip_suffix('/'));
        // What changes things is never pointed at anything that exists.
        if touch == Touch::Changes {
            return Self {
                fresh: folder.map(|folder| format!("{folder}/mcprobe-probe.txt")),
                ..Self::default()
            };
        }
        let mut files: Vec<String> = paths
            .iter()
            .filter(|path| !path.ends_with('/'))
            .cloned()
            .collect();
        files.sort_by_key(|path| {
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
            !TEXTS.contains(&ending)
        });
        Self {
            files,
            folder: folder.map(str::to_owned),
            fresh: None,
            path_is_folder: tool_words
                .iter()
                .any(|word| OF_FOLDERS.contains(&word.as_str())),
        }
    }

    /// A folder to look into.
    pub(super) fn folder(&self) -> &str {
        self.folder.as_deref().unwrap_or(".")
    }

    /// A file; with `word` the name of the parameter.
    pub(super) fn file(&self, word: &str, salt: usize) -> Option<String> {
        if word == "path" && self.path_is_folder && self.folder.is_some() {
            return Some(self.folder().to_owned()).filter(|_| salt == 0);
        }
        let fresh = self.fresh.clone().filter(|_| salt == 0);
        self.files.get(salt).cloned().or(fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(touch: Touch, tool: &str) -> Paths {
        let known = ["/s/", "/s/a.bin", "/s/b.txt", "/s/sub/"].map(str::to_owned);
        Paths::new(&known, touch, &crate::rules::verbs::words(tool))
    }

    #[test]
    fn readers_get_what_is_there_and_writers_what_is_not() {
        let read = paths(Touch::Reads, "read_file");
        assert_eq!(read.file("path", 0).as_deref(), Some("/s/b.txt"));
        assert_eq!(read.file("path", 1).as_deref(), Some("/s/a.bin"));
        assert_eq!(read.file("path", 2), None);
        assert_eq!(read.folder(), "/s");
        let list = paths(Touch::Reads, "list_directory");
        assert_eq!(list.file("path", 0).as_deref(), Some("/s"));
        let write = paths(Touch::Changes, "write_file");
        assert_eq!(
            write.file("path", 0).as_deref(),
            Some("/s/mcprobe-probe.txt")
        );
        assert_eq!(write.folder(), ".");
        let none = Paths::new(&[], Touch::Reads, &[]);
        assert_eq!((none.folder(), none.file("path", 0)), (".", None));
    }
}
