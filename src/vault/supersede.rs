//! One memory taking the place of another.

use crate::error::{Error, Kind, Result};
use crate::model::actor::Actor;
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status, StatusReason};
use crate::store;
use crate::vault::agenda::{self, JobKind};
use crate::vault::{Vault, twins};

/// The memory that may be replaced.
///
/// # Errors
/// On field `supersedes`: `not_found`, or `conflict` when it no longer holds.
pub fn target(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<Memory> {
    let found = store::memories::find(vault.sql, id)?;
    if actor.is_owner()
        && found
            .as_ref()
            .is_some_and(|memory| memory.forget_requested_at.is_some())
    {
        let message =
            format!("names {id}, which waits to be forgotten; keep it or forget it first");
        return Err(Error::conflict(message).in_field("supersedes"));
    }
    let seen = |memory: &Memory| {
        memory.is_seen_by_apps() || (actor.is_owner() && memory.forget_requested_at.is_none())
    };
    let Some(memory) = found.filter(seen) else {
        return Err(Error::new(
            Kind::NotFound,
            format!("names {id}, and there is no such memory"),
        )
        .in_field("supersedes"));
    };
    match (memory.status, &memory.superseded_by) {
        (Status::Active | Status::Proposed, _) => Ok(memory),
        (Status::Superseded, Some(by)) => Err(Error::conflict(format!(
            "names {id}, which {by} replaced already; replace that one"
        ))
        .in_field("supersedes")),
        (Status::Superseded, None) => Err(Error::conflict(format!(
            "names {id}, which no longer holds"
        ))
        .in_field("supersedes")),
        (Status::Rejected, _) => Err(Error::conflict(format!(
            "names {id}, which the owner rejected"
        ))
        .in_field("supersedes")),
    }
}

/// Longest chain of replacements that is followed.
const CHAIN: usize = 1_000;

/// Refuses a replacement that would close a circle: what `old` replaces, directly or not, cannot replace it.
///
/// # Errors
/// `invalid_argument` on field `supersedes`.
pub fn check_no_circle(vault: &Vault<'_>, new_id: &str, old: &Memory) -> Result<()> {
    let mut next = old.supersedes.clone();
    for _ in 0..CHAIN {
        let Some(id) = next else { return Ok(()) };
        if id == new_id {
            let message = format!("names {}, which itself replaces this memory", old.id);
            return Err(Error::invalid("supersedes", message));
        }
        next = store::memories::find(vault.sql, &id)?.and_then(|memory| memory.supersedes);
    }
    Ok(())
}

/// The memory in force that took the place of one of these, directly or in turn.
pub fn in_place_of(vault: &Vault<'_>, known: &[Memory]) -> Result<Option<Memory>> {
    let replaced = known
        .iter()
        .rev()
        .filter(|memory| memory.status_reason == Some(StatusReason::Replaced));
    for old in replaced {
        let mut next = old.superseded_by.clone();
        for _ in 0..CHAIN {
            let Some(id) = next else { break };
            let Some(by) = store::memories::find(vault.sql, &id)? else {
                break;
            };
            if by.status == Status::Active && by.forget_requested_at.is_none() {
                return Ok(Some(by));
            }
            next = by.superseded_by;
        }
    }
    Ok(None)
}

/// Marks `old` as replaced by the active memory `new`. Runs inside the caller's transaction.
pub fn replace(vault: &Vault<'_>, actor: &Actor, mut old: Memory, new: &Memory) -> Result<()> {
    let now = vault.now();
    let before = old.status;
    old.status = Status::Superseded;
    old.status_reason = Some(StatusReason::Replaced);
    old.superseded_by = Some(new.id.clone());
    // The old one held until the new one began, if the dates allow that reading.
    old.valid_until = Some(if new.valid_from > old.valid_from {
        new.valid_from
    } else {
        now
    });
    old.updated_at = now;
    store::memories::update(vault.sql, &old)?;
    store::memory_marks::set_status_before(vault.sql, old.seq, before)?;
    vault.audit(
        actor,
        Action::Supersede,
        Some(&old.id),
        Some(serde_json::json!({ "by": new.id })),
    )
}

/// Lets a replaced memory stand again where it stood before, once what replaced it is gone or no longer replaces it.
/// Gives the id of another memory that has the same text by now, if there is one: the old one then stays history, and
/// that other one counts as what replaced it. Runs inside the caller's transaction.
pub fn restore(vault: &Vault<'_>, actor: &Actor, mut old: Memory) -> Result<Option<String>> {
    old.updated_at = vault.now();
    let status = store::memory_marks::status_before(vault.sql, old.seq)?;
    let twin = twins::typed_again(vault, &old.content)?
        .into_iter()
        .find(|other| {
            other.id != old.id && matches!(other.status, Status::Active | Status::Proposed)
        });
    if let Some(twin) = twin {
        old.superseded_by = Some(twin.id.clone());
        store::memories::update(vault.sql, &old)?;
        return Ok(Some(twin.id));
    }
    old.status = status;
    old.status_reason = None;
    old.superseded_by = None;
    old.valid_until = None;
    store::memories::update(vault.sql, &old)?;
    // Its short tier may have run out meanwhile; then it expires with the next alarm.
    if let Some(at) = old.expires_at {
        agenda::schedule(vault, JobKind::ExpireShortTier, at)?;
    }
    vault.audit(actor, Action::Restore, Some(&old.id), None)?;
    Ok(None)
}
