//! The list of imports, and one import with what became of its items.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::batch::{Batch, ItemOutcome, ItemReport};
use crate::model::page::{self, Cursor};
use crate::store;
use crate::vault::Vault;

const LIST: &str = "batches";

/// A page of imports, newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Batches {
    /// The page.
    pub batches: Vec<Batch>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// All imports.
    pub total: i64,
}

/// Lists imports.
pub fn list_batches(
    vault: &Vault<'_>,
    actor: &Actor,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<Batches> {
    actor.require(Permission::Own)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let newest = (1 << 53) - 1;
    let before = cursor
        .map(|cursor| Cursor::decode(cursor, LIST))
        .transpose()?
        .map_or(newest, |cursor| cursor.key);
    let mut batches = store::batches::list(vault.sql, before, limit + 1)?;
    let more = batches.len() > limit;
    batches.truncate(limit);
    let next_cursor = batches
        .last()
        .filter(|_| more)
        .map(|last| Cursor::new(LIST, last.seq, 0).encode());
    Ok(Batches {
        batches,
        next_cursor,
        total: store::batches::count(vault.sql)?,
    })
}

/// An import and a page of its items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BatchReport {
    /// The import.
    #[serde(flatten)]
    pub batch: Batch,
    /// What became of its items, in their order. Imports older than this report have none.
    pub items: Vec<ItemReport>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
}

/// One import and what became of its items, all of them or those with one outcome.
///
/// # Errors
/// `not_found`.
pub fn get_batch(
    vault: &Vault<'_>,
    actor: &Actor,
    id: &str,
    outcome: Option<ItemOutcome>,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<BatchReport> {
    actor.require(Permission::Own)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let batch = find(vault, id)?;
    let list = format!("{LIST} {id} {outcome:?}");
    let from = cursor
        .map(|cursor| Cursor::decode(cursor, &list))
        .transpose()?
        .map_or(0, |cursor| usize::try_from(cursor.key).unwrap_or(0));
    let mut items = store::batch_items::list(vault.sql, id, outcome, from, limit + 1)?;
    let next = (items.len() > limit).then(|| items.pop()).flatten();
    Ok(BatchReport {
        batch,
        items,
        next_cursor: next.map(|next| Cursor::new(&list, next.index as i64, 0).encode()),
    })
}

/// The import with this id.
pub(crate) fn find(vault: &Vault<'_>, id: &str) -> Result<Batch> {
    store::batches::find(vault.sql, id)?
        .ok_or_else(|| Error::not_found("import with this id").in_field("id"))
}
