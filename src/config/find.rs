//! Finding and reading `mcprobe.toml`.

use std::path::Path;

use super::{ConfigError, LoadedFile, file};

/// The name that is looked for.
pub const FILE_NAME: &str = "mcprobe.toml";

/// Reads the named settings file, or `mcprobe.toml` in the folder if there is
/// one.
pub fn load(named: Option<&Path>, folder: &Path) -> Result<Option<LoadedFile>, ConfigError> {
    let path = named.map_or_else(|| folder.join(FILE_NAME), Path::to_owned);
    if named.is_none() && !path.exists() {
        return Ok(None);
    }
    let shown = path.display();
    let text = std::fs::read_to_string(&path).map_err(|error| {
        ConfigError::new(format!(
            "cannot read the settings file {shown}: {}",
            reason(&error)
        ))
    })?;
    let name = path.file_name().map_or_else(
        || shown.to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let config = file::read(&name, &text)?;
    Ok(Some(LoadedFile { path, config }))
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
