//! Whether a text is, but for the signs and words around it, one that must not come back.

use crate::dedupe;
use crate::error::Result;
use crate::model::memory::{Memory, Status};
use crate::store;
use crate::text::identity;
use crate::vault::queue::Queue;
use crate::vault::{Vault, twins};

/// The duplicate hashes of a text's spellings, by which memories and older exclusions are known.
pub(crate) fn spelling_hashes(content: &str) -> Vec<String> {
    let keys = dedupe::spelling_keys(content);
    keys.iter().map(|key| identity::key_hash(key)).collect()
}

/// Whether a text is, but for what was put around it, one that the owner forgot, rejected or is about to forget, and none that
/// holds.
pub(crate) fn core_is_excluded(
    vault: &Vault<'_>,
    content: &str,
    queue: &mut Queue,
) -> Result<bool> {
    if !queue.has_unwanted(vault)? {
        return Ok(false);
    }
    let hashes = spelling_hashes(content);
    let mut hashes: Vec<&str> = hashes.iter().map(String::as_str).collect();
    hashes.retain(|hash| !queue.is_fresh(hash));
    if hashes.is_empty() {
        return Ok(false);
    }
    queue.flush(vault)?;
    let unknown = store::look_alikes::unknown(vault.sql, &hashes)?;
    hashes.retain(|hash| !unknown.iter().any(|other| other == hash));
    let unwanted =
        |known: &Memory| known.forget_requested_at.is_some() || known.status == Status::Rejected;
    let holds = |known: &Memory| twins::holds(known) && known.forget_requested_at.is_none();
    let bare = dedupe::bare(content);
    let mut excluded = false;
    for hash in hashes {
        let mut known = store::memories::with_hash(vault.sql, hash)?;
        known.retain(|known| identity::is_typed_again(dedupe::bare(&known.content), bare));
        if known.iter().any(holds) {
            return Ok(false);
        }
        excluded |= store::exclusions::contains_older(vault.sql, hash)?
            || (!known.is_empty() && known.iter().all(unwanted));
    }
    Ok(excluded)
}
