//! The agenda: jobs with a date, one alarm at the earliest of them, one handler per kind.
//!
//! A turn handles a bounded number of jobs and rows (never a span of time: the platform's clock stands still while code
//! runs). A job that fails waits 1 min, 2 min, … 1 h; after [`limits::JOB_ATTEMPTS`] it is dead and shown to the owner.

use crate::error::Result;
use crate::limits;
use crate::model::memory::words;
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::{
    Vault, backup, erase, expire, forget, idempotency, indexing, look_again, map, oauth, reindex,
    restore, retention, sense,
};

words! {
    /// What a job does. The word is stored.
    JobKind("kind") {
        /// Supersedes short-tier memories whose time is up.
        ExpireShortTier = "expire_short_tier",
        /// Destroys what agents asked to forget, once the grace period is over (auto mode).
        DestroyForgotten = "destroy_forgotten",
        /// Removes outlived idempotency keys.
        PurgeIdempotencyKeys = "purge_idempotency_keys",
        /// Removes expired requests, codes, tokens, grants, unused clients and rate windows.
        SweepApps = "sweep_apps",
        /// Makes the sense of memories that lack it.
        RefreshSense = "refresh_sense",
        /// Ends backups that nobody reads on.
        EndIdleBackups = "end_idle_backups",
        /// Draws the map of the vault anew.
        DrawMap = "draw_map",
        /// Goes on with a restore, or gives up one that nobody touches.
        AdvanceRestore = "advance_restore",
        /// Makes the full text anew.
        RefreshText = "refresh_text",
        /// Makes a new signing key.
        RotateSigningKey = "rotate_signing_key",
        /// Removes replaced signing keys.
        RetireSigningKeys = "retire_signing_keys",
        /// Destroys what ended long ago, once a day.
        Retention = "retention",
        /// Looks at memories again that an older version stored.
        LookAgain = "look_again",
        /// Destroys everything, once the days of grace are over.
        EraseVault = "erase_vault",
    }
}

/// When a job that succeeded is needed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Not until somebody schedules it.
    Done,
    /// At this time.
    Again(Timestamp),
}

/// Puts a job on the agenda, or moves it forward. Part of the caller's transaction.
pub fn schedule(vault: &Vault<'_>, kind: JobKind, due_at: Timestamp) -> Result<()> {
    store::jobs::schedule(vault.sql, kind.as_str(), "", due_at)
}

/// Sees to it that the jobs every vault has are on the agenda.
pub fn ensure_standing(vault: &Vault<'_>) -> Result<()> {
    retention::ensure(vault)?;
    look_again::ensure(vault)?;
    sense::ensure(vault)
}

/// Puts every job on the agenda that looks after memories: after a restore they are others.
pub fn restored(vault: &Vault<'_>) -> Result<()> {
    for word in JobKind::WORDS {
        let looks_after_memories = match JobKind::parse(word)? {
            JobKind::ExpireShortTier | JobKind::DestroyForgotten => true,
            JobKind::PurgeIdempotencyKeys
            | JobKind::SweepApps
            | JobKind::RefreshSense
            | JobKind::RefreshText
            | JobKind::EndIdleBackups
            | JobKind::AdvanceRestore
            | JobKind::DrawMap
            | JobKind::Retention
            | JobKind::LookAgain
            | JobKind::EraseVault
            | JobKind::RotateSigningKey
            | JobKind::RetireSigningKeys => false,
        };
        if looks_after_memories {
            store::jobs::schedule(vault.sql, word, "", vault.now())?;
        }
    }
    look_again::begin(vault)
}

/// When the alarm should ring next, for a job or for the queue of [`indexing`].
pub fn next_due(vault: &Vault<'_>) -> Result<Option<Timestamp>> {
    let job = store::jobs::next_due(vault.sql)?;
    let index = indexing::next_due(vault)?;
    Ok(job.into_iter().chain(index).min())
}

/// Handles what is due, at most [`limits::JOBS_PER_TURN`] jobs. Returns the errors of jobs that failed, by kind, for
/// the log; a failing job never keeps another from its turn.
pub fn run_due(vault: &Vault<'_>) -> Result<Vec<(String, crate::error::Error)>> {
    let mut failures = Vec::new();
    for job in store::jobs::due(vault.sql, vault.now(), limits::JOBS_PER_TURN)? {
        let outcome = vault
            .sql
            .in_transaction(|| match handle(vault, &job.kind)? {
                Next::Done => store::jobs::delete(vault.sql, &job.kind, &job.key),
                Next::Again(at) => store::jobs::again(vault.sql, &job.kind, &job.key, at),
            });
        if let Err(error) = outcome {
            let dead = job.attempts + 1 >= limits::JOB_ATTEMPTS;
            let due_at = vault
                .now()
                .plus_millis(backoff_seconds(job.attempts) * 1_000);
            store::jobs::failed(vault.sql, &job, error.kind.row().code, due_at, dead)?;
            failures.push((job.kind, error));
        }
    }
    Ok(failures)
}

fn handle(vault: &Vault<'_>, kind: &str) -> Result<Next> {
    match JobKind::parse(kind)? {
        JobKind::ExpireShortTier => expire::expire(vault),
        JobKind::DestroyForgotten => forget::destroy_overdue(vault),
        JobKind::PurgeIdempotencyKeys => idempotency::purge(vault),
        JobKind::SweepApps => oauth::sweep::sweep(vault),
        JobKind::RefreshSense => sense::refresh(vault),
        JobKind::EndIdleBackups => backup::end_idle(vault),
        JobKind::DrawMap => map::redraw(vault),
        JobKind::AdvanceRestore => restore::advance(vault),
        JobKind::RefreshText => reindex::refresh_text(vault),
        JobKind::RotateSigningKey => oauth::keys::rotate(vault),
        JobKind::RetireSigningKeys => oauth::keys::retire(vault),
        JobKind::Retention => retention::daily(vault),
        JobKind::LookAgain => look_again::look(vault),
        JobKind::EraseVault => erase::erase(vault),
    }
}

/// Seconds to wait after so many failed attempts.
pub(crate) fn backoff_seconds(attempts: i64) -> i64 {
    let doublings = attempts.clamp(0, 16);
    (limits::JOB_BACKOFF_SECONDS << doublings).min(limits::JOB_BACKOFF_MAX_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_job_waits_a_minute_then_twice_as_long_up_to_an_hour() {
        let waits: Vec<i64> = (0..8).map(backoff_seconds).collect();
        assert_eq!(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(backoff_seconds(1_000), 3600);
    }
}
