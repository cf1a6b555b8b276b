//! The workspace: the folder that all paths of a step are relative to, and whose
//! owner everything belongs to that a step leaves behind or starts.
//!
//! A server may lay traps in it, so nothing is written through a link that leads
//! out of it, and a file takes its place by a rename.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{
    MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown, fchown,
};
use std::path::{Component, Path, PathBuf};

use crate::config::ConfigError;
use crate::config::find::reason;
use crate::model::target::Owner;
use crate::wording::cut;

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;

/// A folder that exists, its links resolved.
#[derive(Debug)]
pub(super) struct Workspace {
    root: PathBuf,
    /// Its name before links were resolved, as a user may write it.
    name: PathBuf,
    owner: Owner,
    we_are: Owner,
}

impl Workspace {
    /// The runner's workspace, elsewhere the current folder.
    pub(super) fn find(variables: &BTreeMap<String, String>) -> Result<Self, ConfigError> {
        let named = variables
            .get("GITHUB_WORKSPACE")
            .filter(|_| {
                variables
                    .get("GITHUB_ACTIONS")
                    .is_some_and(|on| on == "true")
            })
            .filter(|path| !path.is_empty());
        let name = match named {
            Some(path) => PathBuf::from(path),
            None => std::env::current_dir().map_err(|error| {
                ConfigError::new(format!("there is no current folder: {}", reason(&error)))
            })?,
        };
        let broken = |error: io::Error| {
            ConfigError::new(format!(
                "the workspace {} cannot be used: {}",
                name.display(),
                reason(&error)
            ))
        };
        let root = name.canonicalize().map_err(broken)?;
        let facts = root.metadata().map_err(broken)?;
        Ok(Self {
            owner: Owner {
                uid: facts.uid(),
                gid: facts.gid(),
            },
            we_are: Owner {
                uid: rustix::process::geteuid().as_raw(),
                gid: rustix::process::getegid().as_raw(),
            },
            root,
            name,
        })
    }

    /// The folder itself.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whom the user's commands run as, where that is not ourselves.
    pub(super) fn run_as(&self) -> Option<Owner> {
        (self.we_are.uid == 0 && self.owner.uid != 0).then_some(self.owner)
    }

    /// A folder of the workspace.
    pub(super) fn folder(&self, what: &str, text: &str) -> Result<PathBuf, ConfigError> {
        let path = self.inside(what, text)?;
        if path.is_dir() {
            return Ok(path);
        }
        Err(ConfigError::new(format!(
            "{what}: there is no folder {} in the workspace",
            shown(text)
        )))
    }

    /// A path of the workspace, whether or not something is there, its links
    /// resolved.
    pub(super) fn inside(&self, what: &str, text: &str) -> Result<PathBuf, ConfigError> {
        self.resolve(text)
            .map_err(|why| ConfigError::new(format!("{what}: {} {why}", shown(text))))
    }

    /// A path of the workspace, if something has that name there.
    pub(super) fn found(&self, name: &str) -> Result<Option<PathBuf>, ConfigError> {
        if self.root.join(name).symlink_metadata().is_err() {
            return Ok(None);
        }
        let resolved = self.resolve(name);
        let refused = |why| ConfigError::new(format!("{} {why}", shown(name)));
        resolved.map(Some).map_err(refused)
    }

    /// The place of a file, relative to the workspace. Refuses one that cannot be
    /// written before a long run is spent on it.
    pub(super) fn place(&self, what: &str, text: &str) -> Result<String, ConfigError> {
        let path = self.inside(what, text)?;
        if path == self.root || path.is_dir() || text.ends_with('/') {
            return Err(ConfigError::new(format!(
                "{what}: {} is a folder; name a file",
                shown(text)
            )));
        }
        let relative = path.strip_prefix(&self.root).unwrap_or(&path);
        if relative.iter().any(|name| name.len() > LONGEST_NAME) {
            return Err(ConfigError::new(format!(
                "{what}: {} has a name longer than {LONGEST_NAME} bytes",
                shown(text)
            )));
        }
        if let Err(error) = path.symlink_metadata()
            && error.kind() != ErrorKind::NotFound
        {
            let why = reason(&error);
            return Err(ConfigError::new(format!("{what}: {}: {why}", shown(text))));
        }
        relative
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| ConfigError::new(format!("{what}: {} is not UTF-8", shown(text))))
    }

    /// Writes a file, making the folders that lack. All of it is the owner's.
    pub(super) fn write(&self, text: &str, content: &str) -> Result<(), String> {
        let failed = |why: String| format!("cannot write {}: {why}", shown(text));
        let path = self.resolve(text).map_err(failed)?;
        let folder = path.parent().unwrap_or(&self.root);
        self.make_folders(folder)
            .map_err(|error| failed(reason(&error)))?;
        self.replace(&path, folder, content)
            .map_err(|error| failed(reason(&error)))
    }

    fn resolve(&self, text: &str) -> Result<PathBuf, String> {
        let path = Path::new(text);
        let relative = if path.is_absolute() {
            path.strip_prefix(&self.name)
                .or_else(|_| path.strip_prefix(&self.root))
                .map_err(|_| "is not in the workspace; give a path relative to it".to_owned())?
        } else {
            path
        };
        let mut at = self.root.clone();
        for part in relative.components() {
            match part {
                Component::CurDir => continue,
                Component::Normal(name) => at.push(name),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err("leads out of the workspace; `..` is not allowed".to_owned());
                }
            }
            if at.symlink_metadata().is_ok_and(|facts| facts.is_symlink()) {
                at = at
                    .canonicalize()
                    .ok()
                    .filter(|to| to.starts_with(&self.root))
                    .ok_or(
                        "is or goes through a link that leads out of the workspace, or nowhere",
                    )?;
            }
        }
        Ok(at)
    }

    fn make_folders(&self, folder: &Path) -> io::Result<()> {
        let mut missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| !folder.exists())
            .collect();
        missing.reverse();
        for folder in missing {
            match fs::create_dir(folder) {
                Ok(()) => self.give(|uid, gid| chown(folder, uid, gid))?,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A rename replaces whatever stands there: it follows no link, waits for no
    /// pipe, and changes no file that has a second name elsewhere.
    fn replace(&self, path: &Path, folder: &Path, content: &str) -> io::Result<()> {
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let (mut file, draft) = draft(folder)?;
        let written = file
            .write_all(content.as_bytes())
            .and_then(|()| file.set_permissions(Permissions::from_mode(0o644)))
            .and_then(|()| self.give(|uid, gid| fchown(&file, uid, gid)))
            .and_then(|()| fs::rename(&draft, path));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written
    }

    /// Only root can give something away.
    fn give(
        &self,
        chown: impl FnOnce(Option<u32>, Option<u32>) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.run_as() {
            Some(owner) => chown(Some(owner.uid), Some(owner.gid)),
            None => Ok(()),
        }
    }

    /// A home folder that the user's commands can use: the one there is, else a
    /// fresh one.
    pub(super) fn home(&self, variables: &BTreeMap<String, String>) -> Home {
        let user = self.run_as().unwrap_or(self.we_are);
        let there = variables
            .get("HOME")
            .filter(|home| is_usable(Path::new(home), user));
        if there.is_some() {
            return Home { made: None };
        }
        Home {
            made: self.make_home().ok(),
        }
    }

    fn make_home(&self) -> io::Result<PathBuf> {
        for number in 0..1000 {
            let path =
                std::env::temp_dir().join(format!("mcprobe-home-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => {
                    self.give(|uid, gid| chown(&path, uid, gid))?;
                    return Ok(path);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Where a user's commands are at home. A folder made for it goes with it.
#[derive(Debug)]
pub(super) struct Home {
    made: Option<PathBuf>,
}

impl Home {
    /// Names it in an environment, unless the user did.
    pub(super) fn put(&self, env: &mut BTreeMap<String, String>) {
        if let Some(home) = self.made.as_ref().and_then(|home| home.to_str()) {
            env.entry("HOME".to_owned())
                .or_insert_with(|| home.to_owned());
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(home) = &self.made {
            let _ = fs::remove_dir_all(home);
        }
    }
}

fn is_usable(home: &Path, user: Owner) -> bool {
    let Ok(facts) = home.metadata() else {
        return false;
    };
    let mode = facts.mode();
    let allowed = if user.uid == 0 || facts.uid() == user.uid {
        mode >> 6
    } else if facts.gid() == user.gid {
        mode >> 3
    } else {
        mode
    };
    facts.is_dir() && home.is_absolute() && (user.uid == 0 || allowed & 0o7 == 0o7)
}

fn draft(folder: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0..1000 {
        let path = folder.join(format!(".mcprobe-{}-{number}", std::process::id()));
        let opened = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match opened {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn shown(text: &str) -> String {
    format!("`{}`", cut(text, 200).escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn workspace(folder: &Path) -> Workspace {
        let variables = [
            ("GITHUB_ACTIONS".to_owned(), "true".to_owned()),
            ("GITHUB_WORKSPACE".to_owned(), folder.display().to_string()),
        ];
        Workspace::find(&variables.into()).expect("a workspace")
    }

    #[test]
    fn paths_stay_inside() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("ws");
        fs::create_dir_all(root.join("app/deep")).expect("folders");
        symlink("../..", root.join("app/out")).expect("a link");
        symlink("deep", root.join("app/in")).expect("a link");
        symlink("nowhere", root.join("dangling")).expect("a link");
        fs::write(root.join("file"), "").expect("a file");
        let workspace = workspace(&root);
        for good in [
            "r.json",
            "./new/r.json",
            "app/in/r.json",
            &format!("{}/x", root.display()),
        ] {
            workspace.place("report", good).expect(good);
        }
        for bad in [
            "../r.json",
            "app/../../r.json",
            "/etc/r.json",
            "app/out/r.json",
            "dangling",
            "",
            ".",
            "app",
            "new/",
            &"a".repeat(300),
            &format!("new/{}/r.json", "a".repeat(256)),
            "file/r.json",
        ] {
            assert!(workspace.place("report", bad).is_err(), "{bad}");
        }
        let absolute = format!("{}/./new/r.json", root.display());
        assert_eq!(
            workspace.place("report", &absolute).expect("good"),
            "new/r.json"
        );
        assert_eq!(
            workspace.place("report", "app/in/r.json").expect("good"),
            "app/deep/r.json"
        );
        assert!(workspace.folder("working-directory", "app/in").is_ok());
        assert!(workspace.folder("working-directory", "nothing").is_err());
    }

    #[test]
    fn a_file_replaces_what_stands_there_and_never_what_it_points_to() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("ws");
        fs::create_dir(&root).expect("a folder");
        let outside = outer.path().join("outside");
        fs::write(&outside, "mine").expect("a file");
        let workspace = workspace(&root);
        workspace.write("a/b/r.json", "1").expect("written");
        assert_eq!(
            fs::read_to_string(root.join("a/b/r.json")).expect("read"),
            "1"
        );
        // A second name for a file elsewhere.
        fs::hard_link(&outside, root.join("hard")).expect("a link");
        workspace.write("hard", "2").expect("written");
        assert_eq!(fs::read_to_string(root.join("hard")).expect("read"), "2");
        symlink(&outside, root.join("soft")).expect("a link");
        assert!(workspace.write("soft", "3").is_err());
        assert_eq!(fs::read_to_string(&outside).expect("read"), "mine");
        let left: Vec<String> = fs::read_dir(&root)
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|name| name.starts_with(".mcprobe"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
