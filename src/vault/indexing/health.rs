//! How the index outside of the vault is, for the status page.

use serde::Serialize;

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::Vault;
use crate::vault::indexing::{AI, VECTORIZE};

/// Jobs shown one by one.
const TROUBLED: usize = 50;

/// Jobs that wait for a service.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parked {
    /// How many.
    pub jobs: i64,
    /// Until when nothing is tried.
    pub until: Timestamp,
    /// Why.
    pub reason: String,
}

/// A memory that could not be embedded, or told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Troubled {
    /// The memory.
    pub id: String,
    /// Failed attempts.
    pub attempts: i64,
    /// What the last one failed with.
    pub error: String,
    /// When it is tried again; absent when it is dead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
}

/// What Vectorize was told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VectorizeHealth {
    /// Whether recall asks it.
    pub used: bool,
    /// Memories it has.
    pub told: i64,
    /// Memories it is still to hear of.
    pub pending: i64,
    /// Those, while it is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parked: Option<Parked>,
}

/// The index outside of the vault.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OutsideHealth {
    /// The model of Workers AI.
    pub model: String,
    /// Memories that should have vectors of it.
    pub total: i64,
    /// Those that have.
    pub embedded: i64,
    /// Those that wait.
    pub pending: i64,
    /// Those, while Workers AI is left alone.
    pub parked: Option<Parked>,
    /// Jobs given up; a reindex tries them again.
    pub dead: i64,
    /// Jobs that failed at least once.
    pub troubled: Vec<Troubled>,
    /// While everything is made anew: how many were, of how many.
    pub rebuild: Option<(i64, i64)>,
    /// Vectorize, if the deployment has it.
    pub vectorize: Option<VectorizeHealth>,
}

/// Reports; `None` without Workers AI.
pub fn health(vault: &Vault<'_>) -> Result<Option<OutsideHealth>> {
    let Some((_, model)) = vault.services.ai else {
        return Ok(None);
    };
    let state = store::index_jobs::state(vault.sql)?;
    let counts = store::index_jobs::counts(vault.sql)?;
    let (total, embedded) = store::vectors::progress(vault.sql, model.id)?;
    let troubled = store::index_jobs::troubled(vault.sql, TROUBLED)?;
    let vectorize = match vault.services.vectorize {
        None => None,
        Some(_) => Some(VectorizeHealth {
            used: state.vectorize,
            told: store::vectors::count_told(vault.sql)?,
            pending: counts.push,
            parked: parked(vault, VECTORIZE, counts.push)?,
        }),
    };
    Ok(Some(OutsideHealth {
        model: model.id.to_owned(),
        total,
        embedded,
        pending: counts.embed,
        parked: parked(vault, AI, counts.embed)?,
        dead: counts.dead,
        troubled: troubled
            .into_iter()
            .map(|job| Troubled {
                id: job.memory_id,
                attempts: job.attempts,
                error: job.error,
                next_at: (!job.dead).then_some(job.due_at),
            })
            .collect(),
        rebuild: state
            .rebuild_total
            .map(|total| ((total - counts.embed - counts.dead).max(0), total)),
        vectorize,
    }))
}

fn parked(vault: &Vault<'_>, service: &str, jobs: i64) -> Result<Option<Parked>> {
    let pause = store::index_jobs::pause(vault.sql, service)?;
    let pause = pause.filter(|pause| pause.until > vault.now());
    Ok(pause.map(|pause| Parked {
        jobs,
        until: pause.until,
        reason: pause.reason,
    }))
}
