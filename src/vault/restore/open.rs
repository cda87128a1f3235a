//! Opens a restore, and makes room for it.

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::ids::IdKind;
use crate::store;
use crate::vault::Vault;
use crate::vault::restore;

/// Opens a restore and returns its id. There is one at a time: one that is not being committed makes room.
///
/// # Errors
/// `conflict` while another is being committed.
pub fn open(vault: &Vault<'_>, actor: &Actor) -> Result<String> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let before = store::restore::current(vault.sql)?;
        if let Some(busy) =
            before.filter(|before| before.wish.is_some() && before.outcome.is_none())
        {
            let message = format!(
                "the restore {} is being committed; wait until it is done, or DELETE it",
                busy.id
            );
            return Err(Error::conflict(message));
        }
        store::restore::remove(vault.sql)?;
        let id = vault.new_id(IdKind::Restore)?;
        store::restore::insert(vault.sql, &id, vault.now(), &actor.label())?;
        restore::schedule(vault)?;
        Ok(id)
    })
}
