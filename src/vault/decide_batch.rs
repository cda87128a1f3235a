//! The owner decides about everything of an import that still waits.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::Memory;
use crate::store;
use crate::vault::{Vault, approve, batches, reject, review};

/// A memory of an import that a decision about all of it left as it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Left {
    /// The memory.
    pub id: String,
    /// What stands in its way.
    pub reason: String,
}

/// What approving an import did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApprovedBatch {
    /// The import.
    pub id: String,
    /// Memories that became active.
    pub approved: usize,
    /// Memories left in the queue: what they replace no longer holds, or they are flagged.
    pub left: Vec<Left>,
}

/// What turning an import down did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RejectedBatch {
    /// The import.
    pub id: String,
    /// Memories that were rejected.
    pub rejected: usize,
    /// Memories left in the queue.
    pub left: Vec<Left>,
}

/// Approves every memory of an import that still waits.
///
/// # Errors
/// `not_found`.
pub fn approve_batch(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<ApprovedBatch> {
    let approve = |memory: Memory| {
        if memory.is_withheld() {
            return Err(Error::conflict(review::FLAGGED).in_field("id"));
        }
        approve::approve_found(vault, actor, memory, false).map(|_| ())
    };
    let (approved, left) = decide(vault, actor, id, approve)?;
    let id = id.to_owned();
    Ok(ApprovedBatch { id, approved, left })
}

/// Rejects every memory of an import that still waits.
///
/// # Errors
/// `not_found`.
pub fn reject_batch(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<RejectedBatch> {
    let reject = |memory| reject::reject_found(vault, actor, memory).map(|_| ());
    let (rejected, left) = decide(vault, actor, id, reject)?;
    let id = id.to_owned();
    Ok(RejectedBatch { id, rejected, left })
}

fn decide(
    vault: &Vault<'_>,
    actor: &Actor,
    id: &str,
    decision: impl Fn(Memory) -> Result<()>,
) -> Result<(usize, Vec<Left>)> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let batch = batches::find(vault, id)?;
        let (mut decided, mut left, mut after) = (0, Vec::new(), 0);
        loop {
            let page = store::batches::waiting(vault.sql, &batch.id, after, limits::ROWS_PER_JOB)?;
            let Some((last, _)) = page.last() else {
                return Ok((decided, left));
            };
            after = *last;
            for (seq, id) in page {
                // A decision about another may have changed it.
                let Some(memory) = store::memories::find_by_seq(vault.sql, seq)? else {
                    continue;
                };
                match vault.sql.in_transaction(|| decision(memory)) {
                    Ok(()) => decided += 1,
                    Err(error) if matches!(error.field.as_deref(), Some("supersedes" | "id")) => {
                        let reason = error.message;
                        left.push(Left { id, reason });
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    })
}
