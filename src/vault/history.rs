//! The earlier texts of one memory.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::Revision;
use crate::store;
use crate::vault::{Vault, edit};

/// Newest first; empty for a memory that was never edited.
///
/// # Errors
/// `not_found`.
pub fn history(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Vec<Revision>> {
    actor.require(Permission::Own)?;
    let memory = edit::find_for_owner(vault, id)?;
    store::history::list(vault.sql, &memory.id)
}
