//! The tables `index_jobs`, `index_state` and `index_pauses`: what is still to be embedded or told to Vectorize. The rows of
//! `index_jobs` come from triggers (see the migration), so that no writer can forget one.

use crate::error::{Error, Result};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql, SqlValue};

/// What is to be done for a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Make its vectors.
    Embed,
    /// Tell Vectorize what is so now.
    Push,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Stage::Embed => "embed",
            Stage::Push => "push",
        }
    }
}

/// A job that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexJob {
    /// About this memory, which may be gone.
    pub memory_id: String,
    /// Failed attempts.
    pub attempts: i64,
    /// Which change it is for.
    pub token: i64,
}

/// How the index is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexState {
    /// The model in use; `None`: no job is queued.
    pub model: Option<String>,
    /// Whether Vectorize is told.
    pub vectorize: bool,
    /// While everything is made anew: how many memories that was about.
    pub rebuild_total: Option<i64>,
    /// While the full text is made anew: the first key that is not done.
    pub text_next: Option<i64>,
}

/// Jobs in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// To be embedded.
    pub embed: i64,
    /// To be told to Vectorize.
    pub push: i64,
    /// Refused too often.
    pub dead: i64,
}

/// A service left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Until then.
    pub until: Timestamp,
    /// Failures in a row.
    pub attempts: i64,
    /// Why.
    pub reason: String,
}

/// How the index is made.
pub fn state(sql: &dyn Sql) -> Result<IndexState> {
    let row = sql.first(
        "SELECT model, vectorize, rebuild_total, text_next FROM index_state WHERE only = 1",
        &[],
    )?;
    let row = row.ok_or_else(|| Error::internal("index_state has no row"))?;
    Ok(IndexState {
        model: row.text_or_null(0)?,
        vectorize: row.integer(1)? != 0,
        rebuild_total: row.integer_or_null(2)?,
        text_next: row.integer_or_null(3)?,
    })
}

/// Writes it.
pub fn set_state(sql: &dyn Sql, state: &IndexState) -> Result<()> {
    sql.run(
        "UPDATE index_state SET model = ?, vectorize = ?, rebuild_total = ?, text_next = ? WHERE only = 1",
        &[
            state.model.clone().into(),
            state.vectorize.into(),
            state.rebuild_total.into(),
            state.text_next.into(),
        ],
    )
}

/// Jobs of a stage that are due, earliest first.
pub fn due(sql: &dyn Sql, stage: Stage, now: Timestamp, limit: usize) -> Result<Vec<IndexJob>> {
    sql.query(
        "SELECT memory_id, attempts, token FROM index_jobs WHERE stage = ? AND state = 'waiting' AND due_at <= ? \
         ORDER BY due_at, memory_id LIMIT ?",
        &[stage.as_str().into(), now.millis().into(), (limit as i64).into()],
    )?
    .iter()
    .map(job)
    .collect()
}

fn job(row: &Row) -> Result<IndexJob> {
    Ok(IndexJob {
        memory_id: row.text(0)?,
        attempts: row.integer(1)?,
        token: row.integer(2)?,
    })
}

/// When the earliest job of a stage is due.
pub fn next_due(sql: &dyn Sql, stage: Stage) -> Result<Option<Timestamp>> {
    let row = sql.first(
        "SELECT min(due_at) FROM index_jobs WHERE stage = ? AND state = 'waiting'",
        &[stage.as_str().into()],
    )?;
    let millis = row.map(|row| row.integer_or_null(0)).transpose()?.flatten();
    Ok(millis.map(Timestamp::from_millis))
}

/// Takes a job off, unless the memory has changed since.
pub fn done(sql: &dyn Sql, done: &IndexJob) -> Result<()> {
    sql.run(
        "DELETE FROM index_jobs WHERE memory_id = ? AND token = ?",
        &[(&done.memory_id).into(), done.token.into()],
    )
}

/// Whether a job is still the memory's latest.
pub fn is_current(sql: &dyn Sql, job: &IndexJob) -> Result<bool> {
    let row = sql.first(
        "SELECT token FROM index_jobs WHERE memory_id = ?",
        &[(&job.memory_id).into()],
    )?;
    Ok(row.map(|row| row.integer(0)).transpose()? == Some(job.token))
}

/// Whether any memory that waits to be embedded has no vectors of this model.
pub fn any_without(sql: &dyn Sql, model: &str) -> Result<bool> {
    let any = sql.count(
        "SELECT EXISTS (SELECT 1 FROM index_jobs j JOIN memories m ON m.id = j.memory_id \
         LEFT JOIN memory_vectors v ON v.memory_seq = m.seq \
         WHERE j.stage = 'embed' AND j.state = 'waiting' AND v.model IS NOT ?)",
        &[model.into()],
    )?;
    Ok(any != 0)
}

/// Moves a job that is embedded on to Vectorize, unless the memory has changed since.
pub fn embedded(sql: &dyn Sql, done: &IndexJob) -> Result<()> {
    sql.run(
        "UPDATE index_jobs SET stage = 'push', due_at = 0, attempts = 0, last_error = NULL WHERE memory_id = ? AND token = ?",
        &[(&done.memory_id).into(), done.token.into()],
    )
}

/// Notes a failed attempt.
pub fn failed(
    sql: &dyn Sql,
    failed: &IndexJob,
    error: &str,
    due_at: Timestamp,
    dead: bool,
) -> Result<()> {
    sql.run(
        "UPDATE index_jobs SET attempts = attempts + 1, last_error = ?, due_at = ?, state = ? WHERE memory_id = ? AND token = ?",
        &[
            error.into(),
            due_at.millis().into(),
            if dead { "dead" } else { "waiting" }.into(),
            (&failed.memory_id).into(),
            failed.token.into(),
        ],
    )
}

/// Jobs in numbers.
pub fn counts(sql: &dyn Sql) -> Result<JobCounts> {
    let row = sql.first(
        "SELECT count(*) FILTER (WHERE state = 'waiting' AND stage = 'embed'), \
         count(*) FILTER (WHERE state = 'waiting' AND stage = 'push'), count(*) FILTER (WHERE state = 'dead') FROM index_jobs",
        &[],
    )?;
    let row = row.ok_or_else(|| Error::internal("an aggregate returned no row"))?;
    Ok(JobCounts {
        embed: row.integer(0)?,
        push: row.integer(1)?,
        dead: row.integer(2)?,
    })
}

/// A job that failed at least once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TroubledJob {
    /// About this memory.
    pub memory_id: String,
    /// Failed attempts.
    pub attempts: i64,
    /// What the last one failed with.
    pub error: String,
    /// When it is tried again.
    pub due_at: Timestamp,
    /// Whether it is given up.
    pub dead: bool,
}

/// Jobs that failed, dead ones first.
pub fn troubled(sql: &dyn Sql, limit: usize) -> Result<Vec<TroubledJob>> {
    sql.query(
        "SELECT memory_id, attempts, coalesce(last_error, ''), due_at, state = 'dead' FROM index_jobs WHERE attempts > 0 \
         ORDER BY state, due_at LIMIT ?",
        &[(limit as i64).into()],
    )?
    .iter()
    .map(|row| {
        Ok(TroubledJob {
            memory_id: row.text(0)?,
            attempts: row.integer(1)?,
            error: row.text(2)?,
            due_at: Timestamp::from_millis(row.integer(3)?),
            dead: row.integer(4)? != 0,
        })
    })
    .collect()
}

/// Gives dead jobs another life.
pub fn revive(sql: &dyn Sql) -> Result<()> {
    sql.run(
        "UPDATE index_jobs SET state = 'waiting', attempts = 0, due_at = 0 WHERE state = 'dead'",
        &[],
    )
}

/// Queues every memory that has no vectors of this model; rejected ones need none.
pub fn queue_missing(sql: &dyn Sql, model: &str) -> Result<()> {
    sql.run(
        "INSERT INTO index_jobs (memory_id, stage, token) SELECT m.id, 'embed', random() >> 12 FROM memories m \
         LEFT JOIN memory_vectors v ON v.memory_seq = m.seq WHERE v.model IS NOT ? AND m.status <> 'rejected' \
         ON CONFLICT (memory_id) DO UPDATE SET stage = 'embed', due_at = 0, attempts = 0, state = 'waiting', token = excluded.token",
        &[model.into()],
    )
}

/// Queues every memory to be embedded; rejected ones need no vectors.
pub fn queue_all(sql: &dyn Sql) -> Result<()> {
    sql.run(
        "INSERT INTO index_jobs (memory_id, stage, token) SELECT m.id, 'embed', random() >> 12 FROM memories m WHERE m.status <> 'rejected' \
         ON CONFLICT (memory_id) DO UPDATE SET stage = 'embed', due_at = 0, attempts = 0, state = 'waiting', token = excluded.token",
        &[],
    )
}

/// Queues every memory that has vectors of this model, for Vectorize to be told, and everything it still has of memories
/// that are gone.
pub fn queue_pushes(sql: &dyn Sql, model: &str) -> Result<()> {
    sql.run(
        "INSERT INTO index_jobs (memory_id, stage, token) SELECT m.id, 'push', random() >> 12 FROM memories m \
         JOIN memory_vectors v ON v.memory_seq = m.seq WHERE v.model = ? ON CONFLICT (memory_id) DO NOTHING",
        &[model.into()],
    )?;
    sql.run(
        "INSERT INTO index_jobs (memory_id, stage, token) SELECT r.memory_id, 'push', random() >> 12 FROM vectorize_rows r \
         WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = r.memory_id) ON CONFLICT (memory_id) DO NOTHING",
        &[],
    )
}

/// Queues one memory, for Vectorize to be told how it is.
pub fn queue_push(sql: &dyn Sql, memory_id: &str) -> Result<()> {
    sql.run(
        "INSERT INTO index_jobs (memory_id, stage, token) VALUES (?, 'push', random() >> 12) ON CONFLICT (memory_id) DO NOTHING",
        &[memory_id.into()],
    )
}

/// Takes all jobs off.
pub fn clear_all(sql: &dyn Sql) -> Result<()> {
    sql.run("DELETE FROM index_jobs", &[])
}

/// Takes all jobs of a stage off that are about memories that are there. What is gone still has to leave Vectorize.
pub fn clear(sql: &dyn Sql, stage: Stage) -> Result<()> {
    sql.run(
        "DELETE FROM index_jobs WHERE stage = ? AND memory_id IN (SELECT id FROM memories)",
        &[stage.as_str().into()],
    )
}

/// A service that is left alone.
pub fn pause(sql: &dyn Sql, service: &str) -> Result<Option<Pause>> {
    let row = sql.first(
        "SELECT until, attempts, reason FROM index_pauses WHERE service = ?",
        &[service.into()],
    )?;
    row.map(|row| {
        Ok(Pause {
            until: Timestamp::from_millis(row.integer(0)?),
            attempts: row.integer(1)?,
            reason: row.text(2)?,
        })
    })
    .transpose()
}

/// Leaves a service alone.
pub fn set_pause(sql: &dyn Sql, service: &str, pause: &Pause) -> Result<()> {
    let row: [SqlValue; 4] = [
        service.into(),
        pause.until.millis().into(),
        pause.attempts.into(),
        (&pause.reason).into(),
    ];
    sql.run(
        "INSERT INTO index_pauses (service, until, attempts, reason) VALUES (?, ?, ?, ?) ON CONFLICT (service) DO UPDATE SET \
         until = excluded.until, attempts = excluded.attempts, reason = excluded.reason",
        &row,
    )
}

/// Asks a service again.
pub fn clear_pause(sql: &dyn Sql, service: &str) -> Result<()> {
    sql.run(
        "DELETE FROM index_pauses WHERE service = ?",
        &[service.into()],
    )
}
