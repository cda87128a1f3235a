//! The owner keeps a memory that an agent asked to forget.

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::Memory;
use crate::store;
use crate::text::identity;
use crate::vault::{Vault, edit, twins};

/// Takes the wish to forget back; the memory is visible again as it was. Without such a wish nothing changes.
///
/// # Errors
/// `not_found`.
pub fn keep(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| keep_found(vault, actor, id))
}

/// The same inside the caller's transaction.
pub(crate) fn keep_found(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    let mut memory = edit::find_for_owner(vault, id)?;
    if memory.forget_requested_at.is_none() {
        return Ok(memory);
    }
    // Somebody may have stored the text again from another device meanwhile; two of the same must not come to light.
    let twin = twins::of(vault, &memory.content, |known| {
        identity::is_as_written(known, &memory.content)
    })?
    .into_iter()
    .find(|other| {
        other.id != memory.id
            && other.status == memory.status
            && other.forget_requested_at.is_none()
    });
    if let Some(twin) = twin {
        return Err(Error::conflict(format!(
            "has the same text as {}; forget one of them",
            twin.id
        ))
        .in_field("id"));
    }
    memory.forget_requested_at = None;
    memory.forget_requested_by = None;
    memory.updated_at = vault.now();
    store::memories::update(vault.sql, &memory)?;
    vault.audit(actor, Action::Keep, Some(&memory.id), None)?;
    Ok(memory)
}
