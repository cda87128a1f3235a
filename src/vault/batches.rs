//! The list of imports, and letting a whole queued import in at once.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::batch::Batch;
use crate::model::page::{self, Cursor};
use crate::store;
use crate::vault::{Vault, approve};

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

/// What approving an import did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApprovedBatch {
    /// The import.
    pub id: String,
    /// Memories that became active.
    pub approved: usize,
    /// Memories left in the queue, and why: what they replace no longer holds.
    pub left: Vec<Left>,
}

/// A memory that approving an import left in the queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Left {
    /// The memory.
    pub id: String,
    /// What stands in its way.
    pub reason: String,
}

/// Approves every memory of an import that still waits.
///
/// # Errors
/// `not_found`.
pub fn approve_batch(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<ApprovedBatch> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let batch = store::batches::find(vault.sql, id)?
            .ok_or_else(|| Error::not_found("import with this id").in_field("id"))?;
        let mut result = ApprovedBatch {
            id: batch.id,
            approved: 0,
            left: Vec::new(),
        };
        for memory in store::memories::proposed_of_batch(vault.sql, id)? {
            let id = memory.id.clone();
            match vault
                .sql
                .in_transaction(|| approve::approve_found(vault, actor, memory, false))
            {
                Ok(_) => result.approved += 1,
                Err(error) if error.field.as_deref() == Some("supersedes") => {
                    result.left.push(Left {
                        id,
                        reason: error.to_string(),
                    });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(result)
    })
}
