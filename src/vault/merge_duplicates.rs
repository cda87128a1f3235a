//! The owner's clean-up: memories with the very same text become one. The oldest id stays, so that whoever noted it finds
//! it; what the others knew beside the text goes to it.

use serde::Serialize;

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status};
use crate::store;
use crate::vault::{Vault, approve, sense, twins};

/// What became one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// The oldest of them, which stays.
    pub kept: String,
    /// The others, which are gone.
    pub removed: Vec<String>,
}

/// Merges active and proposed memories with the same text, [`limits::MERGED_TEXTS`] texts at a time; an empty answer means
/// that there are none left. Nothing is excluded from being stored: the text stays. Earlier texts, tags and pointers of the
/// others go to the one that stays, which is active if any of them was.
pub fn merge_duplicates(vault: &Vault<'_>, actor: &Actor) -> Result<Vec<Merged>> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let texts = store::duplicates::texts(vault.sql, limits::MERGED_TEXTS)?;
        texts.iter().map(|text| merge(vault, actor, text)).collect()
    })
}

fn merge(vault: &Vault<'_>, actor: &Actor, text: &str) -> Result<Merged> {
    let mut same = twins::of(vault, text, |known| known == text)?;
    same.retain(|memory| {
        matches!(memory.status, Status::Active | Status::Proposed)
            && memory.forget_requested_at.is_none()
    });
    let mut same = same.into_iter();
    let Some(mut kept) = same.next() else {
        return Ok(Merged {
            kept: String::new(),
            removed: Vec::new(),
        });
    };
    let mut removed = Vec::new();
    for other in same {
        store::duplicates::redirect(vault.sql, &other.id, &kept.id)?;
        take_over(&mut kept, &other);
        if kept.status == Status::Proposed && other.status == Status::Active {
            // What it would have replaced is asked for when the owner approves it, not by a clean-up.
            kept.supersedes = other.supersedes.clone();
            kept = approve::approve_found(vault, actor, kept, false)?;
        }
        store::memories::destroy(vault.sql, &other)?;
        removed.push(other.id);
    }
    kept.updated_at = vault.now();
    store::memories::update(vault.sql, &kept)?;
    store::memories::reindex(vault.sql, &kept)?;
    sense::write(vault, &kept)?;
    vault.audit(
        actor,
        Action::Merge,
        Some(&kept.id),
        Some(serde_json::json!({ "removed": removed })),
    )?;
    Ok(Merged {
        kept: kept.id,
        removed,
    })
}

/// What one memory learns from another with the same text.
fn take_over(kept: &mut Memory, other: &Memory) {
    for tag in &other.tags {
        if kept.tags.len() < limits::TAGS && !kept.tags.contains(tag) {
            kept.tags.push(tag.clone());
        }
    }
    kept.importance = kept.importance.max(other.importance);
    kept.author = kept.author.take().or_else(|| other.author.clone());
    kept.source = kept.source.take().or_else(|| other.source.clone());
    if kept.similar_to.as_ref() == Some(&other.id) {
        (kept.similar_to, kept.similarity) = (None, None);
    }
}
