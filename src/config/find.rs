//! Finding and reading `mcprobe.toml`, and looking into the folders that a
//! server is given.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::fcntl::{FcntlArg, OFlag, fcntl};

use super::{ConfigError, LoadedFile, file};
use crate::model::suppression::Day;
use crate::model::target::{ServerCommand, Target};

/// The name that is looked for.
pub const FILE_NAME: &str = "mcprobe.toml";

/// Reads the named settings file, or `mcprobe.toml` in the folder if there is
/// one.
pub fn load(named: Option<&Path>, folder: &Path) -> Result<Option<LoadedFile>, ConfigError> {
    if let Some(path) = named {
        return parsed(path, read_named(path, MAX_BYTES)).map(Some);
    }
    let path = folder.join(FILE_NAME);
    if std::fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    load_ordinary(&path).map(Some)
}

/// Reads a settings file that must be an ordinary file: a pipe would be waited for.
pub fn load_ordinary(path: &Path) -> Result<LoadedFile, ConfigError> {
    let text = open_ordinary(path, OFlag::empty())
        .map_err(|error| reason(&error))
        .and_then(|file| bounded(file, MAX_BYTES));
    parsed(path, text)
}

/// The bytes of a file that somebody named, at most so many. A pipe into which
/// somebody writes is read to its end; one into which nobody does is not waited for.
/// The error is a reason in plain words.
pub fn read_named(path: &Path, most_bytes: u64) -> Result<Vec<u8>, String> {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(path);
    let file = opened.map_err(|error| reason(&error))?;
    // From here on a writer that takes its time is waited for.
    fcntl(&file, FcntlArg::F_SETFL(OFlag::empty())).map_err(|error| reason(&error.into()))?;
    let is_pipe = file
        .metadata()
        .is_ok_and(|facts| facts.file_type().is_fifo());
    let bytes = bounded(file, most_bytes)?;
    if is_pipe && bytes.is_empty() {
        return Err("it is a pipe into which nobody wrote".to_owned());
    }
    Ok(bytes)
}

/// Opens an ordinary file for reading, whatever may stand there; never waits.
pub fn open_ordinary(path: &Path, flags: OFlag) -> io::Result<File> {
    let flags = flags | OFlag::O_NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits())
        .open(path)?;
    let facts = file.metadata()?;
    if facts.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !facts.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    Ok(file)
}

/// Whether a folder is one in which the kernel shows itself: nothing there is a
/// file, and reading some of it waits.
pub fn holds_no_files(folder: &Path) -> bool {
    ["/proc", "/sys", "/dev"]
        .iter()
        .any(|of_kernel| folder == Path::new(of_kernel))
}

/// Why a folder cannot be watched.
pub fn unwatchable(folder: &Path) -> Option<&'static str> {
    if !folder.is_dir() {
        return Some("there is no such folder");
    }
    let whole = folder.canonicalize().ok()?;
    whole
        .ancestors()
        .any(holds_no_files)
        .then_some("the kernel shows itself there, it holds no files; name another folder")
}

fn parsed(path: &Path, bytes: Result<Vec<u8>, String>) -> Result<LoadedFile, ConfigError> {
    let shown = path.display();
    let text = bytes
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| NOT_UTF8.to_owned()))
        .map_err(|reason| {
            ConfigError::new(format!("cannot read the settings file {shown}: {reason}"))
        })?;
    let name = path.file_name().map_or_else(
        || shown.to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let config = file::read(&name, &text)?;
    let path = path.to_owned();
    Ok(LoadedFile {
        path,
        config,
        read_on: today(),
    })
}

/// The one look at the calendar. A clock before 1970 counts as 1970, so that nothing
/// expires by it.
fn today() -> Day {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Day::of_unix(since.map_or(0, |since| since.as_secs()))
}

/// The longest settings file, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// What is said of a text that is none.
pub const NOT_UTF8: &str = "it is not UTF-8 text";

/// The bytes of a file or a pipe, at most so many.
pub fn bounded(from: impl io::Read, most_bytes: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(most_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| reason(&error))?;
    if bytes.len() as u64 > most_bytes {
        return Err(format!("it is larger than {} MiB", most_bytes >> 20));
    }
    Ok(bytes)
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
pub fn reason(error: &io::Error) -> String {
    use io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        ErrorKind::NotADirectory => "part of its path is a file, not a folder".to_owned(),
        ErrorKind::InvalidData => NOT_UTF8.to_owned(),
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

    #[test]
    fn folders_of_the_kernel_are_not_watched() {
        assert!(unwatchable(Path::new("/")).is_none());
        assert!(unwatchable(Path::new("/dev")).is_some());
        let folder = tempfile::tempdir().expect("a folder");
        assert!(unwatchable(folder.path()).is_none());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev", &link).expect("a link");
        assert!(unwatchable(&link).is_some());
        assert!(unwatchable(&folder.path().join("absent")).is_some());
    }

    #[test]
    fn a_pipe_with_the_name_of_the_settings_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join(FILE_NAME);
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let refused = load(None, folder.path()).expect_err("no file").message;
        assert!(refused.ends_with("it is no ordinary file"), "{refused}");
        let refused = load(Some(&pipe), folder.path()).expect_err("nothing in it");
        assert!(
            refused.message.ends_with("into which nobody wrote"),
            "{}",
            refused.message
        );
    }

    #[test]
    fn a_pipe_into_which_somebody_writes_is_read_to_its_end() {
        use std::io::Write as _;
        use std::os::fd::AsRawFd as _;
        let (read, write) = nix::unistd::pipe().expect("a pipe");
        let path = format!("/dev/fd/{}", read.as_raw_fd());
        let mut write = File::from(write);
        let writer = std::thread::spawn(move || {
            for part in ["one ", "two"] {
                std::thread::yield_now();
                write.write_all(part.as_bytes()).expect("a reader");
            }
        });
        assert_eq!(read_named(Path::new(&path), 10), Ok(b"one two".to_vec()));
        writer.join().expect("a writer");
        let large = read_named(Path::new("/dev/zero"), 1024 * 1024);
        assert_eq!(large, Err("it is larger than 1 MiB".to_owned()));
    }
}
