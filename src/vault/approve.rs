//! The owner lets a proposal in, as it is or edited, beside or instead of what it resembles.

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status};
use crate::model::time::Timestamp;
use crate::store;
use crate::store::decisions::{Decision, Replaced, Verdict};
use crate::vault::edit::{self, Patch};
use crate::vault::{Vault, expire, review, stale, supersede};

/// Makes a proposal active. `patch` changes it first, with the same checks as an edit. The memory it says it supersedes
/// is replaced; with `supersede_similar`, so is the one it resembles. Approving what is active already changes nothing.
/// A patch that names `supersedes` says that the owner has looked at the memory that will be replaced, as it is now.
///
/// # Errors
/// `not_found`; `conflict` when it was rejected or replaced meanwhile, or when the memory it would replace no longer
/// holds or was changed since (approve with `"supersedes": null` to keep both); `invalid_argument` for
/// `supersede_similar` on a proposal that resembles nothing.
pub fn approve(
    vault: &Vault<'_>,
    actor: &Actor,
    id: &str,
    supersede_similar: bool,
    patch: Option<Patch>,
) -> Result<Memory> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let mut memory = edit::find_for_owner(vault, id)?;
        match memory.status {
            Status::Proposed => {}
            Status::Active if patch.is_none() && !supersede_similar => return Ok(memory),
            _ => return Err(review::decided_already(vault, &memory)?),
        }
        let looked_at = match &patch {
            Some(patch) if patch.supersedes.is_some() => None,
            _ => Some(memory.updated_at),
        };
        if let Some(patch) = patch {
            let resembled = memory.similar_to.clone();
            memory = edit::apply(vault, actor, memory, patch)?;
            if supersede_similar {
                // The owner means the one that was shown, whatever the new wording resembles.
                memory.similar_to = resembled.or(memory.similar_to);
            }
        }
        approve_looked_at(vault, actor, memory, supersede_similar, looked_at)
    })
}

/// Approves a proposal that was just read. Part of the caller's transaction.
pub(crate) fn approve_found(
    vault: &Vault<'_>,
    actor: &Actor,
    memory: Memory,
    supersede_similar: bool,
) -> Result<Memory> {
    let looked_at = Some(memory.updated_at);
    approve_looked_at(vault, actor, memory, supersede_similar, looked_at)
}

/// The same; `looked_at` is the state of things the decision is about, `None` for how they are now.
fn approve_looked_at(
    vault: &Vault<'_>,
    actor: &Actor,
    mut memory: Memory,
    supersede_similar: bool,
    looked_at: Option<Timestamp>,
) -> Result<Memory> {
    let supersedes_before = memory.supersedes.clone();
    let mut replaced = memory
        .supersedes
        .as_deref()
        .map(|old| supersede::target(vault, actor, old))
        .transpose()?;
    if supersede_similar && replaced.is_none() {
        let similar = memory.similar_to.clone().ok_or_else(|| {
            Error::invalid(
                "supersede_similar",
                "asks to replace a similar memory, and this proposal resembles none",
            )
        })?;
        replaced = Some(supersede::target(vault, actor, &similar)?);
        memory.supersedes = Some(similar);
    }
    if let Some(old) = &replaced {
        supersede::check_no_circle(vault, &memory.id, old)?;
        stale::check(vault, old, looked_at)?;
    }
    memory.status = Status::Active;
    memory.updated_at = vault.now();
    expire::start_clock(vault, &mut memory)?;
    store::memories::update(vault.sql, &memory)?;
    let decision = Decision {
        verdict: Verdict::Approved,
        at: memory.updated_at,
        by: actor.label(),
        supersedes_before,
        replaced: replaced.as_ref().map(|old| Replaced {
            id: old.id.clone(),
            status: old.status,
            valid_until: old.valid_until,
        }),
    };
    store::decisions::put(vault.sql, &memory.id, &decision)?;
    vault.audit(actor, Action::Approve, Some(&memory.id), None)?;
    if let Some(old) = replaced {
        memory.may_conflict_with.retain(|id| *id != old.id);
        supersede::replace(vault, actor, old, &memory)?;
    }
    Ok(memory)
}
