//! The table `jobs`: the agenda.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

/// One job as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Job {
    /// Which handler takes it.
    pub kind: String,
    /// What it is about; empty for jobs that are about the whole vault.
    pub key: String,
    /// When it is to be done.
    pub due_at: Timestamp,
    /// Failed attempts so far.
    pub attempts: i64,
    /// What the last attempt failed with; no text of memories.
    pub last_error: Option<String>,
    /// `waiting` or `dead`.
    pub state: String,
}

const COLUMNS: &str = "kind, key, due_at, attempts, last_error, state";

fn job(row: &Row) -> Result<Job> {
    Ok(Job {
        kind: row.text(0)?,
        key: row.text(1)?,
        due_at: Timestamp::from_millis(row.integer(2)?),
        attempts: row.integer(3)?,
        last_error: row.text_or_null(4)?,
        state: row.text(5)?,
    })
}

/// Puts a job on the agenda. One that is there already is moved forward if `due_at` is earlier, and revived if dead.
pub fn schedule(sql: &dyn Sql, kind: &str, key: &str, due_at: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO jobs (kind, key, due_at) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET \
         due_at = CASE WHEN state = 'dead' THEN excluded.due_at ELSE min(due_at, excluded.due_at) END, \
         attempts = CASE WHEN state = 'dead' THEN 0 ELSE attempts END, state = 'waiting'",
        &[kind.into(), key.into(), due_at.millis().into()],
    )
}

/// Puts a job about the whole vault on the agenda unless it is there.
pub fn ensure(sql: &dyn Sql, kind: &str, due_at: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO jobs (kind, key, due_at) VALUES (?, '', ?) ON CONFLICT DO NOTHING",
        &[kind.into(), due_at.millis().into()],
    )
}

/// When a job about the whole vault is due, if it waits.
pub fn due_at(sql: &dyn Sql, kind: &str) -> Result<Option<Timestamp>> {
    let row = sql.first(
        "SELECT due_at FROM jobs WHERE kind = ? AND key = '' AND state = 'waiting'",
        &[kind.into()],
    )?;
    row.map(|row| row.integer(0).map(Timestamp::from_millis))
        .transpose()
}

/// Waiting jobs that are due, earliest first.
pub fn due(sql: &dyn Sql, now: Timestamp, limit: usize) -> Result<Vec<Job>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM jobs WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ?"
    );
    sql.query(&statement, &[now.millis().into(), (limit as i64).into()])?
        .iter()
        .map(job)
        .collect()
}

/// When the earliest waiting job is due.
pub fn next_due(sql: &dyn Sql) -> Result<Option<Timestamp>> {
    let row = sql.first("SELECT min(due_at) FROM jobs WHERE state = 'waiting'", &[])?;
    Ok(row
        .map(|row| row.integer_or_null(0))
        .transpose()?
        .flatten()
        .map(Timestamp::from_millis))
}

/// Takes a finished job off the agenda.
pub fn delete(sql: &dyn Sql, kind: &str, key: &str) -> Result<()> {
    sql.run(
        "DELETE FROM jobs WHERE kind = ? AND key = ?",
        &[kind.into(), key.into()],
    )
}

/// Gives a job that did its turn its next date.
pub fn again(sql: &dyn Sql, kind: &str, key: &str, due_at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE jobs SET due_at = ?, attempts = 0, last_error = NULL WHERE kind = ? AND key = ?",
        &[due_at.millis().into(), kind.into(), key.into()],
    )
}

/// Notes a failed attempt.
pub fn failed(
    sql: &dyn Sql,
    failed: &Job,
    error: &str,
    due_at: Timestamp,
    dead: bool,
) -> Result<()> {
    sql.run(
        "UPDATE jobs SET attempts = attempts + 1, last_error = ?, due_at = ?, state = ? WHERE kind = ? AND key = ?",
        &[
            error.into(),
            due_at.millis().into(),
            if dead { "dead" } else { "waiting" }.into(),
            (&failed.kind).into(),
            (&failed.key).into(),
        ],
    )
}

/// How many jobs wait, and how many are dead.
pub fn count(sql: &dyn Sql) -> Result<(i64, i64)> {
    let row = sql.first("SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'dead') FROM jobs", &[])?;
    let row = row.ok_or_else(|| Error::internal("an aggregate returned no row"))?;
    Ok((row.integer(0)?, row.integer(1)?))
}

/// Jobs that failed at least once, dead ones first.
pub fn troubled(sql: &dyn Sql, limit: usize) -> Result<Vec<Job>> {
    let statement =
        format!("SELECT {COLUMNS} FROM jobs WHERE attempts > 0 ORDER BY state, due_at LIMIT ?");
    sql.query(&statement, &[(limit as i64).into()])?
        .iter()
        .map(job)
        .collect()
}
