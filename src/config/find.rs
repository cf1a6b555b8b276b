//! Finding and reading `mcprobe.toml`.

use std::io::Read as _;
use std::path::Path;

use super::{ConfigError, LoadedFile, file};

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
