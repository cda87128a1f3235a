//! What Vectorize shows and should not have any more: deletions take their time there, and a call that was given up may still have
//! been carried out. Recall does not see it, and it is removed.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::store;
use crate::store::vectors::Told;
use crate::vault::Vault;
use crate::vault::indexing::parse_vector_id;

/// The keys of the memories that some vectors belong to. Vectors of none are queued for removal, unless they are already.
pub(crate) fn known(vault: &Vault<'_>, ids: &[String]) -> Result<Vec<i64>> {
    let mut parts: BTreeMap<&str, i64> = BTreeMap::new();
    for (memory_id, part) in ids.iter().filter_map(|id| parse_vector_id(id)) {
        let most = parts.entry(memory_id).or_default();
        *most = (*most).max(part + 1);
    }
    let found = store::vectors::seqs(vault.sql, parts.keys().copied())?;
    let mut keys = Vec::with_capacity(found.len());
    for (memory_id, parts) in parts {
        match found.get(memory_id) {
            Some(seq) => keys.push(*seq),
            None => bury(vault, memory_id, parts)?,
        }
    }
    Ok(keys)
}

/// Notes that Vectorize may have so many vectors of a memory that is not there, and queues their removal.
pub(super) fn bury(vault: &Vault<'_>, memory_id: &str, parts: i64) -> Result<()> {
    vault.sql.in_transaction(|| {
        let told = store::vectors::told(vault.sql, memory_id)?;
        let ghost = Told {
            model: String::new(),
            made_from: String::new(),
            parts: told.map_or(parts, |told| told.parts.max(parts)),
            told_at: None,
        };
        store::vectors::tell(vault.sql, memory_id, &ghost)?;
        store::index_jobs::queue_push(vault.sql, memory_id)
    })
}
