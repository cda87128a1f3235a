//! One memory by its id.

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::memory::Memory;
use crate::store;
use crate::vault::{Vault, stale};

/// The memory. An agent does not see what waits to be forgotten, what the owner rejected, or what is withheld.
///
/// # Errors
/// `not_found`, alike for an unknown, a forgotten and a hidden id.
pub fn get(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    actor.require(Permission::Read)?;
    let shown = |memory: &Memory| actor.is_owner() || memory.is_seen_by_apps();
    let memory = store::memories::find(vault.sql, id)?.filter(shown);
    let mut memory =
        memory.ok_or_else(|| Error::not_found("memory with this id").in_field("id"))?;
    if actor.is_owner() {
        stale::mark(vault, actor, std::slice::from_mut(&mut memory))?;
    }
    Ok(memory)
}

/// Up to `limit` ids that begin with `prefix`, newest first, for completion.
pub fn complete(
    vault: &Vault<'_>,
    actor: &Actor,
    prefix: &str,
    limit: usize,
) -> Result<Vec<String>> {
    actor.require(Permission::Read)?;
    store::memories::ids_with_prefix(vault.sql, prefix, limit)
}
