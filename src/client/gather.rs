//! Reading everything that a server declares: every page of its four lists.
//!
//! Entries stay raw. One bad entry, one bad page or one endless list never hides
//! the rest.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::exchange::RUN_IS_OVER;
use super::{Connection, Exchanged, Gathered, Reply};
use crate::model::evidence::{CutShort, Failure, ProbeState};
use crate::model::inventory::{Inventory, ListEnd, Listing};
use crate::model::target::TransportKind;
use crate::protocol::json;

/// How many pages of one list are read.
const MAX_PAGES: u32 = 100;

/// How many entries of one list are kept.
const MAX_ENTRIES: usize = 50_000;

/// How many bytes of entries and cursors are kept, of all lists together.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Pages in a row that hold what earlier ones held, after which a list is taken
/// to have no end. One alone may be two tools that are declared alike.
const REPEATED_PAGES: usize = 2;

/// A page that could not be read.
struct BadPage {
    reason: String,
    exchanged: Exchanged,
    end: BadEnd,
}

/// Who is to blame for a page that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BadEnd {
    Server,
    /// Our own time was up before the server's was.
    RunIsOver,
}

/// A page: entries, and the cursor of the next one as it was sent.
pub(super) struct Page {
    pub(super) entries: Vec<Box<RawValue>>,
    /// Whether there were more of them than there is room for.
    pub(super) more: bool,
    pub(super) next: Option<Box<RawValue>>,
}

impl Connection {
    /// Reads tools always, and prompts and resources where they are declared.
    pub async fn gather(&mut self) -> Gathered {
        let mut inventory = Inventory {
            server: self.identity.server.clone(),
            protocol_version: self.identity.protocol_version.clone(),
            capabilities: self.identity.capabilities.clone(),
            ..Inventory::default()
        };
        let mut room = MAX_BYTES;
        let (tools, bad) = self.list("tools/list", "tools", &mut room).await;
        inventory.tools = tools;
        let mut cut_short = None;
        let failure = match bad {
            None => None,
            // Not declared and not there: a server without tools, and no failure.
            Some(bad) if is_refusal(&bad) && !inventory.declares("tools") => {
                inventory.tools.end = ListEnd::NotAsked;
                None
            }
            Some(bad) => {
                if bad.end == BadEnd::RunIsOver {
                    cut_short = Some(CutShort::Deadline);
                }
                let failed = self.tools_failure(bad);
                if failed.0 == ProbeState::Unauthorized {
                    self.read_auth_metadata().await;
                }
                Some(failed)
            }
        };
        // One that hangs or is gone costs its limit once, not once for each list.
        let mut silent = matches!(
            failure,
            Some((
                ProbeState::Timeout | ProbeState::Crash | ProbeState::Unreachable,
                _
            ))
        );
        let declared = |capability| inventory.declares(capability);
        let wanted = [
            declared("prompts"),
            declared("resources"),
            declared("resources"),
        ];
        let lists = [
            (&mut inventory.prompts, "prompts/list", "prompts"),
            (&mut inventory.resources, "resources/list", "resources"),
            (
                &mut inventory.resource_templates,
                "resources/templates/list",
                "resourceTemplates",
            ),
        ];
        for ((listing, method, key), wanted) in lists.into_iter().zip(wanted) {
            if !wanted {
                continue;
            }
            if cut_short.is_some() {
                listing.end = ListEnd::Bounded {
                    reason: RUN_IS_OVER.to_owned(),
                };
                continue;
            }
            if silent {
                listing.end = ListEnd::Failed {
                    reason: "not asked for after an earlier list got no reply".to_owned(),
                };
                continue;
            }
            let bad;
            (*listing, bad) = self.list(method, key, &mut room).await;
            if let Some(bad) = bad {
                silent = matches!(bad.exchanged.reply, Reply::Timeout | Reply::Closed);
                if bad.end == BadEnd::RunIsOver {
                    cut_short = Some(CutShort::Deadline);
                }
            }
        }
        Gathered {
            inventory,
            failure,
            cut_short,
        }
    }

    /// Reads the tools once more, every page.
    pub async fn list_tools(&mut self) -> Listing {
        let mut room = MAX_BYTES;
        self.list("tools/list", "tools", &mut room).await.0
    }

    /// Walks one list. What was read before a bad page is kept. `room` is how many
    /// bytes may still be kept.
    async fn list(
        &mut self,
        method: &str,
        key: &str,
        room: &mut usize,
    ) -> (Listing, Option<BadPage>) {
        let mut listing = Listing::default();
        let mut page_starts = Vec::new();
        let mut seen = BTreeSet::new();
        let mut repeated = 0;
        let mut cursor: Option<Box<RawValue>> = None;
        loop {
            let params = cursor
                .as_ref()
                .map(|cursor| format!(r#"{{"cursor":{}}}"#, cursor.get()));
            let most = MAX_ENTRIES - listing.entries.len();
            let page = match self.page(method, key, params.as_deref(), most).await {
                Ok(page) => page,
                Err(bad) => {
                    let reason = bad.reason.clone();
                    listing.end = match bad.end {
                        BadEnd::Server => ListEnd::Failed { reason },
                        BadEnd::RunIsOver => ListEnd::Bounded { reason },
                    };
                    return (listing, Some(bad));
                }
            };
            listing.pages += 1;
            page_starts.push(listing.entries.len());
            let cursor_bytes = page.next.as_ref().map_or(0, |next| next.get().len());
            let mut fits = take(room, cursor_bytes);
            for entry in page.entries {
                let entry = self.ledger.clean_entry(entry);
                fits &= take(room, entry.get().len());
                if !fits {
                    break;
                }
                listing.entries.push(entry);
            }
            let bound = if !fits {
                Some(format!("more than {} MiB in all lists", MAX_BYTES >> 20))
            } else if page.more {
                Some(format!("more than {MAX_ENTRIES} entries"))
            } else if listing.pages == MAX_PAGES && page.next.is_some() {
                Some(format!("more than {MAX_PAGES} pages"))
            } else {
                None
            };
            if let Some(reason) = bound {
                listing.end = ListEnd::Bounded { reason };
                return (listing, None);
            }
            let Some(next) = page.next else {
                listing.end = ListEnd::Complete;
                return (listing, None);
            };
            if !seen.insert(next.get().to_owned()) {
                if is_repeated_page(&listing.entries, &page_starts) {
                    forget_pages(&mut listing.entries, &page_starts, 1);
                }
                listing.end = ListEnd::RepeatedCursor {
                    cursor: self.ledger.clean_and_cut(next.get(), 80),
                };
                return (listing, None);
            }
            if is_repeated_page(&listing.entries, &page_starts) {
                repeated += 1;
            } else {
                repeated = 0;
            }
            if repeated == REPEATED_PAGES {
                forget_pages(&mut listing.entries, &page_starts, REPEATED_PAGES);
                listing.end = ListEnd::RepeatedPage;
                return (listing, None);
            }
            cursor = Some(next);
        }
    }

    async fn page(
        &mut self,
        method: &str,
        key: &str,
        params: Option<&str>,
        most: usize,
    ) -> Result<Page, BadPage> {
        let limit = self.settings.call_timeout;
        let mut exchanged = self.request(method, params, limit).await;
        // Each step lets go of the one before: a list of many megabytes is held
        // twice at most.
        let reply = std::mem::replace(&mut exchanged.reply, Reply::Broken);
        let reason = match reply {
            Reply::Result(result) => match read_page(result, key, most) {
                Ok(page) => return Ok(page),
                Err(reason) => reason,
            },
            Reply::Error {
                code,
                message,
                data,
            } => {
                let reason = format!("error {code}: {}", self.ledger.clean_and_cut(&message, 200));
                exchanged.reply = Reply::Error {
                    code,
                    message,
                    data,
                };
                reason
            }
            other => {
                exchanged.reply = other;
                exchanged.exchange.failure.clone().unwrap_or_default()
            }
        };
        let end = if self.was_cut(&exchanged, limit) {
            BadEnd::RunIsOver
        } else {
            BadEnd::Server
        };
        Err(BadPage {
            reason,
            exchanged,
            end,
        })
    }

    fn tools_failure(&self, bad: BadPage) -> (ProbeState, Failure) {
        let BadPage {
            reason, exchanged, ..
        } = bad;
        let exchange = exchanged.exchange;
        let state = match exchanged.reply {
            Reply::Timeout => ProbeState::Timeout,
            Reply::Closed if self.transport() == TransportKind::Stdio => ProbeState::Crash,
            Reply::Closed => ProbeState::Unreachable,
            Reply::Error { .. } | Reply::HttpRefused { .. }
                if matches!(exchange.http_status, Some(401 | 403)) =>
            {
                ProbeState::Unauthorized
            }
            Reply::Result(_) | Reply::Error { .. } | Reply::HttpRefused { .. } | Reply::Broken => {
                ProbeState::NoTools
            }
        };
        let failure = Failure {
            message: format!("the tools could not be listed: {reason}"),
            exit: exchange.exit,
            stderr_tail: exchange.stderr_tail.clone(),
            exchange: Some(exchange),
        };
        (state, failure)
    }
}

fn is_refusal(bad: &BadPage) -> bool {
    matches!(bad.exchanged.reply, Reply::Error { .. })
}

/// Takes from what is left; `false` when that is too little.
fn take(room: &mut usize, bytes: usize) -> bool {
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(0);
    left.is_some()
}

pub(super) fn read_page(result: Box<RawValue>, key: &str, most: usize) -> Result<Page, String> {
    let Some([list, next]) = json::pick(result.get(), [key, "nextCursor"]) else {
        return Err("the result is no object".to_owned());
    };
    drop(result);
    // Some servers write the absence of a cursor as `null`.
    let next = next.filter(|raw| raw.get() != "null");
    let Some(list) = list else {
        return Err(format!("the result has no `{key}`"));
    };
    let (entries, more) = json::first_elements(list.get(), most)
        .ok_or_else(|| format!("`{key}` in the result is no array"))?;
    Ok(Page {
        entries,
        more,
        next,
    })
}

/// Whether the last page holds, entry by entry, what an earlier one held. An empty
/// page is none: a list that is filtered may have several.
fn is_repeated_page(entries: &[Box<RawValue>], page_starts: &[usize]) -> bool {
    let Some((&last, earlier)) = page_starts.split_last() else {
        return false;
    };
    let page = &entries[last..];
    let ends = earlier.iter().skip(1).copied().chain([last]);
    !page.is_empty()
        && earlier.iter().zip(ends).any(|(&start, end)| {
            end - start == page.len()
                && entries[start..end]
                    .iter()
                    .zip(page)
                    .all(|(a, b)| a.get() == b.get())
        })
}

/// Entries of the last pages, which came again, count once.
fn forget_pages(entries: &mut Vec<Box<RawValue>>, page_starts: &[usize], pages: usize) {
    let first = page_starts.len().saturating_sub(pages);
    entries.truncate(page_starts.get(first).copied().unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_once_gone_does_not_come_back() {
        let mut room = 10;
        assert!(take(&mut room, 4));
        assert!(take(&mut room, 6));
        assert!(take(&mut room, 0));
        assert!(!take(&mut room, 1));
        room = 3;
        assert!(!take(&mut room, usize::MAX));
        assert!(!take(&mut room, 1));
    }
}
