//! Retention: what has ended long ago is destroyed, a bounded number of rows at a time. Daily by the alarm, or at the
//! owner's word. Active and proposed memories are never touched, nor what waits for the owner to be forgotten or kept.
//!
//! A rejected text leaves its hash, so that it is not proposed again; a replaced one leaves nothing, since it was true once.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::memory::Memory;
use crate::model::time::Timestamp;
use crate::store;
use crate::store::retention::Ended;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::{Vault, twins};

/// The note about the last run.
const LAST_RUN: &str = "retention";

/// How many of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Memories that were replaced or expired.
    pub superseded: i64,
    /// Memories that were turned down.
    pub rejected: i64,
    /// Rows of the audit log.
    pub audit: i64,
    /// Jobs that failed for good.
    pub dead_jobs: i64,
}

/// Which memories; at most [`limits::ROWS_PER_JOB`] of each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Ids {
    /// Replaced or expired ones.
    pub superseded: Vec<String>,
    /// Rejected ones.
    pub rejected: Vec<String>,
}

/// The last run that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastRun {
    /// When.
    pub at: Timestamp,
    /// What went.
    pub removed: Numbers,
}

/// For how many days each is kept; 0 is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Replaced or expired memories.
    pub superseded_days: i64,
    /// Rejected memories.
    pub rejected_days: i64,
    /// The audit log.
    pub audit_days: i64,
}

/// What a run would do now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// How many of each.
    pub would_remove: Numbers,
    /// Which.
    pub ids: Ids,
    /// The settings behind it.
    pub settings: Kept,
    /// When the next run is due.
    pub next_run_at: Option<Timestamp>,
    /// The last one; absent before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<LastRun>,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ran {
    /// How many of each.
    pub removed: Numbers,
    /// Which.
    pub ids: Ids,
    /// Whether there is more, which the alarm goes on with by itself.
    pub more: bool,
}

/// Since when at the latest things must have ended to go, by the settings of now.
struct Until {
    superseded: Option<Timestamp>,
    rejected: Option<Timestamp>,
    audit: Option<Timestamp>,
    dead_jobs: Timestamp,
}

impl Until {
    fn of(vault: &Vault<'_>) -> Result<Self> {
        let (now, settings) = (vault.now(), vault.settings()?);
        let before = |days: i64| (days > 0).then(|| now.plus_days(-days));
        Ok(Until {
            superseded: before(settings.superseded_days),
            rejected: before(settings.rejected_days),
            audit: before(settings.audit_days),
            dead_jobs: now.plus_days(-limits::DEAD_JOB_DAYS),
        })
    }
}

/// Says what a run would remove, and removes nothing.
pub fn preview(vault: &Vault<'_>, actor: &Actor) -> Result<Preview> {
    actor.require(Permission::Own)?;
    let until = Until::of(vault)?;
    let count = |what, until: Option<Timestamp>| match until {
        Some(until) => store::retention::count_ended(vault.sql, what, until),
        None => Ok(0),
    };
    let ids = |what, until| Ok::<_, crate::error::Error>(ids_of(&ended(vault, what, until)?));
    let settings = vault.settings()?;
    Ok(Preview {
        would_remove: Numbers {
            superseded: count(Ended::Superseded, until.superseded)?,
            rejected: count(Ended::Rejected, until.rejected)?,
            audit: until.audit.map_or(Ok(0), |until| {
                store::retention::count_audit(vault.sql, until)
            })?,
            dead_jobs: store::retention::count_dead_jobs(vault.sql, until.dead_jobs)?,
        },
        ids: Ids {
            superseded: ids(Ended::Superseded, until.superseded)?,
            rejected: ids(Ended::Rejected, until.rejected)?,
        },
        settings: Kept {
            superseded_days: settings.superseded_days,
            rejected_days: settings.rejected_days,
            audit_days: settings.audit_days,
        },
        next_run_at: store::jobs::due_at(vault.sql, JobKind::Retention.as_str())?,
        last_run: store::notes::get(vault.sql, LAST_RUN)?,
    })
}

/// Does now what the daily job does.
pub fn run(vault: &Vault<'_>, actor: &Actor) -> Result<Ran> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let ran = turn(vault, actor)?;
        if ran.more {
            agenda::schedule(vault, JobKind::Retention, vault.now())?;
        }
        Ok(ran)
    })
}

/// The daily job's handler.
pub(crate) fn daily(vault: &Vault<'_>) -> Result<Next> {
    let ran = turn(vault, &Actor::Vault)?;
    let now = vault.now();
    Ok(Next::Again(if ran.more { now } else { now.plus_days(1) }))
}

/// Sees to it that the daily job is on the agenda.
pub(crate) fn ensure(vault: &Vault<'_>) -> Result<()> {
    store::jobs::ensure(
        vault.sql,
        JobKind::Retention.as_str(),
        vault.now().plus_days(1),
    )
}

fn turn(vault: &Vault<'_>, actor: &Actor) -> Result<Ran> {
    let until = Until::of(vault)?;
    let superseded = ended(vault, Ended::Superseded, until.superseded)?;
    for memory in &superseded {
        store::memories::destroy(vault.sql, memory)?;
    }
    let rejected = ended(vault, Ended::Rejected, until.rejected)?;
    for memory in &rejected {
        destroy_rejected(vault, actor, memory)?;
    }
    let audit = until.audit.map_or(Ok(0), |until| {
        store::retention::purge_audit(vault.sql, until, limits::ROWS_PER_JOB)
    })?;
    let dead_jobs = store::retention::purge_dead_jobs(vault.sql, until.dead_jobs)?;
    let removed = Numbers {
        superseded: superseded.len() as i64,
        rejected: rejected.len() as i64,
        audit: audit as i64,
        dead_jobs: dead_jobs as i64,
    };
    let ids = Ids {
        superseded: ids_of(&superseded),
        rejected: ids_of(&rejected),
    };
    if removed != Numbers::default() {
        vault.audit(
            actor,
            Action::Retention,
            None,
            Some(json!({ "removed": removed, "ids": ids })),
        )?;
    }
    let at = vault.now();
    store::notes::put(vault.sql, LAST_RUN, &LastRun { at, removed })?;
    let more = [superseded.len(), rejected.len(), audit].contains(&limits::ROWS_PER_JOB);
    Ok(Ran { removed, ids, more })
}

fn ended(vault: &Vault<'_>, what: Ended, until: Option<Timestamp>) -> Result<Vec<Memory>> {
    match until {
        Some(until) => store::retention::ended(vault.sql, what, until, limits::ROWS_PER_JOB),
        None => Ok(Vec::new()),
    }
}

fn destroy_rejected(vault: &Vault<'_>, actor: &Actor, memory: &Memory) -> Result<()> {
    for text in store::memories::destroy(vault.sql, memory)? {
        // The owner may have stored the text after all; then it is wanted.
        let wanted = twins::typed_again(vault, &text)?.iter().any(twins::holds);
        if !wanted {
            let (now, by) = (vault.now(), actor.label());
            store::exclusions::insert(vault.sql, &twins::mark(&text), "rejected", now, &by)?;
        }
    }
    Ok(())
}

fn ids_of(memories: &[Memory]) -> Vec<String> {
    memories.iter().map(|memory| memory.id.clone()).collect()
}
