//! How the vault is: counts, agenda, size. What the owner's status page shows.

use serde::Serialize;

use crate::embed::MODEL_ID;
use crate::error::Result;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::Status;
use crate::model::settings::Engine;
use crate::model::time::Timestamp;
use crate::store;
use crate::store::jobs::Job;
use crate::vault::indexing::health::{OutsideHealth, Parked, Troubled, VectorizeHealth};
use crate::vault::weeks::{self, Week};
use crate::vault::{Vault, erase, indexing, meaning};

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
    /// How recall answers: `hybrid` with Workers AI, `local` without, `keyword-only` when the index would be too large.
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
    /// The setting: who finds the memories most alike to a question.
    pub engine: &'static str,
    /// Who does now.
    pub engine_in_use: &'static str,
    /// The largest model whose vectors are kept.
    pub model: String,
    /// Memories that should have vectors of it.
    pub total: i64,
    /// Those that have.
    pub embedded: i64,
    /// Those that wait.
    pub pending: i64,
    /// Those, while Workers AI is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parked: Option<Parked>,
    /// Memories given up after many attempts; a reindex tries them again.
    pub dead: i64,
    /// Memories that failed at least once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub troubled: Vec<Troubled>,
    /// Vectorize, if the deployment has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectorize: Option<VectorizeHealth>,
    /// While something is made anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuild: Option<Rebuild>,
    /// What is wrong with the settings of Workers AI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<&'static str>,
    /// Memories whose vector of the model inside is still to be made; recall finds them by words meanwhile.
    pub missing: i64,
    /// Memories in the index in memory; `None` until the first question fills it.
    pub loaded: Option<usize>,
    /// Bytes it takes.
    pub bytes: usize,
    /// Bytes it may take.
    pub bytes_allowed: usize,
}

/// Making everything anew, as far as it is. A memory is done when its words, its terms in the full text and its vectors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rebuild {
    /// Memories done.
    pub done: i64,
    /// All of them.
    pub total: i64,
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
        recall_mode: meaning::mode(vault)?.as_str(),
        index,
        weeks: weeks::weeks(vault)?,
        erase_at: erase::pending(vault)?,
    })
}

fn index_health(vault: &Vault<'_>) -> Result<IndexHealth> {
    let (loaded, bytes) = match vault.held.index.borrow().as_ref() {
        Some(index) => (Some(index.len()), index.bytes()),
        None => (None, 0),
    };
    let missing = store::sense::count_missing(vault.sql, MODEL_ID)?;
    let memories = store::memories::count_all(vault.sql)?;
    let state = store::index_jobs::state(vault.sql)?;
    let outside = indexing::health::health(vault)?;
    let text_pending = match state.text_next {
        Some(next) => store::memory_text::count_to_rebuild(vault.sql, next)?,
        None => 0,
    };
    let rebuilt = outside.as_ref().and_then(|outside| outside.rebuild);
    let embed_pending = rebuilt.map_or(0, |(done, total)| total - done);
    let is_rebuilding = missing > 0 || state.text_next.is_some() || rebuilt.is_some();
    let rebuild = is_rebuilding.then(|| Rebuild {
        done: (memories - missing.max(text_pending).max(embed_pending)).max(0),
        total: memories,
    });
    // Without Workers AI the model inside is the largest.
    let outside = outside.unwrap_or_else(|| OutsideHealth {
        model: MODEL_ID.to_owned(),
        total: memories,
        embedded: memories - missing,
        pending: missing,
        ..OutsideHealth::default()
    });
    Ok(IndexHealth {
        engine: vault.settings()?.engine.as_str(),
        engine_in_use: if state.vectorize {
            Engine::Vectorize.as_str()
        } else {
            Engine::Vault.as_str()
        },
        model: outside.model,
        total: outside.total,
        embedded: outside.embedded,
        pending: outside.pending,
        parked: outside.parked,
        dead: outside.dead,
        troubled: outside.troubled,
        vectorize: outside.vectorize,
        rebuild,
        fault: vault.services.fault,
        missing,
        loaded,
        bytes,
        bytes_allowed: vault.index_bytes,
    })
}
