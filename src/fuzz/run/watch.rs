//! Looking at folders before and after each call.
//!
//! Names, sizes, times and content hashes are held against the look before. A
//! file whose size, times and place are as they were is not read again.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::model::answer::{ChangeKind, FileChange};

/// Files and folders that are looked at.
const MAX_ENTRIES: usize = 20_000;

/// Files up to this size are hashed, in bytes; larger ones are known by size and
/// times.
const MAX_HASHED: u64 = 1024 * 1024;

/// Changes of one call that are kept.
const MAX_CHANGES: usize = 20;

/// Watched folders, as the last look saw them.
#[derive(Debug)]
pub(super) struct Watch {
    folders: Vec<PathBuf>,
    last: BTreeMap<PathBuf, Entry>,
    cut: bool,
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

impl Watch {
    /// `None` where nothing is watched.
    pub(super) fn of(folders: &[PathBuf]) -> Option<Self> {
        if folders.is_empty() {
            return None;
        }
        let mut watch = Self {
            folders: folders.to_vec(),
            last: BTreeMap::new(),
            cut: false,
        };
        watch.last = watch.look();
        Some(watch)
    }

    /// What changed since the last look.
    pub(super) fn changes(&mut self) -> Vec<FileChange> {
        let now = self.look();
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
    pub(super) fn notes(&self) -> Vec<String> {
        let cut = self.cut.then(|| {
            format!(
                "the watched folders hold more than {MAX_ENTRIES} files; the rest was not watched"
            )
        });
        cut.into_iter().collect()
    }

    fn look(&mut self) -> BTreeMap<PathBuf, Entry> {
        let mut found = BTreeMap::new();
        let mut open: Vec<PathBuf> = self.folders.clone();
        while let Some(folder) = open.pop() {
            // A folder that went away, or may not be read, holds nothing.
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths {
                if found.len() >= MAX_ENTRIES {
                    self.cut = true;
                    return found;
                }
                let Ok(metadata) = fs::symlink_metadata(&path) else {
                    continue;
                };
                if metadata.is_dir() {
                    open.push(path.clone());
                }
                let entry = self.entry(&path, &metadata);
                found.insert(path, entry);
            }
        }
        found
    }

    fn entry(&self, path: &Path, metadata: &Metadata) -> Entry {
        let stamp = Stamp {
            is_folder: metadata.is_dir(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        };
        if let Some(known) = self.last.get(path)
            && known.stamp == stamp
        {
            return known.clone();
        }
        let is_read = metadata.is_file() && metadata.len() <= MAX_HASHED;
        Entry {
            stamp,
            hash: is_read.then(|| hash(path)).flatten(),
        }
    }
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
        || before.hash != now.hash
}

fn change(path: &Path, kind: ChangeKind) -> FileChange {
    FileChange {
        path: path.display().to_string(),
        kind,
    }
}

fn hash(path: &Path) -> Option<[u8; 32]> {
    let mut content = Vec::new();
    File::open(path)
        .ok()?
        .take(MAX_HASHED)
        .read_to_end(&mut content)
        .ok()?;
    let mut hash = [0; 32];
    hash.copy_from_slice(&Sha256::digest(&content));
    Some(hash)
}

#[cfg(test)]
mod tests {
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
        assert!(watch.notes().is_empty());
        assert!(Watch::of(&[]).is_none());
    }
}
