//! Makes the derived data of recall anew.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::vault::{Vault, sense};

/// Lets the index in memory be filled anew; with `reembed` every memory's vector and words are made anew in the background.
/// Nothing is lost by it: both come from the memories themselves.
pub fn reindex(vault: &Vault<'_>, actor: &Actor, reembed: bool) -> Result<()> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        sense::renew(vault, reembed)?;
        vault.audit(
            actor,
            Action::Reindex,
            None,
            Some(serde_json::json!({ "reembed": reembed })),
        )
    })
}
