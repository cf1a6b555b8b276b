//! `mcprobe explain`.

use crate::cli::args::ColorChoice;
use crate::cli::console::{self, Screen};
use crate::cli::exit::Exit;
use crate::config::ConfigError;
use crate::config::merge::nearest_rule;
use crate::render::terminal;
use crate::rules::RULES;

/// Prints the page of one rule.
pub fn run(code: &str, color: ColorChoice) -> anyhow::Result<Exit> {
    let code = code.trim();
    let Some(rule) = RULES.iter().find(|rule| rule.code == code) else {
        return Err(
            ConfigError::new(format!("there is no rule `{code}`; {}", nearest_rule(code))).into(),
        );
    };
    let screen = Screen::of_stdout(color);
    console::print(&terminal::rules::explained(rule, &screen.style()))?;
    Ok(Exit::Pass)
}
