//! Lists that are read again, over this connection or another one.

use std::time::Duration;

use serde_json::value::RawValue;

use super::compare::{MAX_ENTRIES, compare};
use super::compose::{self, Meta};
use super::script::{Risk, Script, told};
use crate::client::gather::read_page;
use crate::client::link::Link;
use crate::client::{Connection, Reply};
use crate::model::contact::Era;
use crate::model::inventory::{Inventory, ListEnd, Listing};
use crate::model::probe::{ListComparison, Probe};

/// How many pages of a list are read again.
const MAX_PAGES: u32 = 10;

/// The longest list that is read again, in bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// A list by its method, the member of the result, and what names an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub(super) method: &'static str,
    member: &'static str,
    key: &'static str,
}

/// The lists that are read again.
pub(super) const LISTS: [List; 3] = [
    List {
        method: "tools/list",
        member: "tools",
        key: "name",
    },
    List {
        method: "prompts/list",
        member: "prompts",
        key: "name",
    },
    List {
        method: "resources/list",
        member: "resources",
        key: "uri",
    },
];

impl List {
    /// The first reading of it.
    pub(super) fn of(self, inventory: &Inventory) -> &Listing {
        match self.member {
            "prompts" => &inventory.prompts,
            "resources" => &inventory.resources,
            _ => &inventory.tools,
        }
    }
}

impl Script<'_> {
    /// Every list once more over the same connection.
    pub(super) async fn lists_again(&mut self) {
        for list in LISTS {
            let name = format!("second-list:{}", list.method);
            if let Some(because) = self.not_again(list) {
                self.leave_out(&name, because);
                continue;
            }
            if !self.is_ready_for(&name) {
                continue;
            }
            let (first, limit) = (list.of(self.inventory), self.limit());
            let probe = again(self.connection, self.era, list, first, &name, limit).await;
            self.keep(probe, Risk::None).await;
        }
    }

    /// Why a list is not read again.
    pub(super) fn not_again(&self, list: List) -> Option<&'static str> {
        let first = list.of(self.inventory);
        match &first.end {
            ListEnd::NotAsked => return Some("there is no such list"),
            ListEnd::Complete => {}
            _ => return Some("the list was not read to its end"),
        }
        let bytes: usize = first.entries.iter().map(|entry| entry.get().len()).sum();
        if first.pages > MAX_PAGES {
            Some("the list has more than 10 pages")
        } else if first.entries.len() > MAX_ENTRIES {
            Some("the list has more than 2,000 entries")
        } else if bytes > MAX_BYTES {
            Some("the list is longer than 8 MiB")
        } else {
            None
        }
    }
}

/// Every page of a list, held against an earlier reading. The exchange that is kept
/// is the first, or the one that failed.
pub(super) async fn again(
    connection: &mut Connection,
    era: Era,
    list: List,
    first: &Listing,
    name: &str,
    limit: Duration,
) -> Probe {
    let is_posted = matches!(connection.link, Link::Http { .. });
    let mut listing = Listing::default();
    let mut cursor: Option<Box<RawValue>> = None;
    let mut kept: Option<Probe> = None;
    while listing.pages < MAX_PAGES && !listing.is_complete() {
        connection.last_id += 1;
        let id = connection.last_id.to_string();
        let text = match &cursor {
            None => compose::request(era, &id, list.method, &[], Meta::Progress),
            Some(cursor) => {
                let members = [("cursor", cursor.get())];
                compose::request(era, &id, list.method, &members, Meta::Whole)
            }
        };
        let exchanged = connection.raw(&text, limit).await;
        let (probe, reply) = told(name, exchanged, is_posted);
        let page = match reply {
            Reply::Result(result) => read_page(result, list.member, MAX_ENTRIES).ok(),
            _ => None,
        };
        let Some(page) = page else {
            kept = Some(probe);
            break;
        };
        kept.get_or_insert(probe);
        listing.pages += 1;
        let entries = page.entries.into_iter();
        let room = (MAX_ENTRIES + 1).saturating_sub(listing.entries.len());
        listing.entries.extend(
            entries
                .take(room)
                .map(|entry| connection.ledger.clean_entry(entry)),
        );
        match page.next {
            _ if page.more || listing.entries.len() > MAX_ENTRIES => break,
            Some(next) => cursor = Some(next),
            None => listing.end = ListEnd::Complete,
        }
    }
    let comparison = if listing.is_complete() {
        compare(first, &listing, list.key)
    } else {
        ListComparison {
            not_compared: Some("the list was not read to its end this time".to_owned()),
            ..ListComparison::default()
        }
    };
    Probe {
        comparison: Some(comparison),
        ..kept.unwrap_or_default()
    }
}
