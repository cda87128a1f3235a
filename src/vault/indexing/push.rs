//! The second stage: Vectorize is told what is so now. What it is about to have is written down first, so that nothing is there that
//! the vault does not know; and a job is only done if nothing changed while Vectorize was being told.

use crate::embed::large::{self, LargeModel};
use crate::error::{Error, Result};
use crate::limits;
use crate::ports::{IndexVector, ServiceFailure, VectorIndex};
use crate::store;
use crate::store::index_jobs::{IndexJob, Stage};
use crate::store::vectors::{StoredVectors, Told};
use crate::vault::Vault;
use crate::vault::indexing::embed::takes_part;
use crate::vault::indexing::{namespace, pause, vector_id};

/// Jobs looked at together.
const JOBS: usize = 100;
/// Rounds of one turn. The next alarm goes on.
const ROUNDS: usize = 10;

/// What Vectorize is to be told.
struct Plan {
    /// Memories to write.
    writes: Vec<(IndexJob, StoredVectors)>,
    /// Memories to remove.
    removals: Vec<IndexJob>,
    /// Ids that are too many: of removed memories, and of texts that have become shorter.
    ids: Vec<String>,
}

/// Tells what is due until nothing is, a call fails, or the rounds of one turn are over. The error is for the log.
pub(super) async fn push_due(
    vault: &Vault<'_>,
    index: &dyn VectorIndex,
    model: &'static LargeModel,
) -> Result<Option<Error>> {
    for _ in 0..ROUNDS {
        let jobs = store::index_jobs::due(vault.sql, Stage::Push, vault.now(), JOBS)?;
        if jobs.is_empty() {
            return Ok(None);
        }
        let plan = vault.sql.in_transaction(|| plan(vault, model, jobs))?;
        if let Err(failure) = tell(vault, index, model, &plan).await {
            return pause::after(vault, pause::VECTORIZE, &failure).map(Some);
        }
        vault.sql.in_transaction(|| settle(vault, model, &plan))?;
        pause::over(vault, pause::VECTORIZE)?;
    }
    Ok(None)
}

/// Sorts jobs, and writes down what Vectorize is about to have.
fn plan(vault: &Vault<'_>, model: &LargeModel, jobs: Vec<IndexJob>) -> Result<Plan> {
    let mut plan = Plan {
        writes: Vec::new(),
        removals: Vec::new(),
        ids: Vec::new(),
    };
    let is_used = store::index_jobs::state(vault.sql)?.vectorize;
    for job in jobs {
        let told = store::vectors::told(vault.sql, &job.memory_id)?;
        let before = told.as_ref().map_or(0, |told| told.parts);
        let memory = store::memories::find(vault.sql, &job.memory_id)?.filter(takes_part);
        let vectors = match memory {
            Some(memory) => store::vectors::find(vault.sql, memory.seq)?
                .filter(|vectors| vectors.model == model.id),
            None => None,
        };
        let ids = |from: i64| (from..before).map(|part| vector_id(&job.memory_id, part));
        let Some(vectors) = vectors else {
            plan.ids.extend(ids(0));
            plan.removals.push(job);
            continue;
        };
        let known = told.is_some_and(|told| {
            told.told_at.is_some()
                && told.model == vectors.model
                && told.made_from == vectors.made_from
                && told.parts == vectors.parts
        });
        if known {
            store::index_jobs::done(vault.sql, &job)?;
            continue;
        }
        if !is_used {
            // It is left as it is there, which nobody looks at.
            store::index_jobs::done(vault.sql, &job)?;
            continue;
        }
        plan.ids.extend(ids(vectors.parts));
        let intent = Told {
            model: vectors.model.clone(),
            made_from: vectors.made_from.clone(),
            parts: vectors.parts.max(before),
            told_at: None,
        };
        store::vectors::tell(vault.sql, &job.memory_id, &intent)?;
        plan.writes.push((job, vectors));
    }
    Ok(plan)
}

async fn tell(
    vault: &Vault<'_>,
    index: &dyn VectorIndex,
    model: &LargeModel,
    plan: &Plan,
) -> std::result::Result<(), ServiceFailure> {
    let limit = limits::VECTORIZE_WRITE_MILLISECONDS;
    if !plan.writes.is_empty() {
        has_the_models_dimensions(vault, index, model).await?;
        let namespace = namespace(vault.services.vault_name, model);
        let mut vectors: Vec<IndexVector> = Vec::new();
        for (job, stored) in &plan.writes {
            for (part, bytes) in stored.vectors.chunks_exact(model.dims).enumerate() {
                vectors.push(IndexVector {
                    id: vector_id(&job.memory_id, part as i64),
                    values: large::numbers(bytes),
                });
                if vectors.len() == limits::VECTORIZE_UPSERT {
                    index.upsert(&namespace, &vectors, limit).await?;
                    vectors.clear();
                }
            }
        }
        if !vectors.is_empty() {
            index.upsert(&namespace, &vectors, limit).await?;
        }
    }
    for ids in plan.ids.chunks(limits::VECTORIZE_DELETE) {
        index.delete(ids, limit).await?;
    }
    Ok(())
}

/// Asked once, before the first write: an index of other dimensions refuses every vector, with an error that does not say why.
async fn has_the_models_dimensions(
    vault: &Vault<'_>,
    index: &dyn VectorIndex,
    model: &LargeModel,
) -> std::result::Result<(), ServiceFailure> {
    let checked = vault.services.held.map(|held| &held.shape_checked);
    if checked.is_some_and(|checked| checked.get()) {
        return Ok(());
    }
    let shape = index.describe(limits::VECTORIZE_WRITE_MILLISECONDS).await?;
    match shape.dimensions {
        Some(dimensions) if dimensions != model.dims as u64 => {
            Err(ServiceFailure::Refused(format!(
                "the index has {dimensions} dimensions, {} makes {}: bind VECTORIZE to an index of {}",
                model.id, model.dims, model.dims
            )))
        }
        _ => {
            if let Some(checked) = checked {
                checked.set(true);
            }
            Ok(())
        }
    }
}

fn settle(vault: &Vault<'_>, model: &LargeModel, plan: &Plan) -> Result<()> {
    for (job, stored) in &plan.writes {
        // A memory that changed meanwhile has another job, which looks again at everything it may have left behind.
        if store::index_jobs::is_current(vault.sql, job)? {
            let told = Told {
                model: model.id.to_owned(),
                made_from: stored.made_from.clone(),
                parts: stored.parts,
                told_at: Some(vault.now()),
            };
            store::vectors::tell(vault.sql, &job.memory_id, &told)?;
            store::index_jobs::done(vault.sql, job)?;
        }
    }
    for job in &plan.removals {
        if store::index_jobs::is_current(vault.sql, job)? {
            store::vectors::untell(vault.sql, &job.memory_id)?;
            store::index_jobs::done(vault.sql, job)?;
        }
    }
    Ok(())
}
