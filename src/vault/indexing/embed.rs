//! The first stage: vectors for what has none, in batches, each memory stored only if its text is still the one that was sent.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use crate::embed::large::{self, LargeModel};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::memory::{Memory, Status};
use crate::ports::{Embedder, ServiceFailure};
use crate::store;
use crate::store::index_jobs::{IndexJob, Stage};
use crate::store::vectors::StoredVectors;
use crate::text::parts;
use crate::vault::Vault;
use crate::vault::indexing::{pause, text_of};

/// Times the queue is looked at in one turn. The next alarm goes on.
const ROUNDS: usize = 50;

/// A memory on its way.
struct Task {
    job: IndexJob,
    seq: i64,
    hash: String,
    texts: Vec<String>,
}

/// What became of a batch.
struct Batch {
    /// By task and part: the vector, or why there is none.
    answers: HashMap<(usize, usize), std::result::Result<Vec<u8>, String>>,
    /// What ended it early.
    failure: Option<ServiceFailure>,
}

/// The hash kept with vectors: of the text they were made from.
pub(crate) fn hash_of(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn embedded_text(memory: &Memory) -> String {
    text_of(memory.author.as_deref(), &memory.content)
}

/// Whether a memory takes part: what is rejected or asked to be forgotten is sent to nobody.
pub(super) fn takes_part(memory: &Memory) -> bool {
    memory.status != Status::Rejected && memory.forget_requested_at.is_none()
}

/// Embeds what is due until nothing is, a call fails, or the calls of one turn are used up. The error is for the log.
pub(super) async fn embed_due(
    vault: &Vault<'_>,
    embedder: &dyn Embedder,
    model: &'static LargeModel,
) -> Result<Option<Error>> {
    let mut calls = limits::AI_CALLS_PER_TURN;
    let mut any_success = false;
    for _ in 0..ROUNDS {
        if calls == 0 {
            break;
        }
        let jobs = store::index_jobs::due(vault.sql, Stage::Embed, vault.now(), limits::AI_TEXTS)?;
        if jobs.is_empty() {
            break;
        }
        let tasks = tasks(vault, model, jobs)?;
        if tasks.is_empty() {
            // All of them needed nothing; there may be more.
            continue;
        }
        let batch = ask(embedder, model, &tasks, &mut calls, &mut any_success).await;
        for (number, task) in tasks.iter().enumerate() {
            settle(vault, model, task, number, &batch)?;
        }
        if let Some(failure) = &batch.failure {
            return pause::after(vault, pause::AI, failure).map(Some);
        }
        pause::over(vault, pause::AI)?;
    }
    Ok(None)
}

/// The work of some jobs; those that need none are settled here.
fn tasks(vault: &Vault<'_>, model: &LargeModel, jobs: Vec<IndexJob>) -> Result<Vec<Task>> {
    let (mut tasks, mut texts) = (Vec::new(), 0);
    for job in jobs {
        let memory = store::memories::find(vault.sql, &job.memory_id)?;
        let Some(memory) = memory.filter(takes_part) else {
            leave(vault, &job)?;
            continue;
        };
        let text = embedded_text(&memory);
        let hash = hash_of(&text);
        let stored = store::vectors::find(vault.sql, memory.seq)?;
        if stored.is_some_and(|stored| stored.model == model.id && stored.made_from == hash) {
            leave(vault, &job)?;
            continue;
        }
        let parts: Vec<String> = parts::parts(&text, model.part_tokens)
            .into_iter()
            .map(str::to_owned)
            .collect();
        texts += parts.len();
        tasks.push(Task {
            job,
            seq: memory.seq,
            hash,
            texts: parts,
        });
        if texts >= limits::AI_TEXTS {
            break;
        }
    }
    Ok(tasks)
}

/// A job without anything to embed: Vectorize may still have to hear of it.
fn leave(vault: &Vault<'_>, job: &IndexJob) -> Result<()> {
    if store::index_jobs::state(vault.sql)?.vectorize {
        store::index_jobs::embedded(vault.sql, job)
    } else {
        store::index_jobs::done(vault.sql, job)
    }
}

/// Asks for all texts of the tasks, a hundred at a time. A batch that is refused is cut in halves, down to the text that is
/// refused alone; when even single texts are and nothing else was taken, it is the service that refuses.
async fn ask(
    embedder: &dyn Embedder,
    model: &LargeModel,
    tasks: &[Task],
    calls: &mut usize,
    any_success: &mut bool,
) -> Batch {
    let texts: Vec<((usize, usize), &String)> = tasks
        .iter()
        .enumerate()
        .flat_map(|(task, of)| {
            let texts = of.texts.iter().enumerate();
            texts.map(move |(part, text)| ((task, part), text))
        })
        .collect();
    let mut waiting: Vec<&[((usize, usize), &String)]> = texts.chunks(limits::AI_TEXTS).collect();
    waiting.reverse();
    let mut batch = Batch {
        answers: HashMap::new(),
        failure: None,
    };
    let mut refused_alone = 0;
    while let Some(chunk) = waiting.pop() {
        if *calls == 0 {
            break;
        }
        *calls -= 1;
        let sent: Vec<String> = chunk.iter().map(|(_, text)| (*text).clone()).collect();
        let answer = embedder
            .embed(model.id, &sent, limits::AI_BATCH_MILLISECONDS)
            .await;
        let refusal = match answer {
            Ok(rows) if rows.len() == chunk.len() => {
                *any_success = true;
                for ((place, _), row) in chunk.iter().zip(rows) {
                    batch.answers.insert(*place, checked(model, &row));
                }
                continue;
            }
            Ok(rows) => format!("{} vectors for {} texts", rows.len(), chunk.len()),
            Err(ServiceFailure::Refused(why)) => why,
            Err(failure) => {
                batch.failure = Some(failure);
                break;
            }
        };
        if chunk.len() > 1 {
            let (first, second) = chunk.split_at(chunk.len() / 2);
            waiting.extend([second, first]);
            continue;
        }
        refused_alone += 1;
        if refused_alone > 1 && !*any_success {
            batch.failure = Some(ServiceFailure::Refused(refusal));
            break;
        }
        for (place, _) in chunk {
            batch.answers.insert(*place, Err(refusal.clone()));
        }
    }
    batch
}

/// A row as it is kept, if it is a vector of the model.
fn checked(model: &LargeModel, row: &[f32]) -> std::result::Result<Vec<u8>, String> {
    if row.len() != model.dims {
        return Err(format!("{} numbers instead of {}", row.len(), model.dims));
    }
    large::quantise(row).ok_or_else(|| "a vector that says nothing".to_owned())
}

/// Writes down what became of one task.
fn settle(
    vault: &Vault<'_>,
    model: &LargeModel,
    task: &Task,
    number: usize,
    batch: &Batch,
) -> Result<()> {
    let mut vectors = Vec::with_capacity(task.texts.len() * model.dims);
    for part in 0..task.texts.len() {
        match batch.answers.get(&(number, part)) {
            Some(Ok(bytes)) => vectors.extend_from_slice(bytes),
            Some(Err(why)) => {
                let (due, dead) = pause::next_try(task.job.attempts, vault.now());
                return store::index_jobs::failed(vault.sql, &task.job, why, due, dead);
            }
            // It was not its turn; it stays as it is.
            None => return Ok(()),
        }
    }
    vault.sql.in_transaction(|| {
        let memory = store::memories::find_by_seq(vault.sql, task.seq)?;
        let still_so = memory
            .filter(takes_part)
            .is_some_and(|memory| hash_of(&embedded_text(&memory)) == task.hash);
        if !still_so {
            // The change that came between has its own job.
            return Ok(());
        }
        let stored = StoredVectors {
            seq: task.seq,
            model: model.id.to_owned(),
            made_from: task.hash.clone(),
            parts: task.texts.len() as i64,
            vectors: vectors.clone(),
        };
        store::vectors::put(vault.sql, &stored, vault.now())?;
        leave(vault, &task.job)
    })
}
