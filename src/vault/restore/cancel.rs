//! Gives a restore up.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::store;
use crate::vault::Vault;
use crate::vault::restore;

/// Removes what was uploaded and staged. A vault that was restored already stays as it is.
///
/// # Errors
/// `not_found`.
pub fn cancel(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<()> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        restore::find(vault, id)?;
        store::restore::remove(vault.sql)
    })
}
