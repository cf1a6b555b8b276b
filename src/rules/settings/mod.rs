//! What the user's own settings file says, and no longer holds.

use std::fmt::Write as _;

use super::quote::visible;
use crate::model::suppression::Suppression;

pub(super) mod expired_suppression;
pub(super) mod stale_suppression;

/// Characters of each name that a message repeats.
const MAX_NAME: usize = 120;

/// "`param.untyped`, tool `search`, at `/inputSchema`".
fn place(suppression: &Suppression) -> String {
    let mut place = format!("`{}`", suppression.code);
    if let Some(tool) = &suppression.tool {
        let _ = write!(place, ", tool `{}`", visible(tool, MAX_NAME));
    }
    if let Some(pointer) = &suppression.pointer {
        let _ = write!(place, ", at `{}`", visible(pointer, MAX_NAME));
    }
    place
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
