//! `mcprobe rules`.

use crate::cli::args::RulesArgs;
use crate::cli::console::{self, Screen};
use crate::cli::exit::Exit;
use crate::config::merge;
use crate::render;
use crate::rules::{RULES, Rule};

/// Prints the list of rules.
pub fn run(args: &RulesArgs) -> anyhow::Result<Exit> {
    let picked = merge::families(&args.family)?;
    let rules: Vec<&Rule> = RULES
        .iter()
        .filter(|rule| {
            picked
                .as_ref()
                .is_none_or(|families| families.contains(&rule.family))
        })
        .copied()
        .collect();
    let text = if args.json {
        render::rules::json(&rules)
    } else {
        render::terminal::rules::list(&rules, &Screen::of_stdout(args.color).style())
    };
    console::print(&text)?;
    Ok(Exit::Pass)
}
