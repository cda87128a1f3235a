//! What a restore would bring back although it was forgotten after the backup was made.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::limits;
use crate::model::restore::ForgottenSince;
use crate::model::time::Timestamp;
use crate::store::restore::staging;
use crate::vault::{Vault, twins};

/// The staged memories that hold, or once held, a text forgotten since: their ids by their keys.
pub(super) fn memories(vault: &Vault<'_>, made_at: Timestamp) -> Result<BTreeMap<i64, String>> {
    let texts = staging::returning(vault.sql, made_at)?.into_iter();
    let forgotten = texts.filter(|one| one.older || twins::mark(&one.text).exact == one.exclusion);
    Ok(forgotten.map(|one| (one.seq, one.id)).collect())
}

/// The same, as it is shown.
pub(super) fn shown(vault: &Vault<'_>, made_at: Timestamp) -> Result<ForgottenSince> {
    let memories = memories(vault, made_at)?;
    Ok(ForgottenSince {
        memories: memories.len() as i64,
        ids: memories
            .into_values()
            .take(limits::FORGOTTEN_SHOWN)
            .collect(),
    })
}
