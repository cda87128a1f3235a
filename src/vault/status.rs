//! How the vault is: counts, agenda, size. What the owner's status page shows.

use serde::Serialize;

use crate::embed::MODEL_ID;
use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::Status;
use crate::model::time::Timestamp;
use crate::store;
use crate::store::jobs::Job;
use crate::vault::weeks::{self, Week};
use crate::vault::{Vault, erase, sense};

/// Most troubled jobs shown.
const TROUBLED_JOBS: usize = 50;

/// Memories by status; hidden ones are counted apart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MemoryCounts {
    /// In the queue.
    pub proposed: i64,
    /// Holding.
    pub active: i64,
    /// History.
    pub superseded: i64,
    /// Turned down.
    pub rejected: i64,
    /// Of any status, hidden because an agent asked to forget them.
    pub forget_requested: i64,
    /// Those in the queue that carry a flag, which nobody but the owner sees.
    pub flagged: i64,
}

/// The agenda in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agenda {
    /// Jobs that wait for their time.
    pub waiting: i64,
    /// Jobs that failed too often and wait for the owner.
    pub dead: i64,
    /// When the next one is due.
    pub next_due_at: Option<Timestamp>,
    /// Those that failed at least once.
    pub troubled: Vec<Job>,
}

/// The whole picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatusReport {
    /// The program's version.
    pub version: &'static str,
    /// Now, by the vault's clock.
    pub now: Timestamp,
    /// Memories.
    pub memories: MemoryCounts,
    /// Hashes of texts that must not come back.
    pub exclusions: i64,
    /// Imports.
    pub batches: i64,
    /// Work to come.
    pub agenda: Agenda,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// How recall answers: `local`, or `keyword-only` when the index would be too large.
    pub recall_mode: &'static str,
    /// What recall searches by meaning.
    pub index: IndexHealth,
    /// Active memories by the week in which they came, oldest week first.
    pub weeks: Vec<Week>,
    /// When everything will be destroyed, if the owner asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erase_at: Option<Timestamp>,
}

/// The index, as far as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexHealth {
    /// The model whose vectors are kept.
    pub model: &'static str,
    /// Memories whose vector is still to be made; recall finds them by words meanwhile.
    pub missing: i64,
    /// Memories in the index in memory; `None` until the first question fills it.
    pub loaded: Option<usize>,
    /// Bytes it takes.
    pub bytes: usize,
    /// Bytes it may take.
    pub bytes_allowed: usize,
}

/// Reports.
pub fn status(vault: &Vault<'_>, actor: &Actor) -> Result<StatusReport> {
    actor.require(Permission::Report)?;
    let mut memories = MemoryCounts::default();
    for (status, visible, hidden) in store::memories::count_by_status(vault.sql)? {
        let place = match status {
            Status::Proposed => &mut memories.proposed,
            Status::Active => &mut memories.active,
            Status::Superseded => &mut memories.superseded,
            Status::Rejected => &mut memories.rejected,
        };
        *place += visible;
        memories.forget_requested += hidden;
    }
    memories.flagged = store::memories::count_withheld(vault.sql)?;
    let (waiting, dead) = store::jobs::count(vault.sql)?;
    let index = index_health(vault)?;
    Ok(StatusReport {
        version: env!("CARGO_PKG_VERSION"),
        now: vault.now(),
        memories,
        exclusions: store::exclusions::count(vault.sql)?,
        batches: store::batches::count(vault.sql)?,
        agenda: Agenda {
            waiting,
            dead,
            next_due_at: store::jobs::next_due(vault.sql)?,
            troubled: store::jobs::troubled(vault.sql, TROUBLED_JOBS)?,
        },
        database_bytes: vault.sql.size(),
        recall_mode: sense::mode(vault).as_str(),
        index,
        weeks: weeks::weeks(vault)?,
        erase_at: erase::pending(vault)?,
    })
}

fn index_health(vault: &Vault<'_>) -> Result<IndexHealth> {
    let (loaded, bytes) = match vault.index.borrow().as_ref() {
        Some(index) => (Some(index.len()), index.bytes()),
        None => (None, 0),
    };
    Ok(IndexHealth {
        model: MODEL_ID,
        missing: store::sense::count_missing(vault.sql, MODEL_ID)?,
        loaded,
        bytes,
        bytes_allowed: limits::INDEX_BYTES,
    })
}
