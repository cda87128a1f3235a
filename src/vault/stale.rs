//! Proposals whose ground has moved: what they would replace was itself changed, replaced or taken away since.

use crate::error::{Error, Result};
use crate::model::actor::Actor;
use crate::model::memory::{Memory, Status};
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::{Vault, supersede};

/// Says of each proposal among these whether it is stale. For the owner's eyes.
pub(crate) fn mark(vault: &Vault<'_>, actor: &Actor, memories: &mut [Memory]) -> Result<()> {
    for memory in memories {
        memory.stale = reason(vault, actor, memory)?;
    }
    Ok(())
}

fn reason(vault: &Vault<'_>, actor: &Actor, memory: &Memory) -> Result<Option<String>> {
    let other = memory.supersedes.as_ref().or(memory.similar_to.as_ref());
    let (Status::Proposed, Some(other)) = (memory.status, other) else {
        return Ok(None);
    };
    let found = supersede::target(vault, actor, other)
        .and_then(|old| check(vault, &old, Some(memory.updated_at)));
    match found {
        Ok(()) => Ok(None),
        Err(error) if error.field.is_some() => Ok(Some(format!("it {}", error.message))),
        Err(error) => Err(error),
    }
}

/// Refuses to replace `old` when its text changed after `since`, which is when the proposal was made or last looked at.
///
/// # Errors
/// `conflict` on field `supersedes`.
pub(crate) fn check(vault: &Vault<'_>, old: &Memory, since: Option<Timestamp>) -> Result<()> {
    let changed = match since {
        Some(since) => store::history::changed_after(vault.sql, &old.id, since)?,
        None => false,
    };
    if changed {
        let message = format!(
            "names {id}, whose text was changed after this was proposed; look at it, then approve with \"supersedes\": \
             \"{id}\" to replace it all the same, or with \"supersedes\": null to keep both",
            id = old.id
        );
        return Err(Error::conflict(message).in_field("supersedes"));
    }
    Ok(())
}
