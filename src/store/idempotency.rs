//! The table `idempotency_keys`: what was answered to a key, so that a retry is answered alike.

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// What is remembered of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Hash of the request that used it first.
    pub request_hash: String,
    /// The answer as JSON, without text.
    pub answer: String,
}

/// What the actor's key was used for, if since `since`.
pub fn find(sql: &dyn Sql, actor: &str, key: &str, since: Timestamp) -> Result<Option<Remembered>> {
    let row = sql.first(
        "SELECT request_hash, answer FROM idempotency_keys WHERE actor = ? AND key = ? AND created_at > ?",
        &[actor.into(), key.into(), since.millis().into()],
    )?;
    row.map(|row| {
        Ok(Remembered {
            request_hash: row.text(0)?,
            answer: row.text(1)?,
        })
    })
    .transpose()
}

/// Remembers a key, over an outlived one.
pub fn insert(
    sql: &dyn Sql,
    actor: &str,
    key: &str,
    entry: &Remembered,
    at: Timestamp,
) -> Result<()> {
    sql.run(
        "INSERT OR REPLACE INTO idempotency_keys (actor, key, request_hash, answer, created_at) VALUES (?, ?, ?, ?, ?)",
        &[actor.into(), key.into(), (&entry.request_hash).into(), (&entry.answer).into(), at.millis().into()],
    )
}

/// Removes up to `limit` keys made at or before `until`.
pub fn purge(sql: &dyn Sql, until: Timestamp, limit: usize) -> Result<()> {
    sql.run(
        "DELETE FROM idempotency_keys WHERE (actor, key) IN \
         (SELECT actor, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)",
        &[until.millis().into(), (limit as i64).into()],
    )
}

/// When the oldest key was made.
pub fn oldest(sql: &dyn Sql) -> Result<Option<Timestamp>> {
    let row = sql.first("SELECT min(created_at) FROM idempotency_keys", &[])?;
    Ok(row
        .map(|row| row.integer_or_null(0))
        .transpose()?
        .flatten()
        .map(Timestamp::from_millis))
}
