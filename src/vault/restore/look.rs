//! Shows a restore: what the file holds and what a commit would do.

use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::restore::{RestoreState, RestoreView};
use crate::store;
use crate::store::restore::{swap, uploads};
use crate::vault::Vault;
use crate::vault::restore::{self, returning};

/// Shows it.
///
/// # Errors
/// `not_found`.
pub fn look(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<RestoreView> {
    actor.require(Permission::Own)?;
    let restore = restore::find(vault, id)?;
    let parts = uploads::parts(vault.sql)?;
    let forgotten_since = match (&restore.progress.header, restore.state) {
        (Some(header), RestoreState::Ready) => Some(returning::shown(vault, header.made_at)?),
        _ => None,
    };
    Ok(RestoreView {
        bytes: parts.iter().map(|part| part.bytes).sum(),
        parts,
        state: restore.state,
        created_at: restore.created_at,
        created_by: restore.created_by,
        checked_bytes: restore.progress.bytes,
        backup: restore.progress.header,
        fault: restore.progress.fault,
        hashes_corrected: restore.progress.hashes_corrected,
        embeddings_kept: restore.progress.embeddings_kept,
        vault_is_empty: swap::is_empty(vault.sql)?,
        forgotten_since,
        committing: restore.wish.is_some() && restore.outcome.is_none(),
        outcome: restore.outcome,
        id: restore.id,
    })
}

/// The one there is, if any.
pub fn current(vault: &Vault<'_>, actor: &Actor) -> Result<Option<RestoreView>> {
    actor.require(Permission::Own)?;
    store::restore::current(vault.sql)?
        .map(|restore| look(vault, actor, &restore.id))
        .transpose()
}
