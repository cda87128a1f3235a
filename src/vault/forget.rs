//! Forgetting. The owner's destroys a text at once, everywhere, and leaves a hash so that no import brings it back. An
//! agent's only hides it: the owner confirms or keeps it (review mode), or the grace period runs out (auto mode), since a
//! misled agent must not be able to wipe a vault.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::Memory;
use crate::model::settings::Mode;
use crate::model::time::Timestamp;
use crate::store;
use crate::text::identity;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::{Vault, rates, twins};

/// What became of the wish.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Forgotten {
    /// The text is gone; `ids` are the memories that held it.
    Destroyed {
        /// Always has the id that was asked for.
        ids: Vec<String>,
    },
    /// The memory is hidden from everyone but the owner.
    Requested {
        /// The memory.
        id: String,
        /// When it will be destroyed; absent when the owner has to confirm.
        #[serde(skip_serializing_if = "Option::is_none")]
        destroyed_after: Option<Timestamp>,
    },
}

/// Forgets one memory, and with the owner's word every other memory of the same text. Forgetting a rejected memory or a
/// piece of history whose text an active or proposed memory holds destroys that one row only.
///
/// # Errors
/// `not_found` when there is nothing to forget, also for an agent that asks twice; nothing is written then.
pub fn forget(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Forgotten> {
    actor.require(Permission::Write)?;
    vault.sql.in_transaction(|| {
        let memory = store::memories::find(vault.sql, id)?;
        let memory = memory.filter(|memory| actor.is_owner() || memory.is_seen_by_apps());
        let memory = memory.ok_or_else(|| {
            Error::not_found("memory with this id, so nothing was forgotten").in_field("id")
        })?;
        if actor.is_owner() {
            destroy(vault, actor, &memory)
        } else {
            request(vault, actor, memory)
        }
    })
}

fn destroy(vault: &Vault<'_>, actor: &Actor, memory: &Memory) -> Result<Forgotten> {
    // What the owner keeps beside it in other letters is another memory.
    let (mut twins, kept): (Vec<Memory>, Vec<Memory>) = twins::typed_again(vault, &memory.content)?
        .into_iter()
        .filter(|twin| twin.id != memory.id)
        .partition(|twin| {
            !twins::holds(twin) || identity::is_as_written(&twin.content, &memory.content)
        });
    // Clearing away an old rejection or a piece of history must not take a memory along that holds the same text: then
    // the text is wanted, and only the old row goes.
    let text_stays = !kept.is_empty() || !twins::holds(memory) && twins.iter().any(twins::holds);
    if text_stays {
        twins.retain(|twin| twins::holds(memory) && twins::holds(twin));
    }
    let mut doomed = vec![memory.clone()];
    doomed.append(&mut twins);
    for memory in &doomed {
        for text in store::memories::destroy(vault.sql, memory)? {
            if !text_stays {
                store::exclusions::insert(
                    vault.sql,
                    &twins::mark(&text),
                    "forgotten",
                    vault.now(),
                    &actor.label(),
                )?;
            }
        }
        vault.audit(actor, Action::Forget, Some(&memory.id), None)?;
    }
    Ok(Forgotten::Destroyed {
        ids: doomed.into_iter().map(|memory| memory.id).collect(),
    })
}

fn request(vault: &Vault<'_>, actor: &Actor, mut memory: Memory) -> Result<Forgotten> {
    let now = vault.now();
    memory.forget_requested_at = Some(now);
    memory.forget_requested_by = Some(actor.label());
    memory.updated_at = now;
    store::memories::update(vault.sql, &memory)?;
    vault.audit(actor, Action::RequestForget, Some(&memory.id), None)?;
    rates::note_written(vault, actor, 1)?;
    let settings = vault.settings()?;
    let destroyed_after =
        (settings.mode == Mode::Auto).then(|| now.plus_days(settings.forget_grace_days));
    if let Some(at) = destroyed_after {
        agenda::schedule(vault, JobKind::DestroyForgotten, at)?;
    }
    Ok(Forgotten::Requested {
        id: memory.id,
        destroyed_after,
    })
}

/// Destroys what waited out its grace period; the job's handler. Does nothing in review mode, where the owner decides.
pub fn destroy_overdue(vault: &Vault<'_>) -> Result<Next> {
    let settings = vault.settings()?;
    if settings.mode != Mode::Auto {
        return Ok(Next::Done);
    }
    let grace = settings.forget_grace_days;
    for memory in store::memories::forget_requested(
        vault.sql,
        vault.now().plus_days(-grace),
        limits::ROWS_PER_JOB,
    )? {
        // An earlier turn of this loop may have destroyed it as a twin.
        if let Some(memory) = store::memories::find(vault.sql, &memory.id)? {
            destroy(vault, &Actor::Vault, &memory)?;
        }
    }
    let oldest = store::memories::oldest_forget_request(vault.sql)?;
    Ok(oldest.map_or(Next::Done, |oldest| Next::Again(oldest.plus_days(grace))))
}
