//! Erasing the whole vault: asked for by the owner in person in so many words, done by the alarm after some days, and
//! taken back at any moment until then.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::{Vault, indexing};

/// What the owner has to type.
pub const CONFIRMATION: &str = "erase my vault";

/// The note about what was asked for.
const NOTE: &str = "erase";

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Note {
    erases_at: Timestamp,
}

/// When everything will be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Erasure {
    /// The end of the days of grace.
    pub erases_at: Timestamp,
}

/// Asks for everything to be destroyed. Asking again changes nothing: the first date stands.
///
/// # Errors
/// `invalid_argument` unless the confirmation is typed as it has to be.
pub fn request(vault: &Vault<'_>, actor: &Actor, confirm: &str) -> Result<Erasure> {
    actor.require(Permission::Connect)?;
    if confirm.trim() != CONFIRMATION {
        let message = format!(
            "must be the words \"{CONFIRMATION}\": memories, guide, settings, log and connected apps will be destroyed"
        );
        return Err(Error::invalid("confirm", message));
    }
    vault.sql.in_transaction(|| {
        if let Some(erases_at) = pending(vault)? {
            return Ok(Erasure { erases_at });
        }
        let erases_at = vault.now().plus_days(vault.settings()?.erase_grace_days);
        store::notes::put(vault.sql, NOTE, &Note { erases_at })?;
        agenda::schedule(vault, JobKind::EraseVault, erases_at)?;
        let details = serde_json::json!({ "erases_at": erases_at });
        vault.audit(actor, Action::RequestErase, None, Some(details))?;
        Ok(Erasure { erases_at })
    })
}

/// Takes the wish back. Without one nothing changes.
pub fn cancel(vault: &Vault<'_>, actor: &Actor) -> Result<()> {
    actor.require(Permission::Connect)?;
    vault.sql.in_transaction(|| {
        if pending(vault)?.is_none() {
            return Ok(());
        }
        store::notes::delete(vault.sql, NOTE)?;
        store::jobs::delete(vault.sql, JobKind::EraseVault.as_str(), "")?;
        vault.audit(actor, Action::CancelErase, None, None)
    })
}

/// When everything will be destroyed, if the owner asked for it.
pub(crate) fn pending(vault: &Vault<'_>) -> Result<Option<Timestamp>> {
    let note: Option<Note> = store::notes::get(vault.sql, NOTE)?;
    Ok(note.map(|note| note.erases_at))
}

/// Destroys everything and leaves an empty vault as on its first day, with one row in its log; the job's handler.
pub(crate) fn erase(vault: &Vault<'_>) -> Result<Next> {
    match pending(vault)? {
        Some(erases_at) if erases_at <= vault.now() => {}
        Some(erases_at) => return Ok(Next::Again(erases_at)),
        None => return Ok(Next::Done),
    }
    let told = indexing::before_erasing(vault)?;
    store::everything::drop_all(vault.sql)?;
    let now = vault.now();
    store::migrations::migrate(vault.sql, now.millis())?;
    store::guide::insert_default(vault.sql, now)?;
    agenda::ensure_standing(vault)?;
    indexing::after_erasing(vault, &told)?;
    vault.held.forget();
    vault.audit(&Actor::Vault, Action::Erase, None, None)?;
    Ok(Next::Done)
}
