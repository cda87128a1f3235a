//! Sweeps out what has expired in the authorization server's tables, a few times a day while there is anything.

use crate::error::Result;
use crate::limits;
use crate::model::time::HOUR_MILLIS;
use crate::store;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// Sees to it that a sweep comes. Part of the caller's transaction.
pub(crate) fn schedule(vault: &Vault<'_>) -> Result<()> {
    let at = vault
        .now()
        .plus_millis(limits::APPS_SWEEP_HOURS * HOUR_MILLIS);
    agenda::schedule(vault, JobKind::SweepApps, at)
}

/// Sweeps (the alarm's job). Children go before parents, so that a grant falls with its last code and token, and a
/// client with its last grant.
pub(crate) fn sweep(vault: &Vault<'_>) -> Result<Next> {
    let now = vault.now();
    store::oauth::requests::purge(vault.sql, now, limits::ASKS)?;
    store::oauth::codes::purge(vault.sql, now)?;
    store::oauth::tokens::purge(vault.sql, now, limits::APPS_SWEEP_ROWS)?;
    store::oauth::grants::purge(vault.sql, now)?;
    store::oauth::clients::purge_unused(
        vault.sql,
        now.plus_days(-limits::UNUSED_CLIENT_DAYS),
        limits::ROWS_PER_JOB,
    )?;
    store::rates::purge(vault.sql, now.plus_millis(-HOUR_MILLIS))?;
    Ok(if store::oauth::anything_expires(vault.sql)? {
        Next::Again(now.plus_millis(limits::APPS_SWEEP_HOURS * HOUR_MILLIS))
    } else {
        Next::Done
    })
}
