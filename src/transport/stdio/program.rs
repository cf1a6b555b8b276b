//! From what the user named to what is started: the program's path, and the
//! clean environment.

use std::env;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::order::SpawnOrder;
use crate::model::target::{Owner, ServerCommand};

/// What a server inherits besides what the user named for it; `LC_*` as well.
const INHERITED: [&str; 8] = [
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
];

/// Where programs are looked for when nothing says so.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Why a server could not be started.
#[derive(Debug, Error)]
pub(crate) enum SpawnError {
    #[error("no command was given")]
    Empty,
    #[error("command `{0}` was not found in PATH; check its spelling, or give its full path")]
    NotInPath(String),
    #[error(
        "there is no file `{0}`; a relative path is taken from the folder the server starts in"
    )]
    NoFile(String),
    #[error("`{0}` is a folder, not a program")]
    Folder(String),
    #[error(
        "`{0}` is not executable; set its execute permission, or name the interpreter before it"
    )]
    NotExecutable(String),
    #[error(
        "`{program}` cannot be used by the user that the server runs as (uid {uid}): `{at}` is closed to that user; install it where everybody may go"
    )]
    ClosedToUser {
        program: String,
        at: String,
        uid: u32,
    },
    #[error(
        "`{0}` is no program for this machine: it has no `#!` line and is no executable of this system"
    )]
    NotAProgram(String),
    #[error("`{0}` is there but the interpreter or loader that it names is not")]
    NoInterpreter(String),
    #[error("the folder `{0}` to start in does not exist")]
    NoCwd(String),
    #[error("a path to the program is not UTF-8")]
    NotUtf8,
    #[error("`{program}` could not be started: {text}")]
    System { program: String, text: String },
    #[error("the guard process could not be used: {0}")]
    Guard(String),
}

impl SpawnError {
    /// Reads what the operating system said about a program that is there.
    pub(super) fn from_system(program: &str, os: Option<i32>, text: &str) -> Self {
        let program = program.to_owned();
        match os.map(rustix::io::Errno::from_raw_os_error) {
            Some(rustix::io::Errno::NOEXEC) => Self::NotAProgram(program),
            Some(rustix::io::Errno::NOENT) => Self::NoInterpreter(program),
            Some(rustix::io::Errno::ACCESS | rustix::io::Errno::PERM) => {
                Self::NotExecutable(program)
            }
            _ => Self::System {
                program,
                text: text.to_owned(),
            },
        }
    }
}

/// The order to start a command: program found, environment clean.
pub(super) fn order(command: &ServerCommand) -> Result<SpawnOrder, SpawnError> {
    let name = command.argv.first().ok_or(SpawnError::Empty)?;
    let env = environment(command);
    let cwd = command.cwd.as_deref();
    if let Some(cwd) = cwd.filter(|cwd| !cwd.is_dir()) {
        return Err(SpawnError::NoCwd(cwd.display().to_string()));
    }
    let path = env
        .iter()
        .find(|(key, _)| key == "PATH")
        .map_or(DEFAULT_PATH, |(_, value)| value);
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or(SpawnError::NotUtf8);
    Ok(SpawnOrder {
        program: text(&find(name, path, cwd, command.user)?)?,
        argv: command.argv.clone(),
        cwd: cwd.map(text).transpose()?,
        env,
        user: command.user,
    })
}

/// PATH, HOME, locale, time zone and temporary folder of ours, then what the user
/// named. Nothing else: our own credentials never reach the server.
fn environment(command: &ServerCommand) -> Vec<(String, String)> {
    let mut environment = std::collections::BTreeMap::new();
    for (key, value) in env::vars_os() {
        let (Some(key), Some(value)) = (key.to_str(), value.to_str()) else {
            continue;
        };
        if INHERITED.contains(&key) || key.starts_with("LC_") {
            environment.insert(key.to_owned(), value.to_owned());
        }
    }
    environment.extend(
        command
            .env
            .iter()
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    environment.into_iter().collect()
}

fn find(
    name: &str,
    path: &str,
    cwd: Option<&Path>,
    user: Option<Owner>,
) -> Result<PathBuf, SpawnError> {
    let from = cwd.unwrap_or(Path::new(""));
    if name.contains('/') {
        let program = absolute(&from.join(name));
        return executable(&program, user).map(|()| program);
    }
    let mut refusal = None;
    for folder in env::split_paths(path) {
        let program = absolute(&from.join(folder).join(name));
        match executable(&program, user) {
            Ok(()) => return Ok(program),
            Err(why @ (SpawnError::NotExecutable(_) | SpawnError::ClosedToUser { .. })) => {
                refusal.get_or_insert(why);
            }
            Err(_) => {}
        }
    }
    Err(refusal.unwrap_or_else(|| SpawnError::NotInPath(name.to_owned())))
}

/// The system would take a relative path from the new folder or from ours,
/// depending on the system.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn executable(program: &Path, user: Option<Owner>) -> Result<(), SpawnError> {
    let shown = || program.display().to_string();
    match program.metadata() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(SpawnError::NotExecutable(shown()))
        }
        Err(_) => Err(SpawnError::NoFile(shown())),
        Ok(facts) if facts.is_dir() => Err(SpawnError::Folder(shown())),
        Ok(facts) if facts.permissions().mode() & 0o111 == 0 => {
            Err(SpawnError::NotExecutable(shown()))
        }
        Ok(_) => match user.and_then(|user| closed(program, user)) {
            Some((at, uid)) => Err(SpawnError::ClosedToUser {
                program: shown(),
                at: at.display().to_string(),
                uid,
            }),
            None => Ok(()),
        },
    }
}

/// What keeps another user from running a program: it, or a folder on the way to it
/// or to the file that it is a link to. Only the rights of files count.
fn closed(program: &Path, user: Owner) -> Option<(PathBuf, u32)> {
    let whole = program.canonicalize().ok()?;
    let mut way: Vec<&Path> = program
        .ancestors()
        .skip(1)
        .chain(whole.ancestors())
        .collect();
    way.reverse();
    let is_closed = |path: &&Path| {
        path.metadata().is_ok_and(|facts| {
            let mode = facts.permissions().mode();
            let allowed = if facts.uid() == user.uid {
                mode >> 6
            } else if facts.gid() == user.gid {
                mode >> 3
            } else {
                mode
            };
            allowed & 0o1 == 0
        })
    };
    let first = way.into_iter().find(is_closed)?;
    (user.uid != 0).then(|| (first.to_owned(), user.uid))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(argv: &[&str], cwd: Option<&Path>) -> ServerCommand {
        ServerCommand {
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            env: [("FIXTURE".to_owned(), "1".to_owned())].into(),
            cwd: cwd.map(Path::to_owned),
            user: None,
        }
    }

    #[test]
    fn programs_are_found_or_named_in_a_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("plain"), "hello").expect("a file");
        let found = order(&command(&["sh", "-c", "true"], None)).expect("sh");
        assert!(found.program.ends_with("/sh"), "{}", found.program);
        assert_eq!(found.argv, ["sh", "-c", "true"]);

        let refusals: Vec<String> = [
            command(&[], None),
            command(&["no-such-program"], None),
            command(&["./no-such-program"], Some(folder.path())),
            command(&["./plain"], Some(folder.path())),
            command(&["/"], None),
            command(&["sh"], Some(&folder.path().join("absent"))),
        ]
        .iter()
        .map(|command| {
            let refusal = order(command).expect_err("no program").to_string();
            refusal.replace(folder.path().to_str().expect("UTF-8"), "FOLDER")
        })
        .collect();
        insta::assert_snapshot!(refusals.join("\n"), @r#"
        no command was given
        command `no-such-program` was not found in PATH; check its spelling, or give its full path
        there is no file `FOLDER/no-such-program`; a relative path is taken from the folder the server starts in
        `FOLDER/plain` is not executable; set its execute permission, or name the interpreter before it
        `/` is a folder, not a program
        the folder `FOLDER/absent` to start in does not exist
        "#);
    }

    #[test]
    fn the_environment_is_clean() {
        let names: Vec<String> = order(&command(&["sh"], None))
            .expect("sh")
            .env
            .into_iter()
            .map(|(key, _)| key)
            .filter(|key| !INHERITED.contains(&key.as_str()) && !key.starts_with("LC_"))
            .collect();
        assert_eq!(names, ["FIXTURE"]);
    }

    // Elsewhere the temporary folder itself may be closed to others.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_in_a_folder_that_its_user_may_not_enter_is_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = std::fs::metadata(folder.path()).expect("facts");
        let mode = |path: &Path, mode| {
            let rights = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, rights).expect("rights");
        };
        mode(folder.path(), 0o755);
        for name in ["closed", "open"] {
            let place = folder.path().join(name);
            std::fs::create_dir(&place).expect("a folder");
            std::fs::write(place.join("tool"), "#!/bin/sh\n").expect("a file");
            mode(&place.join("tool"), 0o755);
            mode(&place, if name == "open" { 0o755 } else { 0o700 });
        }
        // Somebody else, who is not root either.
        let user = Owner {
            uid: own.uid() + 4242,
            gid: own.gid() + 4242,
        };
        let at = |name: &str| folder.path().join(name).display().to_string();
        let path = format!("{}:{}", at("closed"), at("open"));
        let found = find("tool", &path, None, Some(user)).expect("the open one");
        assert_eq!(found.display().to_string(), at("open/tool"));
        let found = find("tool", &path, None, None).expect("the first one");
        assert_eq!(found.display().to_string(), at("closed/tool"));
        let refused = find("tool", &at("closed"), None, Some(user)).expect_err("closed");
        let wanted = format!("`{}` is closed to that user", at("closed"));
        assert!(refused.to_string().contains(&wanted), "{refused}");
    }
}
