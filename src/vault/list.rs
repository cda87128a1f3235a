//! Memories page by page, newest first.

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::{Filter, Memory, Status};
use crate::model::page::{self, Cursor};
use crate::store;
use crate::vault::{Vault, stale};

/// A page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listing {
    /// Newest first.
    pub memories: Vec<Memory>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// All memories that the filter lets through, now.
    pub total: i64,
    #[serde(skip)]
    name: String,
}

/// Lists memories; without a status in the filter the active and proposed ones. Every memory that is there from first
/// page to last appears exactly once, however many are added meanwhile.
///
/// # Errors
/// `invalid_argument` for a foreign cursor or a limit below 1; `forbidden` when an agent asks for what only the owner sees.
pub fn list(
    vault: &Vault<'_>,
    actor: &Actor,
    filter: Filter,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<Listing> {
    actor.require(Permission::Read)?;
    let filter = visible(actor, filter)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let name = format!("memories {}", filter.fingerprint());
    let before = cursor
        .map(|cursor| Cursor::decode(cursor, &name))
        .transpose()?
        .map(|cursor| cursor.key);
    let mut memories = store::memories::list(vault.sql, &filter, before, limit + 1)?;
    let more = memories.len() > limit;
    memories.truncate(limit);
    if actor.is_owner() {
        stale::mark(vault, actor, &mut memories)?;
    }
    let total = store::memories::count(vault.sql, &filter)?;
    let mut listing = Listing {
        memories,
        next_cursor: None,
        total,
        name,
    };
    if more {
        listing.next_cursor = listing.cursor_after_last();
    }
    Ok(listing)
}

impl Listing {
    /// Keeps only the first `count` memories, for a door whose answers are bounded in bytes; the next page begins with
    /// the first one dropped.
    pub fn truncate(&mut self, count: usize) {
        if count < self.memories.len() {
            self.memories.truncate(count);
            self.next_cursor = self.cursor_after_last();
        }
    }

    fn cursor_after_last(&self) -> Option<String> {
        self.memories
            .last()
            .map(|last| Cursor::new(&self.name, last.seq, 0).encode())
    }
}

/// The filter as it applies to this actor, with the default statuses filled in.
///
/// # Errors
/// `forbidden` when an agent asks for rejected memories or those waiting to be forgotten.
pub fn visible(actor: &Actor, mut filter: Filter) -> Result<Filter> {
    // Whoever names memories by their ids wants those, wherever they stand.
    if filter.statuses.is_empty() && !filter.forget_requested && filter.ids.is_none() {
        filter.statuses = vec![Status::Active, Status::Proposed];
    }
    filter.without_withheld |= !actor.is_owner();
    let every = filter.statuses.is_empty();
    if !actor.is_owner()
        && (filter.forget_requested || every || filter.statuses.contains(&Status::Rejected))
    {
        return Err(Error::new(
            Kind::Forbidden,
            "only the owner sees rejected memories and those waiting to be forgotten",
        )
        .in_field("status"));
    }
    Ok(filter)
}
