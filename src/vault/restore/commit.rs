//! The commit: the checked backup takes the place of what the vault holds.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::{Action, AuditEntry};
use crate::model::restore::{Outcome, Restore, RestoreState, RestoreView, Wish};
use crate::store;
use crate::store::restore::{staging, swap, uploads};
use crate::vault::Vault;
use crate::vault::agenda;
use crate::vault::restore::{self, check, look, returning};
use crate::vault::{indexing, sense};

/// What a commit may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether what the vault holds may go.
    pub replace: bool,
    /// Whether texts forgotten since the backup stay forgotten.
    pub keep_forgotten: bool,
}

/// Commits a restore. A large file takes longer than one call: then it goes on by itself, and the answer says how far it is.
/// Asking again is harmless and speeds it up.
///
/// # Errors
/// `conflict` when the vault is not empty and may not be replaced; `invalid_argument` when the file is not whole or broken.
pub fn commit(vault: &Vault<'_>, actor: &Actor, id: &str, options: Options) -> Result<RestoreView> {
    actor.require(Permission::Own)?;
    vault
        .sql
        .in_transaction(|| wish(vault, actor, id, options))?;
    for _ in 0..limits::RESTORE_STEPS {
        let went_on = vault.sql.in_transaction(|| {
            let restore = restore::find(vault, id)?;
            match restore.state {
                RestoreState::Checking => check::step(vault, restore)?,
                RestoreState::Ready => finish(vault, restore)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if !went_on {
            break;
        }
    }
    let restore = restore::find(vault, id)?;
    match &restore.progress.fault {
        Some(fault) => Err(restore::refused(fault)),
        None => look::look(vault, actor, id),
    }
}

fn wish(vault: &Vault<'_>, actor: &Actor, id: &str, options: Options) -> Result<()> {
    let mut restore = restore::find(vault, id)?;
    match restore.state {
        RestoreState::Restored => return Ok(()),
        RestoreState::Receiving => {
            return Err(Error::invalid(
                "file",
                "is not whole: its last line, which says how much there must be, or a part before it is missing; send the rest",
            ));
        }
        RestoreState::Broken => {
            return Err(restore.progress.fault.as_ref().map_or_else(
                || Error::internal("broken without a fault"),
                restore::refused,
            ));
        }
        RestoreState::Checking | RestoreState::Ready => {}
    }
    if !options.replace {
        require_empty(vault)?;
    }
    restore.wish = Some(Wish {
        replace: options.replace,
        keep_forgotten: options.keep_forgotten,
        actor: actor.label(),
    });
    restore.changed_at = vault.now();
    store::restore::update(vault.sql, &restore)?;
    restore::schedule(vault)
}

/// Fails unless the vault holds nothing that a restore would replace.
pub fn require_empty(vault: &Vault<'_>) -> Result<()> {
    if swap::is_empty(vault.sql)? {
        return Ok(());
    }
    Err(Error::new(
        Kind::Conflict,
        "the vault is not empty; what it holds would be replaced by the backup. Take a backup of it first, then ask again with replace=1",
    ))
}

/// Swaps what was checked for what the vault holds. Part of the caller's transaction.
pub(super) fn finish(vault: &Vault<'_>, mut restore: Restore) -> Result<()> {
    let (Some(wish), Some(header)) = (&restore.wish, &restore.progress.header) else {
        return Err(Error::internal("a restore without a wish or a header"));
    };
    if !wish.replace && !swap::is_empty(vault.sql)? {
        // Somebody stored something while the file was checked. The owner has to say so again.
        restore.wish = None;
        restore.changed_at = vault.now();
        return store::restore::update(vault.sql, &restore);
    }
    let left_out = if wish.keep_forgotten {
        let memories = returning::memories(vault, header.made_at)?;
        staging::keep_forgotten(vault.sql, header.made_at, &memories)?;
        memories.len() as i64
    } else {
        0
    };
    staging::keep_audit(vault.sql, header.made_at)?;
    store::backup::snapshot::end_all(vault.sql)?;
    swap::swap(vault.sql)?;
    if store::guide::current(vault.sql)?.is_none() {
        store::guide::insert_default(vault.sql, vault.now())?;
    }
    let to_embed = sense::restored(vault)?;
    indexing::restored(vault)?;
    agenda::restored(vault)?;
    let counts = restore.progress.counts.clone();
    let details = serde_json::json!({
        "made_at": header.made_at, "memories": counts.get("memories"), "left_out": left_out, "replace": wish.replace,
    });
    store::audit::insert(
        vault.sql,
        &AuditEntry {
            at: vault.now(),
            actor: wish.actor.clone(),
            action: Action::RestoreVault,
            subject: Some(restore.id.clone()),
            details: Some(details),
            seq: 0,
        },
    )?;
    uploads::remove_all(vault.sql)?;
    restore.outcome = Some(Outcome {
        at: Some(vault.now()),
        counts,
        left_out,
        to_embed,
    });
    restore.state = RestoreState::Restored;
    store::restore::update(vault.sql, &restore)
}
