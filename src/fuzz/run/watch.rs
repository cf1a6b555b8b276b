//! Looking at folders before and after each call.
//!
//! Names, sizes, times and content hashes are held against the look before. A
//! file whose size, times and place are as they were is not read again. One look
//! is bounded, because there are two for each call: which folders are looked into
//! is settled by the first one, the shallow ones first, so that a new file never
//! pushes an old one out of sight.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, Metadata};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use sha2::{Digest, Sha256};

use crate::config::find;
use crate::model::answer::{ChangeKind, FileChange};
use crate::wording::{count, names};

/// Files and folders that are looked at; later looks take twice as many.
const MAX_ENTRIES: usize = 5_000;

/// Files up to this size are hashed, in bytes, and all of them together up to the
/// other one; the rest is known by size and times.
const MAX_HASHED: u64 = 1024 * 1024;
const MAX_HASHED_TOGETHER: u64 = 32 * 1024 * 1024;

/// Changes of one call that are kept.
const MAX_CHANGES: usize = 20;

/// Folders that are not looked into: what version control, package managers and
/// interpreters keep for themselves changes by reading too.
const PASSED_OVER: [&str; 4] = [".git", ".venv", "__pycache__", "node_modules"];

/// Folders that a note lists.
const LISTED: usize = 4;

/// Watched folders, as the last look saw them.
#[derive(Debug)]
pub(super) struct Watch {
    folders: Vec<PathBuf>,
    last: BTreeMap<PathBuf, Entry>,
    /// Folders for which there was no room.
    left_out: BTreeSet<PathBuf>,
    /// Whether so much came later that a look had to be given up.
    outgrown: bool,
    /// Bytes that may still be hashed.
    hash_room: u64,
}

/// What is known of one file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    stamp: Stamp,
    hash: Option<[u8; 32]>,
}

/// What changes with every change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    is_folder: bool,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// What is done about a folder for which there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// It is left out, now and later.
    First,
    /// Nothing can be said any more.
    Later,
}

impl Watch {
    /// `None` where nothing is watched.
    pub(super) fn of(folders: &[PathBuf]) -> Option<Self> {
        if folders.is_empty() {
            return None;
        }
        let mut watch = Self {
            folders: folders.to_vec(),
            last: BTreeMap::new(),
            left_out: BTreeSet::new(),
            outgrown: false,
            hash_room: MAX_HASHED_TOGETHER,
        };
        watch.last = watch.look(Look::First).unwrap_or_default();
        Some(watch)
    }

    /// What changed since the last look.
    pub(super) fn changes(&mut self) -> Vec<FileChange> {
        let Some(now) = self.look(Look::Later) else {
            self.outgrown = true;
            return Vec::new();
        };
        let before = std::mem::replace(&mut self.last, now);
        let created = self
            .last
            .keys()
            .filter(|path| !before.contains_key(*path))
            .map(|path| change(path, ChangeKind::Created));
        let gone_or_changed = before
            .iter()
            .filter_map(|(path, entry)| match self.last.get(path) {
                None => Some(change(path, ChangeKind::Removed)),
                Some(now) if differs(entry, now) => Some(change(path, ChangeKind::Changed)),
                Some(_) => None,
            });
        let mut changes: Vec<FileChange> = created.chain(gone_or_changed).collect();
        changes.sort();
        changes.truncate(MAX_CHANGES);
        changes
    }

    /// What could not be watched, a sentence each.
    pub(super) fn unwatched(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.left_out.is_empty() {
            let shown: Vec<String> = self
                .left_out
                .iter()
                .map(|folder| folder.display().to_string())
                .collect();
            notes.push(format!(
                "Together they hold more than {MAX_ENTRIES} files; {} not looked into: {}",
                count(shown.len(), "folder") + if shown.len() == 1 { " was" } else { " were" },
                names(shown.iter().map(String::as_str), LISTED)
            ));
        }
        if self.outgrown {
            notes.push(format!(
                "So many files came during the calls that more than {} would have to be looked at; from then on nothing was seen",
                2 * MAX_ENTRIES
            ));
        }
        notes
    }

    /// `None` where a later look found too much.
    fn look(&mut self, look: Look) -> Option<BTreeMap<PathBuf, Entry>> {
        let limit = match look {
            Look::First => MAX_ENTRIES,
            Look::Later => 2 * MAX_ENTRIES,
        };
        let mut found = BTreeMap::new();
        let mut open: VecDeque<PathBuf> = self.folders.iter().cloned().collect();
        while let Some(folder) = open.pop_front() {
            if self.left_out.contains(&folder) {
                continue;
            }
            let Some(paths) = entries(&folder, limit - found.len()) else {
                if look == Look::Later {
                    return None;
                }
                self.left_out.insert(folder);
                continue;
            };
            for path in paths {
                let Ok(metadata) = fs::symlink_metadata(&path) else {
                    continue;
                };
                if metadata.is_dir() {
                    if is_passed_over(&path) || find::holds_no_files(&path) {
                        continue;
                    }
                    open.push_back(path.clone());
                }
                let entry = self.entry(&path, &metadata);
                found.insert(path, entry);
            }
        }
        Some(found)
    }

    fn entry(&mut self, path: &Path, metadata: &Metadata) -> Entry {
        let stamp = Stamp {
            is_folder: metadata.is_dir(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        };
        let known = self.last.get(path);
        if let Some(known) = known
            && known.stamp == stamp
        {
            return known.clone();
        }
        let is_small = metadata.is_file() && stamp.size <= MAX_HASHED;
        // A new look at a hashed file takes no more room than the one before.
        let was_hashed = known.is_some_and(|known| known.hash.is_some());
        let is_read = is_small && (was_hashed || stamp.size <= self.hash_room);
        if is_read && !was_hashed {
            self.hash_room -= stamp.size;
        }
        Entry {
            stamp,
            hash: is_read.then(|| hash(path)).flatten(),
        }
    }
}

/// What is in a folder, by name; `None` where that is more than there is room for.
/// A folder that went away, or may not be read, holds nothing.
fn entries(folder: &Path, room: usize) -> Option<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if paths.len() >= room {
            return None;
        }
        paths.push(entry.path());
    }
    paths.sort();
    Some(paths)
}

fn is_passed_over(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| PASSED_OVER.contains(&name))
}

/// Whether a file became another one. The time of a folder changes with what is
/// in it, which is told by itself; the time of its last change of rights or links
/// is no write.
fn differs(before: &Entry, now: &Entry) -> bool {
    if before.stamp.is_folder != now.stamp.is_folder {
        return true;
    }
    if now.stamp.is_folder {
        return false;
    }
    before.stamp.size != now.stamp.size
        || before.stamp.modified != now.stamp.modified
        // Only where both are known: a change of rights alone is no write.
        || before.hash.is_some() && now.hash.is_some() && before.hash != now.hash
}

fn change(path: &Path, kind: ChangeKind) -> FileChange {
    FileChange {
        path: path.display().to_string(),
        kind,
    }
}

/// What stands there may be another thing than it was a moment ago: a pipe would
/// let us wait for ever.
fn hash(path: &Path) -> Option<[u8; 32]> {
    let mut content = Vec::new();
    let file = find::open_ordinary(path, OFlag::O_NOFOLLOW).ok()?;
    file.take(MAX_HASHED).read_to_end(&mut content).ok()?;
    let mut hash = [0; 32];
    hash.copy_from_slice(&Sha256::digest(&content));
    Some(hash)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn every_kind_of_change_is_seen_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).expect("a folder");
        for name in ["kept", "changed", "touched", "sub/removed"] {
            fs::write(at(name), "before").expect("a file");
        }
        let mut watch = Watch::of(&[folder.path().to_owned()]).expect("a watch");
        assert_eq!(watch.changes(), []);
        fs::write(at("changed"), "beFore").expect("a file");
        let file = File::options()
            .append(true)
            .open(at("touched"))
            .expect("a file");
        file.set_modified(std::time::SystemTime::UNIX_EPOCH)
            .expect("a time");
        fs::remove_file(at("sub/removed")).expect("it is gone");
        fs::write(at("sub/new"), "").expect("a file");
        let told: Vec<(String, ChangeKind)> = watch
            .changes()
            .into_iter()
            .map(|change| {
                let path = Path::new(&change.path)
                    .strip_prefix(folder.path())
                    .expect("below");
                (path.display().to_string(), change.kind)
            })
            .collect();
        assert_eq!(
            told,
            [
                ("changed".to_owned(), ChangeKind::Changed),
                ("sub/new".to_owned(), ChangeKind::Created),
                ("sub/removed".to_owned(), ChangeKind::Removed),
                ("touched".to_owned(), ChangeKind::Changed),
            ]
        );
        assert_eq!(watch.changes(), []);
        assert!(watch.unwatched().is_empty());
        assert!(Watch::of(&[]).is_none());
    }

    fn told(watch: &mut Watch, folder: &Path) -> Vec<String> {
        let path = |change: FileChange| {
            let path = Path::new(&change.path).strip_prefix(folder);
            let path = path.expect("below").display().to_string();
            format!("{path} {}", change.kind.word())
        };
        watch.changes().into_iter().map(path).collect()
    }

    #[test]
    fn what_tools_keep_for_themselves_is_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("app/.git")).expect("folders");
        let mut watch = Watch::of(&[folder.path().to_owned()]).expect("a watch");
        fs::write(folder.path().join("app/.git/index"), "").expect("a file");
        for name in ["node_modules/.cache", "app/__pycache__", ".venv"] {
            fs::create_dir_all(folder.path().join(name)).expect("folders");
            fs::write(folder.path().join(name).join("new"), "").expect("a file");
        }
        assert_eq!(told(&mut watch, folder.path()), [""; 0]);
        // A file of that name is a file like others.
        fs::remove_dir_all(folder.path().join(".venv")).expect("gone");
        fs::write(folder.path().join(".venv"), "").expect("a file");
        assert_eq!(told(&mut watch, folder.path()), [".venv created"]);
        let mut named = Watch::of(&[folder.path().join("app/.git")]).expect("a watch");
        fs::write(folder.path().join("app/.git/HEAD"), "").expect("a file");
        assert_eq!(told(&mut named, folder.path()), ["app/.git/HEAD created"]);
    }

    #[test]
    fn a_large_workspace_is_watched_in_part_and_nothing_false_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["a_large", "b/deep", "c"] {
            fs::create_dir_all(at(name)).expect("folders");
        }
        for number in 0..MAX_ENTRIES {
            fs::write(at("a_large").join(number.to_string()), "").expect("a file");
        }
        fs::write(at("b/deep/file"), "").expect("a file");
        let mut watch = Watch::of(&[folder.path().to_owned()]).expect("a watch");
        assert!(watch.last.len() <= MAX_ENTRIES);
        fs::write(at("a_large/new"), "").expect("a file");
        fs::write(at("a_first"), "").expect("a file");
        fs::write(at("b/deep/file"), "changed").expect("a file");
        assert_eq!(
            told(&mut watch, folder.path()),
            ["a_first created", "b/deep/file changed"]
        );
        let notes = watch.unwatched();
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].contains("1 folder was not looked into"),
            "{notes:?}"
        );
        assert!(notes[0].contains("a_large"), "{notes:?}");

        // What comes later has twice the room, and then nothing is told at all.
        for number in 0..2 * MAX_ENTRIES {
            fs::write(at("c").join(number.to_string()), "").expect("a file");
        }
        assert_eq!(told(&mut watch, folder.path()), [""; 0]);
        assert_eq!(watch.unwatched().len(), 2);
    }

    #[test]
    fn content_is_hashed_up_to_a_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["one", "two"] {
            fs::write(at(name), "x".repeat(100)).expect("a file");
        }
        let mut watch = Watch::of(&[folder.path().to_owned()]).expect("a watch");
        assert_eq!(watch.hash_room, MAX_HASHED_TOGETHER - 200);
        watch.hash_room = 50;
        fs::write(at("three"), "x".repeat(100)).expect("a file");
        assert_eq!(told(&mut watch, folder.path()), ["three created"]);
        assert!(watch.last[&at("three")].hash.is_none());
        fs::write(at("one"), "y".repeat(100)).expect("a file");
        assert_eq!(told(&mut watch, folder.path()), ["one changed"]);
        assert_eq!(watch.hash_room, 50);
    }

    #[test]
    fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        assert_eq!(hash(&pipe), None);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/etc/hostname", &link).expect("a link");
        assert_eq!(hash(&link), None);
        fs::write(folder.path().join("file"), "x").expect("a file");
        assert!(hash(&folder.path().join("file")).is_some());
    }
}
