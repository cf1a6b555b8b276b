//! Finding and reading `mcprobe.toml`, and looking into the folders that a
//! server is given.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{ConfigError, LoadedFile, file};
use crate::model::target::{ServerCommand, Target};

/// The name that is looked for.
pub const FILE_NAME: &str = "mcprobe.toml";

/// Reads the named settings file, or `mcprobe.toml` in the folder if there is
/// one.
pub fn load(named: Option<&Path>, folder: &Path) -> Result<Option<LoadedFile>, ConfigError> {
    let path = named.map_or_else(|| folder.join(FILE_NAME), Path::to_owned);
    if named.is_none() && std::fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    let shown = path.display();
    let text = read(&path, named.is_some()).map_err(|reason| {
        ConfigError::new(format!("cannot read the settings file {shown}: {reason}"))
    })?;
    let name = path.file_name().map_or_else(
        || shown.to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let config = file::read(&name, &text)?;
    Ok(Some(LoadedFile { path, config }))
}

/// The longest settings file, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The text of a file, bounded. A file that was only found by its name must be
/// one: a pipe could wait for ever.
fn read(path: &Path, is_named: bool) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| reason(&error))?;
    let metadata = file.metadata().map_err(|error| reason(&error))?;
    if metadata.is_dir() {
        return Err("it is a folder, not a file".to_owned());
    }
    if !is_named && !metadata.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    let mut text = String::new();
    file.take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| reason(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err("it is larger than 1 MiB".to_owned());
    }
    Ok(text)
}

/// The most paths that are offered to a server's tools.
const MOST_PATHS: usize = 20;

/// What exists in the folders that a stdio server is started with: each folder
/// among its arguments and the one it is started in by `--cwd`, and what stands
/// directly in them. Absolute and sorted; folders end in a slash. Hidden entries
/// and links are left out.
pub fn scratch_paths(target: &Target) -> Vec<String> {
    let Target::Command(command) = target else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for folder in folders(command) {
        found.extend(shown(&folder, "/"));
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut inside: Vec<String> = entries
            .filter_map(|entry| {
                if entry.file_name().to_string_lossy().starts_with('.') {
                    return None;
                }
                let kind = entry.file_type().ok()?;
                if kind.is_dir() {
                    shown(&entry.path(), "/")
                } else {
                    shown(&entry.path(), "").filter(|_| kind.is_file())
                }
            })
            .collect();
        inside.sort_unstable();
        found.extend(inside);
    }
    found.truncate(MOST_PATHS);
    found
}

/// The folders among the arguments, then the one to start in; each once.
fn folders(command: &ServerCommand) -> Vec<PathBuf> {
    let start = command.cwd.clone().unwrap_or_default();
    let mut folders: Vec<PathBuf> = Vec::new();
    let named = command.argv.iter().skip(1).map(|word| {
        // `--root=/data` names a folder as well.
        let value = word.split_once('=').filter(|_| word.starts_with('-'));
        start.join(value.map_or(word.as_str(), |(_, value)| value))
    });
    for folder in named.chain(command.cwd.clone()) {
        let Ok(folder) = std::path::absolute(&folder) else {
            continue;
        };
        if folder.is_dir() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

fn shown(path: &Path, ending: &str) -> Option<String> {
    let text = path.to_str()?.trim_end_matches('/');
    Some(format!("{text}{ending}"))
}

/// An I/O error in plain words, without the number.
pub fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        ErrorKind::NotADirectory => "part of its path is a file, not a folder".to_owned(),
        ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => {
            let text = error.to_string();
            match text.find(" (os error") {
                Some(at) => text[..at].to_owned(),
                None => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_in_the_folders_of_the_command_line() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let root = scratch.path().join("data");
        std::fs::create_dir_all(root.join("sub")).expect("a folder");
        for name in ["b.txt", "a.txt", ".hidden"] {
            std::fs::write(root.join(name), "x").expect("a file");
        }
        let argv = |words: &[&str]| {
            Target::Command(ServerCommand {
                argv: words.iter().map(|word| (*word).to_owned()).collect(),
                cwd: Some(scratch.path().to_owned()),
                ..ServerCommand::default()
            })
        };
        let base = scratch.path().display().to_string();
        let wanted = [
            "data/",
            "data/a.txt",
            "data/b.txt",
            "data/sub/",
            "",
            "data/",
        ];
        let wanted = wanted.map(|name| format!("{base}/{name}"));
        assert_eq!(scratch_paths(&argv(&["server", "data", "absent"])), wanted);
        assert_eq!(scratch_paths(&argv(&["server", "--root=data"])), wanted);
        let url = "http://127.0.0.1:9/".parse().expect("a URL");
        assert_eq!(scratch_paths(&Target::Url(url)), [""; 0]);
    }
}
