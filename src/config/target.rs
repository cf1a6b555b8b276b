//! Which server is meant, and with which headers: command line over file.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::{Path, PathBuf};

use super::file::FileConfig;
use super::merge::{Environment, Words};
use super::{ConfigError, parse};
use crate::model::secret::Secret;
use crate::model::target::{ServerCommand, Target};

/// The target, and the header words that were said with it.
pub(super) struct Reached {
    pub(super) target: Target,
    headers: Vec<String>,
    bearer: Option<String>,
}

const NO_TARGET: &str = "no target: give a URL, --stdio \"COMMAND\", or -- COMMAND; for a look without a server: mcprobe demo";

/// The target of the command line, else of the file.
pub(super) fn target(
    words: Words,
    config: &FileConfig,
    folder: Option<&Path>,
) -> Result<Reached, ConfigError> {
    let said = usize::from(words.url.is_some())
        + usize::from(words.stdio.is_some())
        + usize::from(!words.command.is_empty());
    if said > 1 {
        return Err(ConfigError::new(
            "more than one target: give a URL, or --stdio \"COMMAND\", or -- COMMAND",
        ));
    }
    let from_file = said == 0;
    let section = &config.target;
    let url = words
        .url
        .as_deref()
        .or(section.url.as_deref().filter(|_| from_file));
    let stdio = words
        .stdio
        .as_deref()
        .or(section.stdio.as_deref().filter(|_| from_file));
    let command = if from_file {
        section.command.clone()
    } else {
        None
    }
    .or_else(|| (!words.command.is_empty()).then(|| words.command.clone()));
    let found = [url.is_some(), stdio.is_some(), command.is_some()];
    if from_file && found.iter().filter(|found| **found).count() > 1 {
        return Err(ConfigError::new(
            "[target] of the settings file names more than one of url, command, stdio; keep one",
        ));
    }
    if let Some(text) = url {
        if !words.env.is_empty() || words.cwd.is_some() {
            return Err(ConfigError::new(
                "--env and --cwd are for servers that mcprobe starts; this target is a URL",
            ));
        }
        return Ok(Reached {
            target: Target::Url(if words.keeps_foreign_scheme {
                parse::url_of_any_scheme(text)?
            } else {
                parse::url(text)?
            }),
            headers: words.headers,
            bearer: words.bearer,
        });
    }
    let argv = match (stdio, command) {
        (Some(line), _) => parse::command_line(line)?,
        (None, Some(argv)) => parse::argv(argv)?,
        (None, None) => return Err(ConfigError::new(NO_TARGET)),
    };
    if !words.headers.is_empty() || words.bearer.is_some() {
        return Err(ConfigError::new(
            "--header and --bearer are for URL targets; give a stdio server its credentials with --env NAME=VALUE",
        ));
    }
    let mut env = section.env.clone();
    for pair in &words.env {
        let (name, value) = parse::env_pair(pair)?;
        env.insert(name, value);
    }
    let file_cwd = || {
        let cwd = section.cwd.as_ref().filter(|_| from_file)?;
        Some(folder.map_or_else(|| PathBuf::from(cwd), |folder| folder.join(cwd)))
    };
    Ok(Reached {
        target: Target::Command(ServerCommand {
            argv,
            env,
            cwd: words.cwd.or_else(file_cwd),
            user: None,
        }),
        headers: Vec::new(),
        bearer: None,
    })
}

/// Headers of an HTTP target: `--header` over `--bearer` over the environment's
/// token over the file.
pub(super) fn headers(
    reached: &Reached,
    environment: &Environment,
    config: &FileConfig,
) -> Result<Vec<(String, Secret)>, ConfigError> {
    if !matches!(reached.target, Target::Url(_)) {
        return Ok(Vec::new());
    }
    let mut found: Vec<(String, Secret)> = Vec::new();
    let has = |found: &[(String, Secret)], name: &str| {
        found.iter().any(|(had, _)| had.eq_ignore_ascii_case(name))
    };
    for text in &reached.headers {
        found.extend(parse::header(text)?);
    }
    let token = reached
        .bearer
        .as_ref()
        .or(environment.target_token.as_ref());
    if let Some(token) = token
        .map(|token| token.trim())
        .filter(|token| !token.is_empty())
        && !has(&found, "authorization")
    {
        found.extend(parse::header_pair(
            "Authorization",
            &format!("Bearer {token}"),
        )?);
    }
    for (name, value) in &config.target.headers {
        if !has(&found, name) {
            found.extend(parse::header_pair(name, value)?);
        }
    }
    Ok(found)
}
