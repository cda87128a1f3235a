//! The end of short-tier memories: they become superseded with the reason `expired`, never destroyed.

use crate::error::Result;
use crate::limits;
use crate::model::actor::Actor;
use crate::model::audit::Action;
use crate::model::memory::{Memory, Status, StatusReason, Tier};
use crate::store;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// Gives a memory that is becoming active its end, if its tier is short. The caller writes the memory.
pub fn start_clock(vault: &Vault<'_>, memory: &mut Memory) -> Result<()> {
    memory.expires_at = match memory.tier {
        Tier::Long => None,
        Tier::Short => Some(vault.now().plus_days(vault.settings()?.short_tier_days)),
    };
    match memory.expires_at {
        Some(at) => agenda::schedule(vault, JobKind::ExpireShortTier, at),
        None => Ok(()),
    }
}

/// Ends what is due; the job's handler.
pub fn expire(vault: &Vault<'_>) -> Result<Next> {
    let now = vault.now();
    for mut memory in store::memories::expired(vault.sql, now, limits::ROWS_PER_JOB)? {
        memory.status = Status::Superseded;
        memory.status_reason = Some(StatusReason::Expired);
        memory.valid_until = memory.expires_at;
        memory.updated_at = now;
        store::memories::update(vault.sql, &memory)?;
        vault.audit(&Actor::Vault, Action::Expire, Some(&memory.id), None)?;
    }
    Ok(store::memories::next_expiry(vault.sql)?.map_or(Next::Done, Next::Again))
}
