//! What the user's own settings file says, and no longer holds.

use super::quote::visible;
use crate::model::suppression::Suppression;

pub(super) mod expired_suppression;
pub(super) mod stale_suppression;

/// Characters of each name that a message repeats.
const MAX_NAME: usize = 120;

/// "`param.untyped` (tool `search`, at `/inputSchema`)".
fn place(suppression: &Suppression) -> String {
    let shown = |what: &str, name: &String| format!("{what} `{}`", visible(name, MAX_NAME));
    let tool = suppression.tool.iter().map(|name| shown("tool", name));
    let pointer = suppression.pointer.iter().map(|at| shown("at", at));
    let places: Vec<String> = tool.chain(pointer).collect();
    if places.is_empty() {
        return format!("`{}`", suppression.code);
    }
    format!("`{}` ({})", suppression.code, places.join(", "))
}

/// What tells two suppressions apart.
fn matter(suppression: &Suppression) -> String {
    let part = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        suppression.code.clone(),
        part(&suppression.tool),
        part(&suppression.pointer),
    ]
    .join("\0")
}
