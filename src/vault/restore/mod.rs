//! Restore: a backup comes in, in parts or whole; is checked row by row into staged tables, in steps that the alarm goes on
//! with; and takes the place of what the vault holds, in one transaction. Until then the vault is as it was.
//!
//! Apps stay connected, keys and grants are untouched. What was forgotten since the backup stays forgotten unless the owner
//! says otherwise.

pub mod cancel;
pub mod check;
pub mod commit;
mod group;
pub mod look;
pub mod open;
mod returning;
mod row;
mod sound;
pub mod upload;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::restore::{Fault, Restore, RestoreState};
use crate::model::time::HOUR_MILLIS;
use crate::store;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// The restore with this id.
fn find(vault: &Vault<'_>, id: &str) -> Result<Restore> {
    store::restore::current(vault.sql)?
        .filter(|restore| restore.id == id)
        .ok_or_else(|| {
            Error::not_found(
                "restore with this id; it may have been given up or replaced by another",
            )
        })
}

/// What a broken file is refused with.
fn refused(fault: &Fault) -> Error {
    Error::new(
        Kind::InvalidArgument,
        format!("line {}: {}", fault.line, fault.message),
    )
    .in_field("file")
}

/// Goes on with a restore, or gives up one that nobody touches (the alarm's job).
pub(crate) fn advance(vault: &Vault<'_>) -> Result<Next> {
    let Some(restore) = store::restore::current(vault.sql)? else {
        return Ok(Next::Done);
    };
    let stale_at = restore
        .changed_at
        .plus_millis(limits::RESTORE_HOURS * HOUR_MILLIS);
    match restore.state {
        RestoreState::Checking => {
            check::step(vault, restore)?;
            Ok(Next::Again(vault.now()))
        }
        RestoreState::Ready if restore.wish.is_some() => {
            commit::finish(vault, restore)?;
            Ok(Next::Again(vault.now()))
        }
        RestoreState::Restored => Ok(Next::Done),
        RestoreState::Receiving | RestoreState::Ready | RestoreState::Broken => {
            if vault.now() < stale_at {
                return Ok(Next::Again(stale_at));
            }
            store::restore::remove(vault.sql)?;
            Ok(Next::Done)
        }
    }
}

/// Sees to it that the restore goes on by itself. Part of the caller's transaction.
fn schedule(vault: &Vault<'_>) -> Result<()> {
    agenda::schedule(vault, JobKind::AdvanceRestore, vault.now())
}
