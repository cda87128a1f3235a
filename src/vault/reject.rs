//! The owner turns a proposal down. Its text is kept as a rejected memory and not proposed again.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status};
use crate::store;
use crate::store::decisions::{Decision, Verdict};
use crate::vault::{Vault, edit, review};

/// Marks a proposal as rejected. Rejecting what is rejected already changes nothing.
///
/// # Errors
/// `not_found`, or `conflict` when it is no longer a proposal.
pub fn reject(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let memory = edit::find_for_owner(vault, id)?;
        match memory.status {
            Status::Proposed => {}
            Status::Rejected => return Ok(memory),
            _ => return Err(review::decided_already(vault, &memory)?),
        }
        reject_found(vault, actor, memory)
    })
}

/// Rejects a proposal that was just read. Part of the caller's transaction.
pub(crate) fn reject_found(vault: &Vault<'_>, actor: &Actor, mut memory: Memory) -> Result<Memory> {
    memory.status = Status::Rejected;
    memory.updated_at = vault.now();
    store::memories::update(vault.sql, &memory)?;
    let decision = Decision {
        verdict: Verdict::Rejected,
        at: memory.updated_at,
        by: actor.label(),
        supersedes_before: memory.supersedes.clone(),
        replaced: None,
    };
    store::decisions::put(vault.sql, &memory.id, &decision)?;
    vault.audit(actor, Action::Reject, Some(&memory.id), None)?;
    Ok(memory)
}
