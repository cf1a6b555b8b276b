//! What can be started here, for the person whose command could not be.

use std::path::Path;

/// Programs that servers are started by.
const KNOWN: [&str; 7] = ["node", "npm", "npx", "python3", "uv", "uvx", "git"];

/// The sentence about a command that could not be started, with what there is
/// instead and what to do.
pub(super) fn explained(message: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there: Vec<&str> = KNOWN
        .into_iter()
        .filter(|name| std::env::split_paths(&path).any(|folder| is_program(&folder.join(name))))
        .collect();
    sentence(message, &there, super::relay::is_container())
}

fn sentence(message: &str, there: &[&str], is_container: bool) -> String {
    let place = if is_container {
        "This container, which is not the machine that it runs on,"
    } else {
        "This machine"
    };
    let there = if there.is_empty() {
        "none of the usual runtimes".to_owned()
    } else {
        there.join(", ")
    };
    format!(
        "{message}. {place} has {there}. Start the server by one of these, or build a program that runs by itself in `setup`, or start the server elsewhere and give its `url`."
    )
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_what_is_there_and_what_to_do() {
        insta::assert_snapshot!(
            sentence("command `java` was not found in PATH", &["node", "python3"], true),
            @"command `java` was not found in PATH. This container, which is not the machine that it runs on, has node, python3. Start the server by one of these, or build a program that runs by itself in `setup`, or start the server elsewhere and give its `url`."
        );
        assert!(sentence("x", &[], false).contains("This machine has none of the usual runtimes."));
    }
}
