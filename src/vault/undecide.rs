//! Taking a decision back: the memory waits again as it did, and what its approval replaced holds again.

use crate::error::{Error, Kind, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status};
use crate::store;
use crate::store::decisions::{Decision, Replaced, Verdict};
use crate::vault::agenda::{self, JobKind};
use crate::vault::{Vault, edit, twins};

/// Takes back the owner's last word about a memory, which is proposed again afterwards. An edit made while approving stays;
/// the earlier text is in the history. Undoing for a memory that is proposed already changes nothing.
///
/// # Errors
/// `not_found`; `conflict` when nothing was decided, when the memory was replaced or has replaced another since, or when
/// a text that would come back is held by another memory meanwhile.
pub fn undecide(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let memory = edit::find_for_owner(vault, id)?;
        let decision = store::decisions::find(vault.sql, &memory.id)?;
        match (memory.status, decision) {
            (Status::Proposed, _) => Ok(memory),
            (Status::Rejected, _) => undo_rejection(vault, actor, memory),
            (Status::Active, Some(decision)) if decision.verdict == Verdict::Approved => {
                undo_approval(vault, actor, memory, decision)
            }
            (Status::Active, _) => Err(conflict(
                "was never proposed, so there is no decision to take back; to remove it, forget it",
            )),
            (Status::Superseded, _) => Err(conflict(match &memory.superseded_by {
                Some(by) => format!("was replaced by {by} since; take that back first"),
                None => "is history since; its decision cannot be taken back".to_owned(),
            })),
        }
    })
}

fn conflict(message: impl Into<String>) -> Error {
    Error::conflict(message).in_field("id")
}

fn undo_rejection(vault: &Vault<'_>, actor: &Actor, mut memory: Memory) -> Result<Memory> {
    if let Some(twin) = twin(vault, &memory)? {
        let message = format!("has the same text as {twin}, which was stored since");
        return Err(Error::new(Kind::Duplicate, message).in_field("id"));
    }
    wait_again(vault, &mut memory)?;
    // An earlier rejection of the same text may have left its hash.
    if store::exclusions::lift_rejected(vault.sql, &twins::mark(&memory.content))? {
        vault.audit(actor, Action::LiftExclusion, Some(&memory.id), None)?;
    }
    vault.audit(
        actor,
        Action::Undecide,
        Some(&memory.id),
        Some(serde_json::json!({ "was": "rejected" })),
    )?;
    Ok(memory)
}

fn undo_approval(
    vault: &Vault<'_>,
    actor: &Actor,
    mut memory: Memory,
    decision: Decision,
) -> Result<Memory> {
    let replaced = decision.replaced.as_ref();
    let other = store::memories::superseded_by(vault.sql, &memory.id)?
        .into_iter()
        .find(|id| replaced.is_none_or(|replaced| replaced.id != *id));
    if let Some(other) = other {
        return Err(conflict(format!(
            "has replaced {other} since, so its approval cannot be taken back"
        )));
    }
    let restored = replaced
        .map(|replaced| restore(vault, &memory.id, replaced))
        .transpose()?
        .flatten();
    memory.supersedes = decision.supersedes_before;
    memory.expires_at = None;
    wait_again(vault, &mut memory)?;
    vault.audit(
        actor,
        Action::Undecide,
        Some(&memory.id),
        Some(serde_json::json!({ "was": "active", "restored": restored })),
    )?;
    Ok(memory)
}

fn wait_again(vault: &Vault<'_>, memory: &mut Memory) -> Result<()> {
    memory.status = Status::Proposed;
    memory.updated_at = vault.now();
    store::memories::update(vault.sql, memory)?;
    store::decisions::delete(vault.sql, &memory.id)
}

/// Lets what was replaced hold again; `None` when it is gone or something else became of it.
fn restore(vault: &Vault<'_>, by: &str, replaced: &Replaced) -> Result<Option<String>> {
    let old = store::memories::find(vault.sql, &replaced.id)?
        .filter(|old| old.status == Status::Superseded && old.superseded_by.as_deref() == Some(by));
    let Some(mut old) = old else {
        return Ok(None);
    };
    if let Some(twin) = twin(vault, &old)? {
        return Err(conflict(format!(
            "replaced {}, whose text is held by {twin} meanwhile; forget one of them first",
            old.id
        )));
    }
    old.status = replaced.status;
    old.status_reason = None;
    old.superseded_by = None;
    old.valid_until = replaced.valid_until;
    old.updated_at = vault.now();
    store::memories::update(vault.sql, &old)?;
    if let (Status::Active, Some(at)) = (old.status, old.expires_at) {
        agenda::schedule(vault, JobKind::ExpireShortTier, at)?;
    }
    Ok(Some(old.id))
}

/// Another memory that holds the same text now.
fn twin(vault: &Vault<'_>, memory: &Memory) -> Result<Option<String>> {
    let known = twins::typed_again(vault, &memory.content)?;
    let holds = |other: &&Memory| {
        other.id != memory.id
            && other.forget_requested_at.is_none()
            && matches!(other.status, Status::Active | Status::Proposed)
    };
    Ok(known.iter().find(holds).map(|other| other.id.clone()))
}
